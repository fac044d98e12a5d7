import * as z from 'zod';
import {
  count,
  eventId,
  fieldCode,
  messageId,
  rejectionCode,
  rejectionNumber,
  time,
  type AnswerOf,
} from '../../schema/api-parts.ts';
import { messageKind, messageState, reasonCode, reasonParams } from './api-message.ts';

const about = z
  .object({ form: z.enum(['group', 'digest']), new: count, resolved: count, firing: count })
  .meta({ id: 'AboutFrame', description: 'The content of a notification, as numbers.' });

const why = z
  .string()
  .optional()
  .describe('The reason for its state: at most 300 characters, with numbers masked; `hidden` for a viewer.');

const eventFrame = z
  .object({
    type: z.literal('event'),
    at: time,
    event: eventId,
    source: z.string(),
    event_type: z.string().nullable(),
    subject: z.string().optional().describe('As in the list of events.'),
    state: z.string(),
    duplicate: z.boolean(),
    code: fieldCode.optional().describe('Of its first reason.'),
    reason: why,
    waiting: count.optional().describe('The number of items that wait for a notification; absent: none.'),
    account: z.string(),
  })
  .meta({ id: 'EventFrame', description: 'An event was accepted, or was a duplicate.' });

const messageFrame = z
  .object({
    type: z.literal('message'),
    at: time,
    message: messageId,
    event: eventId.nullable(),
    source: z.string().nullable(),
    route: z.string().nullable(),
    kind: messageKind,
    state: messageState,
    outcome: z.string().optional(),
    http_status: z.int().min(100).max(999).optional(),
    duration_ms: count.optional(),
    n: z.int().min(1).max(1_000_000).optional().describe("The attempt's number."),
    code: reasonCode.optional(),
    reason_params: reasonParams,
    reason: why,
    next_attempt_at: time.optional(),
    about: about.optional().describe('The incidents and items that it is about.'),
    account: z.string(),
  })
  .meta({
    id: 'MessageFrame',
    description: 'A message reached a state. After an attempt, the frame has its outcome.',
  });

const rejectionFrame = z
  .object({
    type: z.literal('rejection'),
    n: rejectionNumber,
    at: time,
    source: z.string(),
    status: z.int().min(200).max(599),
    code: rejectionCode,
    detail: z.string(),
  })
  .meta({ id: 'RejectionFrame', description: 'A webhook was rejected.' });

export const tail = z
  .object({
    items: z.array(
      z.discriminatedUnion('type', [eventFrame, messageFrame, rejectionFrame]).meta({
        id: 'Frame',
        description: 'A change, as ids, names and states, never a payload, a text or a receiver.',
      }),
    ),
    cursor: z.string().describe('For the next request.'),
    missed: z.boolean().describe('There was more, or a part could not be asked. The lists have everything.'),
  })
  .meta({ id: 'Tail', description: 'Changes since the last request, oldest first.' });

export type Tail = AnswerOf<typeof tail>;
export type Frame = Tail['items'][number];
export type EventFrame = AnswerOf<typeof eventFrame>;
export type MessageFrame = AnswerOf<typeof messageFrame>;
