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
  component,
  optional,
  text,
  textOrNull,
  oneOf,
  flag,
} from '../schema/api-parts.ts';
import { EVENT_STATES } from '../schema/states.ts';
import { item } from './api-incident.ts';
import { message } from './api-message.ts';

const reason = component('EventReason', 'What a route, or the source, left out of an event or failed at.', {
  code: fieldCode,
  params: optional(texts, 'The values, each `hidden` for a viewer.'),
  message: text('The reason as a sentence; `hidden` for a viewer.'),
  route: z.string().optional(),
  element: optional(count, 'The element of its `each`, from 1.'),
  parameter: text('The key of the route that failed.').optional(),
  expression: text('The beginning of its text; `hidden` for a viewer.').optional(),
});

const summary = {
  id: eventId,
  source: z.string(),
  type: textOrNull("The provider's name for what happened; null if it has none."),
  subject: optional(
    z.string().max(120),
    'The line that describes it in lists, from `subject` of its source or its provider; `hidden` for a viewer. Absent: it has none.',
  ),
  locale: text(
    'Its language, as a BCP 47 tag; absent: the `locale` of its source is the same for all.',
  ).optional(),
  state: oneOf(
    EVENT_STATES,
    '`unmatched`: no route made a message or an item. `failed`: nothing could be rendered. `partly_failed`: some routes could not be rendered.',
  ),
  reason: text('Its `reasons` as lines, each with its place; `hidden` for a viewer.').optional(),
  reasons: optional(
    z.array(reason),
    'Why it made less than its routes ask for, or something else. Absent: it did not.',
  ),
  received_at: time,
  dedupe_key: optional(z.string(), 'A second event with this key is a duplicate; `hidden` for a viewer.'),
  duplicates: count.describe('The number of duplicates.'),
  config_version: configVersion.describe('The version of the configuration that rendered it.'),
  stored: z
    .boolean()
    .describe('`false`: payload, headers and query are not stored, so it cannot be replayed.'),
  replay_of: optional(eventId, 'The event that this one renders again.'),
  replayed_by: text('The person who asked for the replay.').optional(),
};

const counts = optional(
  z.object({
    sent: count.describe('Receivers who got a message, or were notified by a shared one.'),
    failed: count.describe('Receivers whose message was given up or has expired.'),
    waiting: count.describe('Receivers whose message or notification is still to come.'),
  }),
  'Absent: the page has too many messages to count.',
);

export const eventSummary = component('EventSummary', 'One verified webhook, without its content.', {
  ...summary,
  counts,
});

/** An event in a list: without its payload and messages, which may be large. */
export type EventSummary = AnswerOf<typeof eventSummary>;
export type EventCounts = NonNullable<EventSummary['counts']>;

const searched = component('Searched', 'The range that a search of payloads covered.', {
  events: count.describe('The number of payloads read for this page.'),
  bytes: count.describe('Their total size.'),
  back_to: time.nullable().describe('The search covers all events since this time; null: all stored events.'),
  complete: flag('`false`: continue with `next_cursor`.'),
});

const page = pageOf(eventSummary, 'EventPage', 'Events, newest first.');

export type Searched = AnswerOf<typeof searched>;

export const eventPage = component('EventPage', 'Events, newest first.', {
  ...page.shape,
  searched: optional(searched, 'Absent without `text`.'),
});

export const event = component('Event', 'One verified webhook, with its content and messages.', {
  ...summary,
  payload: z.unknown().describe('The parsed body; null for a viewer, like headers and query.'),
  headers: texts.nullable().describe('Headers by lower-case name, without credentials.'),
  query: texts.nullable(),
  messages: z.array(message),
  items: optional(
    z.array(item),
    'Its items that make notifications, with their outcomes; absent: there are none.',
  ),
  messages_left_out: optional(
    z.int().min(1).max(1_000),
    'The number of its messages that do not fit into one answer (4,000,000 characters); `GET /messages?event=…` lists them all.',
  ),
});

export type EventAnswer = AnswerOf<typeof event>;
