import * as z from 'zod';
import { METRICS } from './series.ts';
import { asJson, count, time, type AnswerOf } from '../schema/api-parts.ts';

const counts = z
  .record(z.string(), z.int().min(0))
  .meta(asJson({ type: 'object', additionalProperties: { type: 'integer', minimum: 0 } }));

const seconds = z.number().min(0);

const sourceStats = z
  .object({
    account: z.string(),
    events: counts.nullable().meta({
      description:
        'Events by their states; null, like `duplicates`, when the account could not be read just now.',
    }),
    duplicates: count.nullable(),
    rejections: counts.nullable().meta({ description: 'Rejected webhooks, by reason.' }),
    last_event_at: time.nullable(),
    heartbeat: z.object({ expected: z.string(), overdue: z.boolean() }).optional().meta({
      description:
        '`overdue`: true if it has been silent for longer than `expected`. Absent without a `heartbeat`.',
    }),
  })
  .meta({ id: 'SourceStats', description: 'The counters of one source.' });

const accountStats = z
  .object({
    messages: counts.meta({ description: 'The number of times that messages reached each state.' }),
    attempts: counts.meta({ description: 'Calls to the gateway by their outcomes.' }),
    queue: counts.meta({ description: 'The number of messages in each state now.' }),
    oldest_waiting_seconds: seconds,
    latency_seconds: z.object({ median: seconds, p95: seconds }).nullable().meta({
      description: "From the webhook to the gateway's acceptance; null: nothing was sent yet.",
    }),
  })
  .meta({ id: 'AccountStats', description: 'The counters of one account.' });

/** Null: the account could not be read now. `last_event_at` also: the source never sent anything. */
export type SourceStats = AnswerOf<typeof sourceStats>;
export type HeartbeatState = NonNullable<SourceStats['heartbeat']>;
export type AccountStats = AnswerOf<typeof accountStats>;

export const stats = z
  .object({
    sources: z.record(z.string(), sourceStats),
    accounts: z.record(z.string(), accountStats.nullable()).meta({
      description: 'Null: it could not be read.',
    }),
  })
  .meta({
    id: 'Stats',
    description: 'All counters since the relay was deployed, by source and account.',
  });

export const series = z
  .object({
    metric: z.enum(METRICS),
    from: time.meta({ description: 'The start of the first step.' }),
    to: time.meta({ description: 'The end of the last step.' }),
    step_seconds: z.int().min(300).max(86_400),
    points: z
      .array(z.object({ at: time, value: count }))
      .meta({ description: 'Every step with its start; 0 where nothing was counted.' }),
    complete_from: time.meta({
      description: 'Steps from this time on are complete. Earlier ones may lack counts.',
    }),
  })
  .meta({ id: 'Series', description: 'Counters by time.' });

export type Stats = AnswerOf<typeof stats>;
