import * as z from 'zod';
import {
  component,
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
