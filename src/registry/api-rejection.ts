import * as z from 'zod';
import {
  count,
  eventId,
  messageId,
  pageOf,
  rejectionCode,
  rejectionNumber,
  time,
  type AnswerOf,
} from '../schema/api-parts.ts';

export const rejection = z
  .object({
    n: rejectionNumber,
    at: time,
    source: z.string(),
    status: z.int().min(200).max(599).meta({
      description: 'The status that the sender got. Spam gets the status of success.',
    }),
    code: rejectionCode,
    detail: z
      .string()
      .meta({ description: 'The reason for a person, without secrets or parts of the body.' }),
    remedy: z.string().optional().meta({ description: 'Instructions to fix it. Absent: none are known.' }),
    from: z.string().optional().meta({
      description: 'The sender: its address and user agent. Absent for a flood over a limit, and for spam.',
    }),
    times: z.int().min(1).max(1_000_000_000).optional().meta({
      description: 'The number of rejections in a row with the same code, within an hour. Absent: one.',
    }),
    first_at: time
      .optional()
      .meta({ description: 'The time of the first of them; `at` is that of the last.' }),
    field: z.string().optional().meta({
      description:
        'Of a form that was refused for its fields (`form-faults`): the first that is missing or wrong.',
    }),
    near: z.string().nullable().optional().meta({
      description:
        'Of an address that no source has (`unknown-source`), whose name is `source`: the source with the most similar name, or null.',
    }),
    spam: z.enum(['honeypot', 'links', 'time', 'turnstile', 'address']).optional().meta({
      description: 'The check that identified the form as spam. Absent for any other code.',
    }),
    released: eventId.optional().meta({
      description: 'The event that it became when a person released it. Absent if nobody did.',
    }),
  })
  .meta({ id: 'Rejection', description: 'One webhook that was rejected.' });

export type RejectionEntry = Omit<AnswerOf<typeof rejection>, 'n' | 'remedy' | 'spam' | 'released'>;
export type SpamKind = NonNullable<AnswerOf<typeof rejection>['spam']>;

export const rejectionPage = pageOf(rejection, 'RejectionPage', 'Rejections, newest first.');

export const rejectionWithBody = rejection
  .extend({
    body: z.unknown().optional().meta({
      description:
        'Of spam: the fields of the form, null if its source has `store: metadata`. Absent for any other code. Viewers get null unless `VIEWER_SEES` is `payloads`.',
    }),
  })
  .meta({ id: 'RejectionWithBody', description: 'One rejection, with the fields if it is spam.' });

export const released = z
  .object({
    event: eventId,
    rejection: rejectionNumber,
    duplicate: z.boolean().meta({ description: 'True if an earlier event has the same dedupe key.' }),
    messages: z.array(messageId),
    waiting: count.optional().meta({
      description: 'The number of items that wait for a notification; absent: none.',
    }),
  })
  .meta({ id: 'Released', description: 'The event of a form that was not spam.' });

export type Released = AnswerOf<typeof released>;
