import * as z from 'zod';
import type { SkipReason } from '../../src/admin/messages/replay-event.ts';
import { EVENT_STATES } from '../../src/outbox/state/states.ts';
import { item } from './incidents.ts';
import { message } from './messages.ts';
import { configVersion, count, eventId, messageId, pageOf, texts, time } from './parts.ts';

const summary = {
  id: eventId,
  source: z.string(),
  type: z
    .string()
    .nullable()
    .meta({ description: "What happened, by the provider's name; null if it has none." }),
  state: z.enum(EVENT_STATES).meta({
    description:
      '`unmatched`: no route matched. `failed`: a route could not be rendered; the others were sent.',
  }),
  reason: z.string().optional().meta({
    description: 'Why a route, or the key for duplicates, could not be rendered; `hidden` for a viewer.',
  }),
  received_at: time,
  dedupe_key: z
    .string()
    .optional()
    .meta({ description: 'A second event with this key is a duplicate; `hidden` for a viewer.' }),
  duplicates: count.meta({ description: 'How often it came again.' }),
  config_version: configVersion.meta({ description: 'The version of the configuration that rendered it.' }),
  stored: z.boolean().meta({
    description: '`false`: payload, headers and query are not kept, so that it cannot be replayed.',
  }),
  replay_of: eventId.optional().meta({ description: 'The event that this one renders again.' }),
  replayed_by: z.string().optional().meta({ description: 'Who asked for the replay.' }),
};

export const eventSummary = z
  .object(summary)
  .meta({ id: 'EventSummary', description: 'One verified webhook, without its content.' });

const searched = z
  .object({
    events: count.meta({ description: 'How many payloads were read for this page.' }),
    bytes: count.meta({ description: 'How large they are together.' }),
    back_to: time.nullable().meta({
      description: 'All that was received since then was looked at; null: all that is kept.',
    }),
    complete: z.boolean().meta({ description: '`false`: `next_cursor` goes on looking.' }),
  })
  .meta({ id: 'Searched', description: 'How far a search of payloads looked.' });

const page = pageOf(eventSummary, 'EventPage', 'Events, newest first.');

export const eventPage = z
  .object({ ...page.shape, searched: searched.optional().meta({ description: 'Absent without `text`.' }) })
  .meta({ id: 'EventPage', description: 'Events, newest first.' });

export const event = z
  .object({
    ...summary,
    payload: z.unknown().meta({ description: 'The parsed body; null for a viewer, as headers and query.' }),
    headers: texts.nullable().meta({ description: 'By lower-case name, without credentials.' }),
    query: texts.nullable(),
    messages: z.array(message),
    items: z.array(item).optional().meta({
      description:
        'Its items and their outcomes, where receivers are notified when that is due; absent: there are none.',
    }),
    messages_left_out: z.int().min(1).max(1_000).optional().meta({
      description:
        'How many more messages it has than one answer carries (4,000,000 characters); `GET /messages?event=…` lists them all.',
    }),
  })
  .meta({ id: 'Event', description: 'One verified webhook, with its content and messages.' });

const some = count.optional();

const skipped = z.object({
  is_replay: some.meta({ description: 'It is a replay itself.' }),
  payload_not_kept: some.meta({ description: 'There is nothing to render.' }),
  source_gone: some.meta({ description: 'Its source is no longer configured.' }),
  unknown_route: some.meta({ description: 'Its source has not all of `routes`.' }),
  nothing_failed: some.meta({ description: '`only` leaves nothing of it.' }),
  too_many_messages: some.meta({ description: 'It cannot be said which of its messages failed.' }),
  too_large: some.meta({ description: 'Its payload does not fit any more.' }),
} satisfies Record<SkipReason, z.ZodType>);

export const replayedMany = z
  .object({
    replayed: count.meta({ description: 'How many events were replayed, or would be.' }),
    messages: count.meta({
      description: 'How many messages that made. 0 in a dry run, which renders nothing.',
    }),
    skipped: skipped.meta({ description: 'How many were not replayed, by reason.' }),
    looked_at: count.meta({ description: 'How many events matched the filters, of this step.' }),
    events: z
      .array(z.object({ event: eventId, replay_of: eventId }))
      .meta({ description: 'The new events, and those that they replay.' }),
    next_cursor: z.string().nullable().meta({
      description: 'Where the next call continues, as its `cursor`; null: all were looked at.',
    }),
  })
  .meta({ id: 'ReplayedMany', description: 'What one step of a replay of many did.' });

export const replayed = z
  .object({
    event: eventId,
    replay_of: eventId,
    messages: z.array(messageId),
    waiting: count.optional().meta({
      description: 'How many items wait for a notification, counted for each receiver; absent: none.',
    }),
  })
  .meta({ id: 'Replayed', description: 'The new event that a replay made, and its messages.' });
