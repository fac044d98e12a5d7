import * as z from 'zod';
import {
  component,
  count,
  messageId,
  texts,
  type AnswerOf,
  eventId,
  flag,
  text,
  textOrNull,
  optional,
} from '../../schema/api-parts.ts';
import { eventSummary } from '../../answers/api-event.ts';
import { message, messageState } from '../../answers/api-message.ts';
import { rejection } from '../../answers/api-registry.ts';

const next_cursor = textOrNull('The `cursor` of the next call; null: done.');
const phones = z.array(z.string()).max(2_000);

export const cancelledMany = component('Cancelled', 'The result of one step of a bulk cancellation.', {
  cancelled: count.describe('The number of messages that were or would be cancelled.'),
  in_flight: count.describe('The number of messages that were skipped because they were in flight.'),
  looked_at: count.describe('The number of messages that were examined.'),
  next_cursor,
});

export const retried = component('Retried', 'The result of one step of a bulk retry.', {
  retried: count.describe('The number of messages that are or would be retried.'),
  phones: optional(phones, 'The receivers of these messages. Only in a dry run.'),
  more: flag('`true`: more messages are left than one call retries. Ask again.'),
  next_cursor: next_cursor.describe(
    'The `cursor` of the next call, which begins at the oldest without it; null: done.',
  ),
});

const foundEvent = eventSummary
  .extend({
    sent_to_it: z.array(z.object({ id: messageId, state: messageState })),
    why: text(
      'Why nothing was sent to the number. Absent: something was, or its payload is gone.',
    ).optional(),
    code: optional(
      z.enum(['item', 'failed', 'unmatched', 'not_addressed']),
      'The same as a constant: `item` has the outcome of its item in `params`, and what failed is in `reasons`.',
    ),
    params: optional(texts, 'The values of the reason.'),
  })
  .meta({ id: 'FoundEvent', description: 'An event whose payload contains the number.' });

export type FoundEvent = AnswerOf<typeof foundEvent>;

export const foundNumber = component('FoundNumber', 'Everything about a number, newest first.', {
  messages: z.array(message).max(50),
  events: z.array(foundEvent).max(20),
  rejections: z.array(rejection).max(20),
  complete: flag('`false`: there are more results, or older events that were not searched.'),
});

const some = count.optional();

const skipped = z.object({
  is_replay: some.describe('Events that are replays themselves.'),
  payload_not_kept: some.describe('Events without a stored payload.'),
  source_gone: some.describe('Events whose source is no longer configured.'),
  unknown_route: some.describe('Events whose source does not have all of `routes`.'),
  nothing_failed: some.describe('Events without anything that `only` selects.'),
  too_many_messages: some.describe('Events with too many messages to find those that failed.'),
  too_large: some.describe('Events whose payload is too large to be stored again.'),
});

export type SkipReason = keyof AnswerOf<typeof skipped>;

export const replayedMany = component('ReplayedMany', 'The result of one step of a bulk replay.', {
  replayed: count.describe('The number of events that were or would be replayed.'),
  messages: count.describe('The number of messages that were created. 0 in a dry run.'),
  skipped: skipped.describe('The number of events that were not replayed, by reason.'),
  looked_at: count.describe('The number of events in this step that matched the filters.'),
  events: z.array(z.object({ event: eventId, replay_of: eventId })),
  phones: optional(
    phones,
    'In a dry run: the numbers that messages of these events were sent to, or, with `only`, those whose messages failed. Absent: none are known.',
  ),
  next_cursor,
});

export const replayed = component('Replayed', 'The new event that a replay made, and its messages.', {
  event: eventId,
  replay_of: eventId,
  messages: z.array(messageId),
  waiting: optional(count, 'The items that wait for a notification, per receiver; absent: none.'),
});
