import type { Source } from '../../config/config.ts';
import { registry } from '../../config/registry-client.ts';
import type { LimitedEntry } from '../../registry/rejections.ts';
import type { RejectionEntry } from '../../registry/rejection-entry.ts';
import { describeError, log } from '../../lib/log.ts';
import { problemResponse } from '../../lib/problem.ts';
import type { Refusal } from '../../outbox/state/acceptance.ts';
import { tooManyWebhooks } from './not-accepted.ts';
import { LimitMemory } from './limit-memory.ts';
import type { Waiter } from '../request/reject.ts';
import { iso } from '../../lib/iso.ts';

/** The parts of the request that a refusal needs. */
interface LimitedHost {
  readonly env: Env;
  readonly ctx: Waiter;
}

/** A flood is reported to the registry as a sum, at most this often (ms). */
const REPORTED_EACH_MS = 2_000;

const LEASE_MS = 2 * REPORTED_EACH_MS;

/** Keyed by the namespace, so that two deployments in one process (tests) share nothing. */
const memories = new WeakMap<KVNamespace, LimitMemory>();

const memoryOf = ({ CONFIG }: Env): LimitMemory => {
  const known = memories.get(CONFIG) ?? new LimitMemory();
  memories.set(CONFIG, known);
  return known;
};

/** Refuses a webhook when this isolate knows that its source is over its limit; null: not known, go on. */
export function refuseKnown(source: Source, bytes: number, host: LimitedHost, now: number): Response | null {
  if (source.limit === null) return null;
  const waitMs = memoryOf(host.env).waitMs(source, bytes, now);
  return waitMs === null ? null : refuse(source, waitMs, host, now);
}

/** Refuses a webhook that the outbox refused, and remembers that. `now`: when it came in. */
export function refuseLimited(
  source: Source,
  bytes: number,
  refusal: Refusal,
  host: LimitedHost,
  now: number,
): Response {
  memoryOf(host.env).remember(source, bytes, refusal, Date.now());
  return refuse(source, refusal.waitMs, host, now);
}

function refuse(source: Source, waitMs: number, host: LimitedHost, now: number): Response {
  count(source, host, now);
  return problemResponse(tooManyWebhooks(waitMs));
}

/** The refusals since the last report to the registry, by source and reason. */
const unreported = new Map<string, LimitedEntry>();
/** Until when (ms) a request reports them to the registry. It is a time since a request may be cut off. */
let reportedUntil = 0;

function count({ id, limit }: Source, host: LimitedHost, now: number): void {
  const detail = limit === null ? '' : describeLimit(limit);
  countFlood({ at: iso(now), source: id, status: 429, reason: 'limited', detail }, host, now);
}

/** Counts a rejection of a flood. The first is reported at once, so that it is seen; the rest is summed. */
export function countFlood(entry: RejectionEntry, { env, ctx }: LimitedHost, now: number): void {
  const key = `${entry.source} ${entry.reason}`;
  unreported.set(key, { ...entry, times: (unreported.get(key)?.times ?? 0) + 1 });
  if (now < reportedUntil) return;
  reportedUntil = now + LEASE_MS;
  ctx.waitUntil(reportInTurns(env));
}

/** Reports what there is, waits, and reports what came since; ends when nothing did. */
async function reportInTurns(env: Env): Promise<void> {
  const reports = registry(env);
  try {
    for (let rounds = 0; unreported.size > 0 && rounds < MAX_ROUNDS; rounds += 1) {
      const entries = [...unreported.values()];
      unreported.clear();
      reportedUntil = Date.now() + LEASE_MS;
      for (const { source, times } of entries) log('warn', 'event.limited', { source, refused: times });
      await reports.recordLimited(entries);
      await scheduler.wait(REPORTED_EACH_MS);
    }
  } catch (thrown) {
    log('error', 'rejection.record.failed', { error: describeError(thrown) });
  } finally {
    reportedUntil = 0;
  }
}

/** The platform lets work go on for 30 seconds after the answer; the next refusal starts again. */
const MAX_ROUNDS = 8;

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
