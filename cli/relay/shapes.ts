import * as z from 'zod/mini';
import * as full from 'zod';
import * as accounts from '../../src/answers/api-status.ts';
import * as events from '../../src/answers/api-event.ts';
import * as changes from '../../src/admin/messages/api-messages.ts';
import * as incidents from '../../src/answers/api-incident.ts';
import * as messages from '../../src/answers/api-message.ts';
import * as previews from '../../src/admin/preview/api-preview.ts';
import * as configs from '../../src/admin/config/api-config.ts';
import * as sessions from '../../src/admin/api-sessions.ts';
import * as kept from '../../src/answers/api-registry.ts';

/** A documented value as a reader of any version takes it: a word of a list may be a new one. */
type Read<T, Whole = T> = unknown extends T
  ? unknown
  : T extends string
    ? [Whole] extends [T]
      ? T
      : string
    : T extends readonly (infer Item)[]
      ? Read<Item>[]
      : T extends object
        ? { [Key in keyof T]: Read<T[Key]> }
        : T;

/**
 * The reader of an answer that an `api-*.ts` file of `src` describes. It asks for the described keys and their types, and for
 * nothing else: a relay of another version may say more, and how a time or an id is written is the relay's to keep.
 */
export const reading = <Schema extends z.core.$ZodType>(
  schema: Schema,
): z.ZodMiniType<Read<z.output<Schema>>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `readerOf` does to the schema what `Read` does to its type
  readerOf(schema) as z.ZodMiniType<Read<z.output<Schema>>>;

function readerOf(schema: z.core.$ZodType): z.ZodMiniType {
  if (schema instanceof z.core.$ZodObject) return z.object(readersOf(schema._zod.def.shape));
  if (schema instanceof z.core.$ZodUnion) return z.union(schema._zod.def.options.map(readerOf));
  if (schema instanceof z.core.$ZodLiteral) return z.literal(schema._zod.def.values);
  if (schema instanceof z.core.$ZodArray) return z.array(readerOf(schema._zod.def.element));
  if (schema instanceof z.core.$ZodNullable) return z.nullable(readerOf(schema._zod.def.innerType));
  if (schema instanceof z.core.$ZodOptional) return z.optional(readerOf(schema._zod.def.innerType));
  if (schema instanceof z.core.$ZodRecord) return z.record(z.string(), readerOf(schema._zod.def.valueType));
  if (schema instanceof z.core.$ZodString || schema instanceof z.core.$ZodEnum) return z.string();
  if (schema instanceof z.core.$ZodNumber) return z.number();
  if (schema instanceof z.core.$ZodBoolean) return z.boolean();
  if (schema instanceof z.core.$ZodUnknown) return z.unknown();
  throw new Error(`there is no reader for a schema of type ${schema._zod.def.type}`);
}

const readersOf = (shape: z.core.$ZodShape): Record<string, z.ZodMiniType> =>
  Object.fromEntries(Object.entries(shape).map(([key, schema]) => [key, readerOf(schema)]));

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

export const versionList = reading(kept.versionPage);
export type Version = z.output<typeof versionList>['items'][number];

export const rejectionShape = reading(kept.rejectionWithBody);
export const releasedShape = reading(kept.released);
export type RejectionAnswer = z.output<typeof rejectionShape>;
export const rejectionList = reading(kept.rejectionPage);

export const published = reading(configs.activated);
/** The answer to `dry_run=true` has no version. */
export const dryRun = reading(configs.activated.partial({ version: true }));

export const configSet = reading(configs.configSet);

export const suppression = reading(kept.suppression);
export const suppressionList = reading(kept.suppressionPage);

export const session = z.object({ role: z.string() });
export const sessionLink = reading(sessions.sessionLink);

export const foundNumber = reading(changes.foundNumber);
export type FoundNumber = z.output<typeof foundNumber>;

export const onCall = reading(configs.onCall);
export const overrideByHand = reading(configs.overrideByHand);
/** An override by hand, or the version without one of the document. */
export const endedOverride = z.unknown();
export const calendarLink = reading(configs.onCallCalendar);

/** The lists, as far as it is asked who is on call: the rest is as a person wrote it. */
export const recipientsPage = z.object({
  items: z.array(z.object({ name: z.string(), rotation: z.optional(z.unknown()) })),
});

export const silenceLook = reading(kept.silenceLook);

const { id, state } = kept.byHand.shape;
export const silence = reading(full.object({ id, state }));
export const addedSilence = reading(kept.silenceLook.extend({ id, state }));

export const silenceList = reading(kept.silencePage);
export type SilenceSummary = z.output<typeof silenceList>['items'][number];

export const preview = reading(previews.webhookPreview);
export type Preview = z.output<typeof preview>;
export type PreviewMessage = Preview['routes'][number]['messages'][number];
export type PreviewRoute = Omit<Preview['routes'][number], 'messages'>;
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

/** In bulk, the receivers and events are not shown. */
export const bulk = reading(changes.retried.omit({ phones: true }));
export const replayed = reading(changes.replayed);
export const replayedMany = reading(changes.replayedMany.omit({ events: true, phones: true }));
export type ReplayedMany = z.output<typeof replayedMany>;

export const pairing = reading(kept.pairing);
export const pairedKey = reading(kept.pairedKey);
export type OfferAnswer = z.output<typeof pairedKey>['offers'][number];
