import * as z from 'zod';
import { METRICS } from '../../src/metrics/series.ts';
import { asJson, configVersion, count, eventId, messageId, time } from './parts.ts';
import { rejectionNumber } from './history.ts';
import { messageKind, messageState } from './messages.ts';

const check = z
  .object({
    id: z.string().meta({ description: 'Stays the same from call to call, such as `secret:STRIPE_SECRET`.' }),
    status: z.enum(['ok', 'warn', 'fail', 'unknown']).meta({
      description: '`unknown`: the check could not decide.',
    }),
    title: z.string().meta({ description: 'What was checked.' }),
    detail: z.string().meta({ description: 'The finding.' }),
    remedy: z.string().optional().meta({ description: 'How to fix it.' }),
  })
  .meta({ id: 'Check', description: 'The result of one check.' });

export const diagnosis = z
  .object({
    version: z.string().meta({ description: 'Of hookbell.' }),
    now: time.meta({ description: 'By the clock of the relay.' }),
    checks: z.array(check).meta({ description: 'In the order in which a person would fix them.' }),
  })
  .meta({ id: 'Diagnosis', description: 'What can be wrong with the deployment.' });

/** Counts by name. */
const counts = z
  .record(z.string(), z.int().min(0))
  .meta(asJson({ type: 'object', additionalProperties: { type: 'integer', minimum: 0 } }));

const seconds = z.number().min(0);

const sourceStats = z
  .object({
    account: z.string(),
    events: counts.nullable().meta({
      description:
        'Events by their states; null, as `duplicates`, when the account could not be read just now.',
    }),
    duplicates: count.nullable(),
    rejections: counts.nullable().meta({ description: 'Rejected webhooks, by reason.' }),
    last_event_at: time.nullable(),
    heartbeat: z
      .object({ expected: z.string(), overdue: z.boolean() })
      .optional()
      .meta({ description: 'Whether it has been silent for too long, if it says how long that is.' }),
  })
  .meta({ id: 'SourceStats', description: 'What was counted of one source.' });

const accountStats = z
  .object({
    messages: counts.meta({ description: 'How often messages reached each state.' }),
    attempts: counts.meta({ description: 'Calls of the gateway by their outcomes.' }),
    queue: counts.meta({ description: 'How many messages are in each state at this moment.' }),
    oldest_waiting_seconds: seconds,
    latency_seconds: z.object({ median: seconds, p95: seconds }).nullable().meta({
      description: "From the webhook to the gateway's acceptance; null: nothing was sent yet.",
    }),
  })
  .meta({ id: 'AccountStats', description: 'What was counted of one account.' });

export const many = z
  .object({
    items: z.array(
      z.object({
        path: z.string(),
        status: z.int().min(100).max(999).meta({ description: 'The status of its answer.' }),
        body: z.unknown().meta({ description: 'Its answer; null if that is no JSON.' }),
      }),
    ),
  })
  .meta({ id: 'Many', description: 'Answers of several requests.' });

export const stats = z
  .object({
    sources: z.record(z.string(), sourceStats),
    accounts: z.record(z.string(), accountStats.nullable()).meta({
      description: 'Null: it could not be read just now.',
    }),
  })
  .meta({
    id: 'Stats',
    description: 'What was counted since the relay was deployed, by source and account.',
  });

export const series = z
  .object({
    metric: z.enum(METRICS),
    from: time.meta({ description: 'When the first step begins.' }),
    to: time.meta({ description: 'When the last step ends.' }),
    step_seconds: z.int().min(300).max(86_400),
    points: z
      .array(z.object({ at: time, value: count }))
      .meta({ description: 'Every step, by when it begins; 0 where nothing was counted.' }),
    complete_from: time.meta({
      description: 'All steps from then on have all that was counted. Those before may have less.',
    }),
  })
  .meta({ id: 'Series', description: 'What was counted, by time.' });

const about = z
  .object({ form: z.enum(['group', 'digest']), new: count, resolved: count, firing: count })
  .meta({ id: 'AboutFrame', description: 'What a notification says, as numbers.' });

const why = z.string().optional().meta({
  description: 'Why it is in this state: 300 characters at most, with numbers masked; `hidden` for a viewer.',
});

/** A frame of the tail. */
export const frame = z
  .discriminatedUnion('type', [
    z
      .object({ type: z.literal('hello'), at: time, version: configVersion })
      .meta({ id: 'HelloFrame', description: 'The first one: from here on everything is shown.' }),
    z
      .object({
        type: z.literal('event'),
        at: time,
        event: eventId,
        source: z.string(),
        event_type: z.string().nullable(),
        state: z.string(),
        duplicate: z.boolean(),
        reason: why,
        waiting: count
          .optional()
          .meta({ description: 'How many items wait for a notification; absent: none.' }),
        account: z.string(),
      })
      .meta({ id: 'EventFrame', description: 'An event was accepted, or came again.' }),
    z
      .object({
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
        n: z.int().min(1).max(1_000_000).optional().meta({ description: "The attempt's number." }),
        reason: why,
        next_attempt_at: time.optional(),
        about: about.optional().meta({ description: 'What it says of incidents and items.' }),
        account: z.string(),
      })
      .meta({
        id: 'MessageFrame',
        description: 'A message reached a state; after an attempt with its outcome.',
      }),
    z
      .object({
        type: z.literal('rejection'),
        n: rejectionNumber,
        at: time,
        source: z.string(),
        status: z.int().min(400).max(599),
        reason: z.string(),
        detail: z.string(),
      })
      .meta({ id: 'RejectionFrame', description: 'A webhook was rejected.' }),
    z
      .object({ type: z.literal('dropped'), count })
      .meta({ id: 'DroppedFrame', description: 'How many further frames were not sent.' }),
  ])
  .meta({
    id: 'Frame',
    description: 'What happened, as ids, names and states: never a payload, a text or a receiver.',
  });
