import * as z from 'zod';
import { INCIDENT_STATES, ITEM_WAIT_REASONS, OUTCOMES } from '../schema/states.ts';
import { silenceOf } from '../config/documents/alerting-schema.ts';
import { messageState } from './api-message.ts';
import {
  count,
  eventId,
  incidentId,
  messageId,
  pageOf,
  time,
  type AnswerOf,
  component,
  optional,
  oneOf,
  textOrNull,
  text,
  flag,
} from '../schema/api-parts.ts';

const some = z.int().min(1).max(1_000_000_000).optional();
const counts = z.object({
  notified: some,
  summarized: some,
  resolved: some,
  silenced: some,
  inhibited: some,
  expired: some,
  waiting: some,
});

const notification = component(
  'Notification',
  'A message that notified a receiver of an incident: the gateway has accepted it.',
  {
    message: messageId,
    items: count.describe(
      'The number of items that it covers or summarizes; 0: it only repeats that the incident is open.',
    ),
    state: optional(messageState, 'Absent, with its times, if the message was deleted since.'),
    created_at: time.optional(),
    sent_at: time.optional(),
  },
);

const waits = component('ItemWaits', 'The reason why an item waits.', {
  for: oneOf(
    ITEM_WAIT_REASONS,
    '`group`: `wait` or `interval` of its group has not passed. `quiet`: quiet hours. `throttle`: the throttle of its route is used up. `turn`: a message about it, or an earlier message, waits to be sent.',
  ),
  until: optional(time, 'The earliest time of its notification, unless something changes; absent: unknown.'),
});

export type ItemWait = AnswerOf<typeof waits>;

const receiver = component('IncidentReceiver', 'The state of an incident for one receiver.', {
  phone: textOrNull(
    'The receiver: a number in digits, or an address. Masked for a viewer; null for a status.',
  ),
  state: oneOf(
    ['waiting', 'held', 'notified', 'done'],
    '`waiting` for a notification, which may be on its way. `held` back by a silence or another incident. `notified` that it is open: the gateway has accepted the message. `done`: nothing is left to say.',
  ),
  waits: optional(waits, 'While it is `waiting`.'),
  message: optional(messageId, 'The last notification that was sent since it opened.'),
  notified_at: optional(time, 'The time when it was sent.'),
  silence: text(
    'The silence that holds it back. In the response for a single incident: the silence that matches it now.',
  ).optional(),
  inhibited_by: optional(incidentId, 'The open incident that holds it back.'),
  items: counts.describe('The number of its items by outcome, over all its openings.'),
  notifications: optional(
    z.array(notification),
    'The last 20, oldest first. Only in the response for a single incident.',
  ),
});

const step = component('IncidentStep', 'A step of `escalate`, which notifies further receivers.', {
  at: time.describe('The time at which it was taken, or will be.'),
  step: z.int().min(1).max(5).describe('Its place among the steps of the route.'),
  to: z
    .array(z.string())
    .describe('Its receivers: names of recipients lists, and numbers, which are masked for a viewer.'),
});

export const incident = component(
  'Incident',
  'One problem over time: opened by a firing item, resolved by another.',
  {
    id: incidentId,
    account: z.string(),
    source: z.string(),
    route: z.string(),
    key: text(
      'The value that identifies the problem; unique in the route. `hidden` for a viewer, who sees another id.',
    ),
    title: optional(
      z.string().max(120),
      'Its title in lists, from its item: the source’s `subject`, or the alert’s name or summary; `hidden` for a viewer. Absent: its item has none, or its source keeps no payloads.',
    ),
    summary: optional(
      z.string().max(300),
      'What its item says in a sentence besides its title, such as the summary or the description of an alert; `hidden` for a viewer. Absent: it has none, or its source keeps no payloads.',
    ),
    severity: optional(
      z.string().max(24),
      'Its severity, in the sender’s words; `hidden` for a viewer. Absent: the sender gives none.',
    ),
    critical: flag(
      'True if its sender calls it critical, with a severity such as `critical`, `page` or `P1`, or if its route has `priority: high`.',
    ),
    state: oneOf(
      INCIDENT_STATES,
      '`open`: it has not resolved for every receiver. `acknowledged`: open, and a person works on it. `resolved`: the problem is over. `expired`: nothing was heard of it for too long. `unwatched`: its route or source is gone, or all its receivers have left. Nobody knows whether an `expired` or `unwatched` one is over.',
    ),
    started_at: time.describe(
      'The time when the problem began: its sender’s (`incident.at`), or that of its first item.',
    ),
    acknowledged_at: time.optional(),
    acknowledged_by: text('The person who acknowledged it; `hidden` for a viewer.').optional(),
    resolved_at: optional(time, 'The time when it ended: its sender’s, or that of the item or the person.'),
    lost_at: optional(time, 'The time when it expired, or was no longer watched.'),
    resolved_by: text(
      'The person who resolved it by hand; `hidden` for a viewer. Absent: an item did.',
    ).optional(),
    heard_at: time.describe('The time of its last item.'),
    occurrences: count.describe('The number of times that it has fired since it opened.'),
    flapping: flag('True if it opens and resolves too often to notify each time.'),
    event: eventId.describe('The event of its newest item.'),
    silence_by: optional(
      z.array(silenceOf),
      'What can be silenced for it, as `of` of `POST /silences`, narrowest first: it alone, its group, its source. Only in the response for a single incident.',
    ),
    links: optional(
      z.record(z.string(), z.string()).nullable(),
      'Up to 10 addresses of web pages in its newest item, by their paths, such as `annotations.runbook_url`; null for a viewer. Only in the response for a single incident.',
    ),
    steps: optional(
      z.array(step),
      'The steps that were taken since it opened, oldest first. Only in the response for a single incident.',
    ),
    next: optional(
      step.nullable(),
      'The step that will be taken unless something changes; null: there is none, or the incident is acknowledged, held back or resolved. Only in the response for a single incident.',
    ),
    receivers: z
      .array(receiver)
      .describe(
        'At most 100 in a list of incidents, and at most 1,000 in the response for a single incident.',
      ),
  },
);

export type IncidentAnswer = AnswerOf<typeof incident>;
export type IncidentReceiver = AnswerOf<typeof receiver>;
export type IncidentNotification = AnswerOf<typeof notification>;

export const changedMany = z
  .object({
    changed: count.describe('The number of incidents that were or would be changed.'),
    left: z
      .array(
        z.object({
          incident: z.string(),
          why: oneOf(
            ['not_open', 'unknown'],
            '`not_open`: it is over. `unknown`: there is none, or it was deleted since.',
          ),
        }),
      )
      .describe('Those that were not changed.'),
    next_cursor: textOrNull('The `cursor` of the next call; null: done.'),
  })
  .meta({ id: 'ChangedIncidents' });

export const incidentPage = pageOf(
  incident,
  'IncidentPage',
  'Incidents: open ones first, of these the most severe first, then the newest. A page may be shorter than `limit` before the last one.',
);

const openOfSource = component('OpenIncidents', 'The open incidents of a source.', {
  source: z.string(),
  open: count.describe('All open incidents: the sum of the next four.'),
  unattended: count.describe('Neither acknowledged nor held back.'),
  acknowledged: count,
  silenced: count,
  inhibited: count,
  critical: count.describe(
    'Of the unattended ones: critical by the sender’s severity, or on a route with `priority: high`.',
  ),
  fired_at: time.nullable().describe('The time of the last item of an unattended one; null: there is none.'),
  worst: incident.nullable().describe('The most severe unattended incident; of several, the newest.'),
});

export type OpenIncidentsAnswer = AnswerOf<typeof openOfSource>;

export const openPage = pageOf(
  openOfSource,
  'OpenIncidentsPage',
  'Sources with open incidents; those with critical ones come first.',
);

export const item = component('Item', 'An item of an event, and its outcome for one receiver.', {
  route: z.string(),
  index: z.int().min(1).max(100_000).describe('Its place in the event, from 1.'),
  phone: text('Its receiver, masked for a viewer; absent for a status.').optional(),
  key: optional(z.string(), 'The key of its incident, `hidden` for a viewer; absent: it belongs to none.'),
  outcome: oneOf(
    OUTCOMES,
    '`notified` or `summarized` in `message`, which was sent; `resolved` before the receiver was notified; `silenced` by `silence`; `inhibited` by the open `incident`; `expired`: nothing was heard of its incident for too long, or, without an incident, nothing could be sent to its receiver for a week; `outdated`: it came late, after something newer about its incident, or says who has an incident that is not open; `waiting` for a notification.',
  ),
  waits: optional(waits, 'While it is `waiting`.'),
  message: messageId.optional(),
  silence: z.string().optional(),
  incident: optional(incidentId, 'Its incident; for an inhibited item, the incident that was open.'),
});

export type ItemView = AnswerOf<typeof item>;
