import * as z from 'zod';
import type { SkipReason } from '../../src/admin/messages/replay-event.ts';
import { EVENT_STATES } from '../../src/outbox/state/states.ts';
import { item } from './incidents.ts';
import { rejection } from './history.ts';
import { message, messageState } from './messages.ts';
import { configVersion, count, eventId, messageId, pageOf, texts, time } from './parts.ts';

const summary = {
  id: eventId,
  source: z.string(),
  type: z
    .string()
    .nullable()
    .meta({ description: "The provider's name for what happened; null if it has none." }),
  subject: z.string().max(120).optional().meta({
    description:
      'The line that describes it in lists, from `subject` of its source or its provider; `hidden` for a viewer. Absent: it has none.',
  }),
  state: z.enum(EVENT_STATES).meta({
    description:
      '`unmatched`: no route matched. `failed`: nothing could be rendered. `partly_failed`: some routes could not be rendered.',
  }),
  reason: z.string().optional().meta({
    description: 'The reason why a route or the dedupe key failed to render; `hidden` for a viewer.',
  }),
  received_at: time,
  dedupe_key: z
    .string()
    .optional()
    .meta({ description: 'A second event with this key is a duplicate; `hidden` for a viewer.' }),
  duplicates: count.meta({ description: 'The number of duplicates.' }),
  config_version: configVersion.meta({ description: 'The version of the configuration that rendered it.' }),
  stored: z.boolean().meta({
    description: '`false`: payload, headers and query are not stored, so it cannot be replayed.',
  }),
  replay_of: eventId.optional().meta({ description: 'The event that this one renders again.' }),
  replayed_by: z.string().optional().meta({ description: 'The person who asked for the replay.' }),
};

const counts = z
  .object({
    sent: count.meta({ description: 'Receivers who got a message, or were notified by a shared one.' }),
    failed: count.meta({ description: 'Receivers whose message was given up or has expired.' }),
    waiting: count.meta({ description: 'Receivers whose message or notification is still to come.' }),
  })
  .optional()
  .meta({ description: 'Absent: the page has too many messages to count.' });

export const eventSummary = z
  .object({ ...summary, counts })
  .meta({ id: 'EventSummary', description: 'One verified webhook, without its content.' });

const searched = z
  .object({
    events: count.meta({ description: 'The number of payloads read for this page.' }),
    bytes: count.meta({ description: 'Their total size.' }),
    back_to: time.nullable().meta({
      description: 'The search covers all events since this time; null: all stored events.',
    }),
    complete: z.boolean().meta({ description: '`false`: continue with `next_cursor`.' }),
  })
  .meta({ id: 'Searched', description: 'The range that a search of payloads covered.' });

const page = pageOf(eventSummary, 'EventPage', 'Events, newest first.');

export const eventPage = z
  .object({ ...page.shape, searched: searched.optional().meta({ description: 'Absent without `text`.' }) })
  .meta({ id: 'EventPage', description: 'Events, newest first.' });

export const event = z
  .object({
    ...summary,
    payload: z.unknown().meta({ description: 'The parsed body; null for a viewer, like headers and query.' }),
    headers: texts.nullable().meta({ description: 'Headers by lower-case name, without credentials.' }),
    query: texts.nullable(),
    messages: z.array(message),
    items: z.array(item).optional().meta({
      description: 'Its items that make notifications, with their outcomes; absent: there are none.',
    }),
    messages_left_out: z.int().min(1).max(1_000).optional().meta({
      description:
        'How many more messages it has than one answer carries (4,000,000 characters); `GET /messages?event=…` lists them all.',
    }),
  })
  .meta({ id: 'Event', description: 'One verified webhook, with its content and messages.' });

const foundEvent = eventSummary
  .extend({
    sent_to_it: z
      .array(z.object({ id: messageId, state: messageState }))
      .meta({ description: 'Its messages to the number.' }),
    why: z.string().optional().meta({
      description:
        'The reason why nothing was sent to the number. Absent: something was, or its payload is gone.',
    }),
  })
  .meta({ id: 'FoundEvent', description: 'An event whose payload contains the number.' });

export const foundNumber = z
  .object({
    messages: z.array(message).max(50),
    events: z.array(foundEvent).max(20),
    rejections: z.array(rejection).max(20),
    complete: z.boolean().meta({
      description:
        '`false`: there are more results than fit into one answer, or older events than a search reads.',
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
} satisfies Record<SkipReason, z.ZodType>);

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
