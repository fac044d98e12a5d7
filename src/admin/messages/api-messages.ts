import * as z from 'zod';
import { count, messageId, texts, type AnswerOf, eventId } from '../../schema/api-parts.ts';
import { eventSummary } from '../../outbox/answers/api-event.ts';
import { message, messageState } from '../../outbox/answers/api-message.ts';
import { rejection } from '../../registry/api-rejection.ts';

export const cancelledMany = z
  .object({
    cancelled: count.meta({ description: 'The number of messages that were or would be cancelled.' }),
    in_flight: count.meta({
      description: 'The number of messages that were skipped because they were in flight.',
    }),
    looked_at: count.meta({ description: 'The number of messages that were examined.' }),
    next_cursor: z.string().nullable().meta({ description: 'The `cursor` of the next call; null: done.' }),
  })
  .meta({ id: 'Cancelled' });

export const retried = z
  .object({
    retried: count.meta({ description: 'The number of messages that are or would be retried.' }),
    phones: z
      .array(z.string())
      .max(2_000)
      .optional()
      .meta({ description: 'The receivers of these messages, up to 2,000. Only in a dry run.' }),
    more: z
      .boolean()
      .meta({ description: '`true`: more messages are left than one call retries. Ask again.' }),
    next_cursor: z.string().nullable().meta({
      description:
        'Where the next call continues, as its `cursor`; null: all were looked at. Without it the next call begins at the oldest again.',
    }),
  })
  .meta({ id: 'Retried' });

const foundEvent = eventSummary
  .extend({
    sent_to_it: z
      .array(z.object({ id: messageId, state: messageState }))
      .meta({ description: 'Its messages to the number.' }),
    why: z.string().optional().meta({
      description:
        'The reason why nothing was sent to the number. Absent: something was, or its payload is gone.',
    }),
    code: z.enum(['item', 'failed', 'unmatched', 'not_addressed']).optional().meta({
      description:
        'The same as a constant: `item` has the outcome of its item in `params`, and what failed is in `reasons`.',
    }),
    params: texts.optional().meta({ description: 'The values of the reason.' }),
  })
  .meta({ id: 'FoundEvent', description: 'An event whose payload contains the number.' });

export type FoundEvent = AnswerOf<typeof foundEvent>;

export const foundNumber = z
  .object({
    messages: z.array(message).max(50),
    events: z.array(foundEvent).max(20),
    rejections: z.array(rejection).max(20),
    complete: z.boolean().meta({
      description:
        '`false`: there are more results than fit into one answer, or older events that were not searched.',
    }),
  })
  .meta({ id: 'FoundNumber', description: 'Everything about a number, newest first.' });

const some = count.optional();

const skipped = z.object({
  is_replay: some.meta({ description: 'Events that are replays themselves.' }),
  payload_not_kept: some.meta({ description: 'Events without a stored payload.' }),
  source_gone: some.meta({ description: 'Events whose source is no longer configured.' }),
  unknown_route: some.meta({ description: 'Events whose source does not have all of `routes`.' }),
  nothing_failed: some.meta({ description: 'Events without anything that `only` selects.' }),
  too_many_messages: some.meta({ description: 'Events with too many messages to find those that failed.' }),
  too_large: some.meta({ description: 'Events whose payload is too large to be stored again.' }),
});

export type SkipReason = keyof AnswerOf<typeof skipped>;

export const replayedMany = z
  .object({
    replayed: count.meta({ description: 'The number of events that were or would be replayed.' }),
    messages: count.meta({
      description: 'The number of messages that were created. 0 in a dry run, which renders nothing.',
    }),
    skipped: skipped.meta({ description: 'The number of events that were not replayed, by reason.' }),
    looked_at: count.meta({ description: 'The number of events in this step that matched the filters.' }),
    events: z
      .array(z.object({ event: eventId, replay_of: eventId }))
      .meta({ description: 'The new events, and those that they replay.' }),
    phones: z.array(z.string()).max(2_000).optional().meta({
      description:
        'In a dry run: the numbers that messages of these events were sent to, or, with `only`, those whose messages failed. Absent: none are known.',
    }),
    next_cursor: z.string().nullable().meta({
      description: 'The `cursor` of the next call; null: done.',
    }),
  })
  .meta({ id: 'ReplayedMany', description: 'The result of one step of a bulk replay.' });

export const replayed = z
  .object({
    event: eventId,
    replay_of: eventId,
    messages: z.array(messageId),
    waiting: count.optional().meta({
      description: 'The number of items that wait for a notification, counted per receiver; absent: none.',
    }),
  })
  .meta({ id: 'Replayed', description: 'The new event that a replay made, and its messages.' });
