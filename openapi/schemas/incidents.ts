import * as z from 'zod';
import { ITEM_WAIT_REASONS } from '../../src/outbox/state/states.ts';
import { messageState } from './messages.ts';
import { count, eventId, incidentId, messageId, pageOf, time } from './parts.ts';

const FATES = ['told', 'counted', 'resolved', 'silenced', 'inhibited', 'expired', 'waiting'] as const;

const some = z.int().min(1).max(1_000_000_000).optional();
const counts = z.object({
  told: some,
  counted: some,
  resolved: some,
  silenced: some,
  inhibited: some,
  expired: some,
  waiting: some,
});

const told = z
  .object({
    message: messageId,
    items: count.meta({
      description: 'How many items it tells or counts; 0: it only says again that it burns.',
    }),
    state: messageState.optional().meta({ description: 'Absent, as the times, when it was deleted since.' }),
    created_at: time.optional(),
    sent_at: time.optional(),
  })
  .meta({ id: 'Told', description: 'A message that told an incident to a receiver.' });

const waits = z
  .object({
    for: z.enum(ITEM_WAIT_REASONS).meta({
      description:
        '`group`: what comes next is told with it, or the last message is not long ago. `quiet`: quiet hours. `throttle`: of its route. `turn`: what is told before it.',
    }),
    until: time.optional().meta({
      description: 'It is not told before this, unless something changes; absent: nobody knows.',
    }),
  })
  .meta({ id: 'ItemWaits', description: 'What an item waits for that is not told yet.' });

const receiver = z
  .object({
    phone: z
      .string()
      .nullable()
      .meta({ description: "The gateway's digits, masked for a viewer; null for a status." }),
    state: z.enum(['waiting', 'held', 'told', 'done']).meta({
      description:
        '`waiting`: something is still to be told. `held` back by a silence or another incident. `told`: the receiver knows that it is open. `done`: nothing is left to tell.',
    }),
    waits: waits.optional().meta({ description: 'While it is `waiting`.' }),
    message: messageId.optional().meta({ description: 'The message that told it last, since it opened.' }),
    told_at: time.optional().meta({ description: 'When that was made.' }),
    silence: z.string().optional().meta({ description: 'The silence that holds it back.' }),
    inhibited_by: incidentId.optional().meta({ description: 'The open incident that holds it back.' }),
    items: counts.meta({ description: 'How many of its items have which fate, over all its openings.' }),
    told: z.array(told).optional().meta({
      description: 'Oldest first; only of one incident by itself, and of the last 20 tellings.',
    }),
  })
  .meta({ id: 'IncidentReceiver', description: 'An incident as one receiver knows it.' });

export const incident = z
  .object({
    id: incidentId,
    account: z.string(),
    source: z.string(),
    route: z.string(),
    key: z.string().meta({
      description:
        'What makes it one problem; unique in the route. `hidden` for a viewer, who has another id of it.',
    }),
    state: z.enum(['open', 'closed']).meta({ description: '`open`: it has not ended for some receiver.' }),
    opened_at: time,
    ended_at: time.optional(),
    heard_at: time.meta({ description: 'When its last item came.' }),
    times: count.meta({ description: 'How often it fired since it opened.' }),
    flapping: z.boolean().meta({ description: 'Whether it opens and ends too often to be told each time.' }),
    event: eventId.meta({ description: 'The event of its newest item.' }),
    receivers: z.array(receiver).meta({
      description: 'In a list at most 100 of each of its objects, by itself at most 1,000.',
    }),
  })
  .meta({ id: 'Incident', description: 'One problem: opened by an item, ended by one, told in between.' });

export const incidentPage = pageOf(
  incident,
  'IncidentPage',
  'Incidents: open ones first, the newest first. A page may be shorter than `limit` before the last one.',
);

export const item = z
  .object({
    route: z.string(),
    index: z.int().min(1).max(100_000).meta({ description: 'Its place in the event, from 1.' }),
    phone: z
      .string()
      .optional()
      .meta({ description: 'Its receiver, masked for a viewer; absent for a status.' }),
    key: z
      .string()
      .optional()
      .meta({ description: 'The key of its incident, `hidden` for a viewer; absent: it belongs to none.' }),
    fate: z.enum(FATES).meta({
      description:
        '`told` or `counted` in `message`; `resolved` before it was told; `silenced` by `silence`; `inhibited` by the open `incident`; `expired`: nothing was heard of its incident for too long; `waiting`: still to be told.',
    }),
    waits: waits.optional().meta({ description: 'While it is `waiting`.' }),
    message: messageId.optional(),
    silence: z.string().optional(),
    incident: incidentId.optional().meta({
      description: 'Its incident; of an inhibited one, the incident that was open.',
    }),
  })
  .meta({ id: 'Item', description: 'What became of an item of an event, for one receiver.' });
