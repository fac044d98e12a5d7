import * as z from 'zod';
import { silenceSchema } from '../config/documents/alerting-schema.ts';
import {
  component,
  configVersion,
  count,
  eventId,
  messageId,
  pageOf,
  rejectionCode,
  rejectionNumber,
  time,
  type AnswerOf,
  flag,
  text,
  optional,
} from '../schema/api-parts.ts';

const version = component('Version', 'A version of the configuration, without its documents.', {
  version: configVersion,
  published_at: time,
  by: text('The publisher: the name given at sign-in, `token`, or the identity from Cloudflare Access.'),
  note: text('The `note` of its publisher, else a summary of the changes.'),
  active: flag('True for the active version.'),
});

const managed = z
  .object({
    by: text('The person who made it managed.'),
    at: time.describe('The time when it became managed; later pushes do not change it.'),
  })
  .nullable()
  .describe(
    'Present if the configuration is managed in git, so that only pushes of its files publish. Else null.',
  );

const takenOver = z
  .object({
    name: text('The name that was given.'),
    at: time,
    version: configVersion.describe(
      'The version that the takeover made; its documents are those of the last push.',
    ),
  })
  .nullable()
  .describe(
    'The person who took the configuration over from git, until the next push from there. Else null.',
  );

export const versionPage = pageOf(version, 'VersionPage', 'Versions, newest first.')
  .extend({ managed, taken_over: takenOver })
  .meta({
    id: 'VersionPage',
    description: 'Versions, newest first, and the state of management in git.',
  });

export type VersionInfo = AnswerOf<typeof version>;
export type Keeping = Pick<AnswerOf<typeof versionPage>, 'managed' | 'taken_over'>;

const id = text('Its name, or, if it was added by hand, its id: `sil_…`.');
const state = z
  .enum(['pending', 'active', 'ended'])
  .describe('A silence with `every` is `pending` outside its hours.');

export const silenceLook = component('SilencePreview', 'The effect that a silence would have now.', {
  open: count.describe('The number of open incidents.'),
  matches: count.describe('The number of them that it matches. 0: check its names.'),
  warnings: z.array(z.string()).describe('Fields in the condition that no recent event has.'),
});

export type SilencePreview = AnswerOf<typeof silenceLook>;

const { of, when, from, until, every, reason } = silenceSchema.shape;

const times = { state, of, when, from, until, reason };

const document = component('ListedSilence', 'A silence from a document, with its name.', {
  id,
  origin: z.literal('document'),
  ...times,
  every,
});

export const byHand = component('SilenceByHand', 'A silence that was added by hand.', {
  id,
  origin: z.literal('hand'),
  ...times,
  by: text(
    'The person who added it: the name given at sign-in, `token` or `operator`, or the identity from Cloudflare Access.',
  ),
  created_at: time,
  ended_at: optional(time, 'The time when a person ended it early.'),
});

export type ByHandAnswer = AnswerOf<typeof byHand>;

const listed = z.discriminatedUnion('origin', [byHand, document]);

export type ListedSilence = AnswerOf<typeof listed>;

export const silencePage = pageOf(
  listed,
  'SilencePage',
  'All silences. Those that were added by hand are listed for a week after their end.',
);

export const addedSilence = byHand
  .extend(silenceLook.shape)
  .meta({ id: 'AddedSilence', description: 'A silence that was just added, and its effect now.' });

export const suppression = component('Suppression', 'A receiver who has opted out.', {
  phone: text('The receiver: a number in digits, or an address.'),
  at: time.describe('The time when it was added.'),
  by: text('The person who added it: a user of the relay, or the receiver.'),
  reason: text('The reason, for people.'),
  message: optional(
    messageId,
    'The message whose stop link the receiver pressed; absent: it was added by hand.',
  ),
});

export const suppressionPage = pageOf(
  suppression,
  'SuppressionPage',
  'Receivers who have opted out, newest first.',
);

export type Suppression = AnswerOf<typeof suppression>;

export const rejection = component('Rejection', 'One webhook that was rejected.', {
  n: rejectionNumber,
  at: time,
  source: z.string(),
  status: z
    .int()
    .min(200)
    .max(599)
    .describe('The status that the sender got. Spam gets the status of success.'),
  code: rejectionCode,
  detail: text('The reason for a person, without secrets or parts of the body.'),
  remedy: text('Instructions to fix it. Absent: none are known.').optional(),
  from: text(
    'The sender: its address and user agent. Absent for a flood over a limit, and for spam.',
  ).optional(),
  times: optional(
    z.int().min(1).max(1_000_000_000),
    'The number of rejections in a row with the same code, within an hour. Absent: one.',
  ),
  first_at: optional(time, 'The time of the first of them; `at` is that of the last.'),
  field: text(
    'Of a form that was refused for its fields (`form-faults`): the first that is missing or wrong.',
  ).optional(),
  near: optional(
    z.string().nullable(),
    'Of an address that no source has (`unknown-source`), whose name is `source`: the source with the most similar name, or null.',
  ),
  spam: optional(
    z.enum(['honeypot', 'links', 'time', 'turnstile', 'address']),
    'The check that identified the form as spam. Absent for any other code.',
  ),
  released: optional(eventId, 'The event that it became when a person released it. Absent if nobody did.'),
});

export type RejectionEntry = Omit<AnswerOf<typeof rejection>, 'n' | 'remedy'>;
export type SpamKind = NonNullable<AnswerOf<typeof rejection>['spam']>;

export const rejectionPage = pageOf(rejection, 'RejectionPage', 'Rejections, newest first.');

export const rejectionWithBody = rejection
  .extend({
    body: optional(
      z.unknown(),
      'Of spam: the fields of the form, null if its source has `store: metadata`. Absent for any other code. Viewers get null unless `VIEWER_SEES` is `payloads`.',
    ),
  })
  .meta({ id: 'RejectionWithBody', description: 'One rejection, with the fields if it is spam.' });

export const released = component('Released', 'The event of a form that was not spam.', {
  event: eventId,
  rejection: rejectionNumber,
  duplicate: flag('True if an earlier event has the same dedupe key.'),
  messages: z.array(messageId),
  waiting: optional(count, 'The number of items that wait for a notification; absent: none.'),
});

export type Released = AnswerOf<typeof released>;

const source = z.string();

const offers = z
  .array(
    component('PairingOffer', 'The sender of a key.', {
      at: time,
      address: optional(z.string().max(64), 'Its IP address.'),
      user_agent: optional(z.string().max(120), 'The user agent of the sender.'),
    }),
  )
  .max(2);

const found = { source, expires_at: time };

export const pairing = z
  .discriminatedUnion('state', [
    z.object({ source, state: z.literal('closed') }).meta({ id: 'PairingClosed' }),
    z.object({ ...found, state: z.literal('open') }).meta({ id: 'PairingOpen' }),
    component('PairingVoid', 'Two different keys arrived, so both are discarded.', {
      ...found,
      state: z.literal('void'),
      offers,
      hint: text('Instructions for the next step.'),
    }),
    // After the others: who reads it takes a state of a list for any text.
    component('PairingCaptured', 'A key arrived. `taken`: it was shown and is not stored.', {
      ...found,
      state: z.enum(['captured', 'taken']),
      offers,
    }),
  ])
  .meta({ id: 'Pairing', description: 'The state of a source’s pairing window.' });

export const pairedKey = component('PairedKey', 'The key that a provider handed over.', {
  ...found,
  state: z.literal('taken'),
  offers,
  secret: text('The key. It is shown only once.'),
  hint: text('The place where the key belongs.'),
});

export type PairingAnswer = AnswerOf<typeof pairing>;
