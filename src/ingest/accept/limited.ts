import type { Source } from '../../config/compiled/config.ts';
import { problemResponse } from '../../lib/problem.ts';
import type { Refusal } from '../../outbox/state/acceptance.ts';
import { tooManyWebhooks } from './accept.ts';
import { LimitMemory } from './limit-memory.ts';
import { countFlood, type FloodContext } from '../request/reject.ts';
import { iso } from '../../lib/time.ts';

/** Keyed by the namespace, so that two deployments in one process (tests) share nothing. */
const memories = new WeakMap<KVNamespace, LimitMemory>();

const memoryOf = ({ CONFIG }: Env): LimitMemory => {
  const known = memories.get(CONFIG) ?? new LimitMemory();
  memories.set(CONFIG, known);
  return known;
};

/**
 * Refuses a webhook if this isolate knows that its source is over its limit; null if it does not know, so the webhook
 * goes on.
 */
export function refuseKnown(
  source: Source,
  bytes: number,
  context: FloodContext,
  now: number,
): Response | null {
  if (source.limit === null) return null;
  const waitMs = memoryOf(context.env).waitMs(source, bytes, now);
  return waitMs === null ? null : refuse(source, waitMs, context, now);
}

/** Refuses a webhook that the outbox refused, and remembers that. `now`: when it came in. */
export function refuseLimited(
  source: Source,
  bytes: number,
  refusal: Refusal,
  context: FloodContext,
  now: number,
): Response {
  memoryOf(context.env).remember(source, bytes, refusal, Date.now());
  return refuse(source, refusal.waitMs, context, now);
}

function refuse(source: Source, waitMs: number, context: FloodContext, now: number): Response {
  count(source, context, now);
  return problemResponse(tooManyWebhooks(waitMs));
}

function count({ id, limit }: Source, context: FloodContext, now: number): void {
  const detail = limit === null ? '' : describeLimit(limit);
  countFlood({ at: iso(now), source: id, status: 429, code: 'limited', detail }, context, now);
}

function describeLimit(limit: NonNullable<Source['limit']>): string {
  const { perMinute, burst, bytesPerHour, messagesPerMinute } = limit;
  const atOnce = burst === perMinute ? '' : ` (${burst} at once)`;
  const parts = [
    `${perMinute} webhooks a minute${atOnce}`,
    ...(messagesPerMinute === null ? [] : [`${messagesPerMinute} messages a minute`]),
    ...(bytesPerHour === null ? [] : [`${bytesPerHour / 1_048_576} MiB an hour`]),
  ];
  return `over the source's limit: ${parts.join(', ')}`;
}
