import * as z from 'zod/mini';
import * as full from 'zod';
import * as accounts from '../../src/outbox/answers/api-status.ts';
import * as events from '../../src/outbox/answers/api-event.ts';
import { rejectionPage, rejectionWithBody, released } from '../../src/registry/api-rejection.ts';
import { versionPage } from '../../src/registry/api-version.ts';
import * as changes from '../../src/admin/messages/api-messages.ts';
import * as incidents from '../../src/outbox/answers/api-incident.ts';
import * as messages from '../../src/outbox/answers/api-message.ts';
import * as onCalls from '../../src/admin/config/api-on-call.ts';
import * as previews from '../../src/admin/preview/api-preview.ts';
import * as configs from '../../src/admin/config/api-config.ts';
import * as sessions from '../../src/admin/api-sessions.ts';
import * as pairings from '../../src/registry/api-pairing.ts';
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

export const rejectionShape = reading(rejectionWithBody);
export const releasedShape = reading(released);
export type RejectionAnswer = z.output<typeof rejectionShape>;
export const rejectionList = reading(rejectionPage);

export const published = reading(configs.activated);
/** The answer to `dry_run=true` has no version. */
export const dryRun = reading(configs.activated.partial({ version: true }));

export const configSet = reading(configs.configSet);

export const suppression = reading(suppressions.suppression);
export const suppressionList = reading(suppressions.suppressionPage);

export const sessionLink = reading(sessions.sessionLink);

export const foundNumber = reading(changes.foundNumber);
export type FoundNumber = z.output<typeof foundNumber>;

export const onCall = reading(onCalls.onCall);
export const overrideByHand = reading(onCalls.overrideByHand);
/** An override by hand, or the version without one of the document. */
export const endedOverride = z.unknown();
export const calendarLink = reading(onCalls.onCallCalendar);

/** The lists, as far as it is asked who is on call: the rest is as a person wrote it. */
export const recipientsPage = z.object({
  items: z.array(z.object({ name: z.string(), rotation: z.optional(z.unknown()) })),
});

export const silenceLook = reading(silences.silenceLook);

const { id, state } = silences.byHand.shape;
export const silence = reading(full.object({ id, state }));
export const addedSilence = reading(silences.silenceLook.extend({ id, state }));

export const silenceList = reading(silences.silencePage);
export type SilenceSummary = z.output<typeof silenceList>['items'][number];

export const preview = reading(previews.webhookPreview);
export type Preview = z.output<typeof preview>;
export type PreviewMessage = Preview['routes'][number]['messages'][number];
export type PreviewRoute = Omit<Preview['routes'][number], 'messages'>;
/** The previews of a provider's samples. */
export const samplesPreview = reading(previews.samplePreviews);
/** The last events rendered now, compared with the messages that were sent. */
export const lastPreview = reading(previews.comparison);
export type LastPreview = z.output<typeof lastPreview>;
export type PreviewChange = Extract<LastPreview['events'][number], { changes: unknown }>['changes'][number];

export const accountStatus = reading(accounts.accountStatus);
export const accountStatuses = reading(accounts.accountStatusPage);
export type AccountStatus = z.output<typeof accountStatus>;

export const cancelled = reading(changes.cancelledMany);
export type Cancelled = z.output<typeof cancelled>;

export const bulk = reading(changes.retried);
export const replayed = reading(changes.replayed);
export const replayedMany = reading(changes.replayedMany);
export type ReplayedMany = z.output<typeof replayedMany>;

export const pairing = reading(pairings.pairing);
export const pairedKey = reading(pairings.pairedKey);
export type OfferAnswer = z.output<typeof pairedKey>['offers'][number];
