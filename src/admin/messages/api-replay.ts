import * as z from 'zod';
import { count, eventId, messageId, type AnswerOf } from '../../schema/api-parts.ts';

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

/** The reason why an event is not replayed, as a word. */
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
