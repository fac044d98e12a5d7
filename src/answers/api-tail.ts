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
  component,
  optional,
  text,
  flag,
} from '../schema/api-parts.ts';
import { messageKind, messageState, reasonCode, reasonParams } from './api-message.ts';

const about = component('AboutFrame', 'The content of a notification, as numbers.', {
  form: z.enum(['group', 'digest']),
  new: count,
  resolved: count,
  firing: count,
});

const why = optional(
  z.string(),
  'The reason for its state: at most 300 characters, with numbers masked; `hidden` for a viewer.',
);

const eventFrame = component('EventFrame', 'An event was accepted, or was a duplicate.', {
  type: z.literal('event'),
  at: time,
  event: eventId,
  source: z.string(),
  event_type: z.string().nullable(),
  subject: text('As in the list of events.').optional(),
  state: z.string(),
  duplicate: z.boolean(),
  code: optional(fieldCode, 'Of its first reason.'),
  reason: why,
  waiting: optional(count, 'The number of items that wait for a notification; absent: none.'),
  account: z.string(),
});

const messageFrame = component(
  'MessageFrame',
  'A message reached a state. After an attempt, the frame has its outcome.',
  {
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
    n: optional(z.int().min(1).max(1_000_000), "The attempt's number."),
    code: reasonCode.optional(),
    reason_params: reasonParams,
    reason: why,
    next_attempt_at: time.optional(),
    about: optional(about, 'The incidents and items that it is about.'),
    account: z.string(),
  },
);

const rejectionFrame = component('RejectionFrame', 'A webhook was rejected.', {
  type: z.literal('rejection'),
  n: rejectionNumber,
  at: time,
  source: z.string(),
  status: z.int().min(200).max(599),
  code: rejectionCode,
  detail: z.string(),
});

export const tail = component('Tail', 'Changes since the last request, oldest first.', {
  items: z.array(
    z.discriminatedUnion('type', [eventFrame, messageFrame, rejectionFrame]).meta({
      id: 'Frame',
      description: 'A change, as ids, names and states, never a payload, a text or a receiver.',
    }),
  ),
  cursor: text('For the next request.'),
  missed: flag('There was more, or a part could not be asked. The lists have everything.'),
});

export type Tail = AnswerOf<typeof tail>;
export type Frame = Tail['items'][number];
export type EventFrame = AnswerOf<typeof eventFrame>;
export type MessageFrame = AnswerOf<typeof messageFrame>;
