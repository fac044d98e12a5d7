import * as z from 'zod';
import { METRICS } from '../outbox/counters/counters.ts';
import { component, asJson, count, time, type AnswerOf, optional } from '../schema/api-parts.ts';

const counts = z
  .record(z.string(), z.int().min(0))
  .meta(asJson({ type: 'object', additionalProperties: { type: 'integer', minimum: 0 } }));

const seconds = z.number().min(0);

const sourceStats = component('SourceStats', 'The counters of one source.', {
  account: z.string(),
  events: counts
    .nullable()
    .describe(
      'Events by their states; null, like `duplicates`, when the account could not be read just now.',
    ),
  duplicates: count.nullable(),
  rejections: counts.nullable().describe('Rejected webhooks, by reason.'),
  last_event_at: time.nullable(),
  heartbeat: optional(
    z.object({ expected: z.string(), overdue: z.boolean() }),
    '`overdue`: true if it has been silent for longer than `expected`. Absent without a `heartbeat`.',
  ),
});

const accountStats = component('AccountStats', 'The counters of one account.', {
  messages: counts.describe('The number of times that messages reached each state.'),
  attempts: counts.describe('Calls to the gateway by their outcomes.'),
  queue: counts.describe('The number of messages in each state now.'),
  oldest_waiting_seconds: seconds,
  latency_seconds: z
    .object({ median: seconds, p95: seconds })
    .nullable()
    .describe("From the webhook to the gateway's acceptance; null: nothing was sent yet."),
});

/** Null: the account could not be read now. `last_event_at` also: the source never sent anything. */
export type SourceStats = AnswerOf<typeof sourceStats>;
export type AccountStats = AnswerOf<typeof accountStats>;

export const stats = component('Stats', 'All counters since the relay was deployed, by source and account.', {
  sources: z.record(z.string(), sourceStats),
  accounts: z.record(z.string(), accountStats.nullable()).describe('Null: it could not be read.'),
});

export const series = component('Series', 'Counters by time.', {
  metric: z.enum(METRICS),
  from: time.describe('The start of the first step.'),
  to: time.describe('The end of the last step.'),
  step_seconds: z.int().min(300).max(86_400),
  points: z
    .array(z.object({ at: time, value: count }))
    .describe('Every step with its start; 0 where nothing was counted.'),
  complete_from: time.describe('Steps from this time on are complete. Earlier ones may lack counts.'),
});

export type Stats = AnswerOf<typeof stats>;
