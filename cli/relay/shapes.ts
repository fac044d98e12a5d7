import * as z from 'zod/mini';
import * as full from 'zod';
import * as accounts from '../../src/outbox/answers/api-status.ts';
import * as events from '../../src/outbox/answers/api-event.ts';
import { rejectionPage, rejectionWithBody, released } from '../../src/registry/api-rejection.ts';
import { versionPage } from '../../src/registry/api-version.ts';
import { cancelledMany, retried } from '../../src/admin/messages/api-messages.ts';
import * as numbers from '../../src/admin/messages/api-messages.ts';
import * as replays from '../../src/admin/messages/api-messages.ts';
import * as incidents from '../../src/outbox/answers/api-incident.ts';
import * as messages from '../../src/outbox/answers/api-message.ts';
import * as onCalls from '../../src/admin/config/api-on-call.ts';
import { rendered, route, warning } from '../../src/admin/preview/api-preview.ts';
import { activated } from '../../src/admin/config/api-config.ts';
import * as sessions from '../../src/admin/api-sessions.ts';
import { silenceOf } from '../../src/config/documents/alerting-schema.ts';
import * as silences from '../../src/registry/api-silence.ts';
import * as suppressions from '../../src/registry/api-suppression.ts';
import { reading } from './reading.ts';

/**
 * The parts of the admin API's answers that the command line reads. Other keys may be added and removed: `--json` shows
 * the answers as they are.
 */
export const message = reading(messages.message);
export type Message = z.output<typeof message>;
export const messageList = reading(messages.messagePage);

export const event = reading(events.event);
export type Event = z.output<typeof event>;
export const eventList = reading(events.eventPage);
export type EventSummary = z.output<typeof eventList>['items'][number];

export const incident = reading(incidents.incident);
export type IncidentAnswer = z.output<typeof incident>;
export const changedIncidents = reading(incidents.changedMany);
export type ChangedIncidents = z.output<typeof changedIncidents>;
export const openIncidents = reading(incidents.openPage);
export const incidentList = reading(incidents.incidentPage);

export const versionList = reading(versionPage);
export type Version = z.output<typeof versionList>['items'][number];

/** A page of a list. */
const listOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.nullable(z.string()) });

export const rejectionShape = reading(rejectionWithBody);
export const releasedShape = reading(released);
export type RejectionAnswer = z.output<typeof rejectionShape>;
export const rejectionList = reading(rejectionPage);

export const published = reading(activated);
/** The answer to `dry_run=true` has no version. */
export const dryRun = reading(activated.partial({ version: true }));

const documents = z.record(z.string(), z.unknown());

export const configSet = z.object({
  sources: documents,
  templates: documents,
  recipients: documents,
  accounts: documents,
  silences: documents,
  providers: documents,
});

export const suppression = reading(suppressions.suppression);
export const suppressionList = reading(suppressions.suppressionPage);

export const sessionLink = reading(sessions.sessionLink);

export const foundNumber = reading(numbers.foundNumber);
export type FoundNumber = z.output<typeof foundNumber>;

export const onCall = reading(onCalls.onCall);
export const overrideByHand = reading(onCalls.overrideByHand);
/** An override by hand, or the version without one of the document. */
export const endedOverride = z.unknown();
export const calendarLink = reading(onCalls.onCallCalendar);

/** The lists, as far as it is asked who is on call. */
export const recipientsPage = listOf(z.object({ name: z.string(), rotation: z.optional(z.unknown()) }));

/** The answer of `POST /silences/preview`. */
export const silenceLook = reading(silences.silenceLook);

const { id, state } = silences.byHand.shape;
export const silence = reading(full.object({ id, state }));
export const addedSilence = reading(silences.silenceLook.extend({ id, state }));

/** A silence from a document, or one that was added by hand. */
const silenceSummary = z.object({
  id: z.string(),
  state: z.string(),
  origin: z.string(),
  of: z.optional(silenceOf),
  when: z.optional(z.string()),
  until: z.optional(z.string()),
  reason: z.optional(z.string()),
  by: z.optional(z.string()),
  ended_at: z.optional(z.string()),
});

export type SilenceSummary = z.output<typeof silenceSummary>;
export const silenceList = listOf(silenceSummary);

const messageParts = rendered.pick({ route: true, kind: true, phone: true, params: true });
const previewMessage = reading(messageParts);
export type PreviewMessage = z.output<typeof previewMessage>;

const routeOutcome = route.pick({ route: true, result: true, why: true, failures: true, items: true });
const previewRoute = reading(routeOutcome);
export type PreviewRoute = z.output<typeof previewRoute>;

const previewed = {
  event: z.object({
    type: z.nullable(z.string()),
    dedupe_key: z.nullable(z.string()),
    subject: z.optional(z.nullable(z.string())),
    locale: z.optional(z.string()),
  }),
  reason: z.optional(z.string()),
  routes: z.array(reading(routeOutcome.extend({ messages: full.array(messageParts) }))),
  warnings: z.array(reading(warning)),
};

/** The preview of one webhook. */
export const preview = z.object(previewed);
export type Preview = z.output<typeof preview>;

/** The previews of a provider's samples. */
export const samplesPreview = z.object({
  samples: z.array(z.object({ sample: z.string(), ...previewed })),
});

const change = z.object({
  route: z.string(),
  phone: z.nullable(z.string()),
  kind: z.string(),
  parameter: z.optional(z.string()),
  was: z.optional(z.nullable(z.string())),
  now: z.optional(z.nullable(z.string())),
});

export type PreviewChange = z.output<typeof change>;

/** The last events rendered now, compared with the messages that were sent. */
export const lastPreview = z.object({
  events: z.array(
    z.object({
      event: z.string(),
      type: z.nullable(z.string()),
      received_at: z.string(),
      not_comparable: z.optional(z.string()),
      routes: z.optional(z.array(previewRoute)),
      would_send: z.optional(z.array(previewMessage)),
      changes: z.optional(z.array(change)),
    }),
  ),
  warnings: previewed.warnings,
  summary: z.object({
    events: z.number(),
    same: z.number(),
    changed: z.number(),
    failed: z.number(),
    not_comparable: z.number(),
    left_out: z.number(),
  }),
});

export type LastPreview = z.output<typeof lastPreview>;

export const accountStatus = reading(accounts.accountStatus);
export const accountStatuses = reading(accounts.accountStatusPage);
export type AccountStatus = z.output<typeof accountStatus>;

export const cancelled = reading(cancelledMany);
export type Cancelled = z.output<typeof cancelled>;

export const bulk = reading(retried);
export const replayed = reading(replays.replayed);
export const replayedMany = reading(replays.replayedMany);
export type ReplayedMany = z.output<typeof replayedMany>;

const offers = z.array(
  z.object({ at: z.string(), address: z.optional(z.string()), user_agent: z.optional(z.string()) }),
);

export type OfferAnswer = z.output<typeof offers>[number];

export const pairing = z.discriminatedUnion('state', [
  z.object({ state: z.literal('closed') }),
  z.object({ state: z.literal('open'), expires_at: z.string() }),
  z.object({ state: z.literal('captured'), offers }),
  z.object({ state: z.literal('taken'), offers }),
  z.object({ state: z.literal('void'), offers, hint: z.string() }),
]);

export const pairedKey = z.object({ secret: z.string(), hint: z.string(), offers });

/** Documents of a collection; only their names are read. */
export const namedDocuments = listOf(z.object({ id: z.optional(z.string()), name: z.optional(z.string()) }));
