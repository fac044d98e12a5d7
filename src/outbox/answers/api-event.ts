import * as z from 'zod';
import {
  configVersion,
  count,
  eventId,
  fieldCode,
  pageOf,
  texts,
  time,
  type AnswerOf,
} from '../../schema/api-parts.ts';
import { EVENT_STATES } from '../state/states.ts';
import { item } from './api-incident.ts';
import { message } from './api-message.ts';

const reason = z
  .object({
    code: fieldCode,
    params: texts.optional().describe('The values, each `hidden` for a viewer.'),
    message: z.string().describe('The reason as a sentence; `hidden` for a viewer.'),
    route: z.string().optional(),
    element: count.optional().describe('The element of its `each`, from 1.'),
    parameter: z.string().optional().describe('The key of the route that failed.'),
    expression: z.string().optional().describe('The beginning of its text; `hidden` for a viewer.'),
  })
  .meta({
    id: 'EventReason',
    description: 'What a route, or the source, left out of an event or failed at.',
  });

const summary = {
  id: eventId,
  source: z.string(),
  type: z.string().nullable().describe("The provider's name for what happened; null if it has none."),
  subject: z.string().max(120).optional().meta({
    description:
      'The line that describes it in lists, from `subject` of its source or its provider; `hidden` for a viewer. Absent: it has none.',
  }),
  locale: z.string().optional().meta({
    description: 'Its language, as a BCP 47 tag; absent: the `locale` of its source is the same for all.',
  }),
  state: z.enum(EVENT_STATES).meta({
    description:
      '`unmatched`: no route made a message or an item. `failed`: nothing could be rendered. `partly_failed`: some routes could not be rendered.',
  }),
  reason: z.string().optional().meta({
    description: 'Its `reasons` as lines, each with its place; `hidden` for a viewer.',
  }),
  reasons: z.array(reason).optional().meta({
    description: 'Why it made less than its routes ask for, or something else. Absent: it did not.',
  }),
  received_at: time,
  dedupe_key: z
    .string()
    .optional()
    .describe('A second event with this key is a duplicate; `hidden` for a viewer.'),
  duplicates: count.describe('The number of duplicates.'),
  config_version: configVersion.describe('The version of the configuration that rendered it.'),
  stored: z
    .boolean()
    .describe('`false`: payload, headers and query are not stored, so it cannot be replayed.'),
  replay_of: eventId.optional().describe('The event that this one renders again.'),
  replayed_by: z.string().optional().describe('The person who asked for the replay.'),
};

const counts = z
  .object({
    sent: count.describe('Receivers who got a message, or were notified by a shared one.'),
    failed: count.describe('Receivers whose message was given up or has expired.'),
    waiting: count.describe('Receivers whose message or notification is still to come.'),
  })
  .optional()
  .describe('Absent: the page has too many messages to count.');

export const eventSummary = z
  .object({ ...summary, counts })
  .meta({ id: 'EventSummary', description: 'One verified webhook, without its content.' });

/** An event in a list: without its payload and messages, which may be large. */
export type EventSummary = AnswerOf<typeof eventSummary>;
export type EventCounts = NonNullable<EventSummary['counts']>;

const searched = z
  .object({
    events: count.describe('The number of payloads read for this page.'),
    bytes: count.describe('Their total size.'),
    back_to: time
      .nullable()
      .describe('The search covers all events since this time; null: all stored events.'),
    complete: z.boolean().describe('`false`: continue with `next_cursor`.'),
  })
  .meta({ id: 'Searched', description: 'The range that a search of payloads covered.' });

const page = pageOf(eventSummary, 'EventPage', 'Events, newest first.');

export type Searched = AnswerOf<typeof searched>;

export const eventPage = z
  .object({ ...page.shape, searched: searched.optional().describe('Absent without `text`.') })
  .meta({ id: 'EventPage', description: 'Events, newest first.' });

export const event = z
  .object({
    ...summary,
    payload: z.unknown().describe('The parsed body; null for a viewer, like headers and query.'),
    headers: texts.nullable().describe('Headers by lower-case name, without credentials.'),
    query: texts.nullable(),
    messages: z.array(message),
    items: z.array(item).optional().meta({
      description: 'Its items that make notifications, with their outcomes; absent: there are none.',
    }),
    messages_left_out: z.int().min(1).max(1_000).optional().meta({
      description:
        'The number of its messages that do not fit into one answer (4,000,000 characters); `GET /messages?event=…` lists them all.',
    }),
  })
  .meta({ id: 'Event', description: 'One verified webhook, with its content and messages.' });
