import type { Source } from '../../config/compiled/config.ts';
import { problemResponse } from '../../lib/problem.ts';
import type { Refusal } from '../../outbox/state/acceptance.ts';
import { tooManyWebhooks } from './accept.ts';
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

/** An outbox's answer for a source that is over its limit. */
interface Remembered {
  /** The limit, and the account whose outbox refused the webhook, as one text. */
  readonly of: string;
  /**
   * Webhooks of fewer bytes may still be accepted. So may webhooks of fewer messages, but only after all the work of
   * counting those.
   */
  readonly fromBytes: number;
  /** Somewhat later than the outbox meant, by the time that its answer took to arrive (ms). */
  readonly until: number;
}

/**
 * Remembers the sources that are over their limit, as far as this isolate knows. So a flood is refused before its
 * bodies are parsed, and without calling the outbox. Only the outbox decides: its last refusal of a source expires at
 * the time that it named, or when the source's limit or account changes.
 */
export class LimitMemory {
  readonly #bySource = new Map<string, Remembered>();

  /** The number of sources in memory. */
  get size(): number {
    return this.#bySource.size;
  }

  /** `now`: when the outbox answered (ms). */
  remember(source: Source, bytes: number, { by, waitMs }: Refusal, now: number): void {
    if (source.limit === null || by === 'storage' || by === 'load' || by === 'address') return;
    // A source that was removed is never looked up again.
    for (const [id, { until }] of this.#bySource) if (until <= now) this.#bySource.delete(id);
    const fromBytes = by === 'requests' ? 0 : bytes;
    this.#bySource.set(source.id, { of: textOf(source), fromBytes, until: now + waitMs });
  }

  /** Returns the time for which a webhook of this size is still refused (ms); null: ask the outbox. */
  waitMs(source: Source, bytes: number, now: number): number | null {
    const known = this.#bySource.get(source.id);
    if (known === undefined || bytes < known.fromBytes) return null;
    if (now < known.until && known.of === textOf(source)) return known.until - now;
    this.#bySource.delete(source.id);
    return null;
  }
}

const textOf = ({ account, limit }: Source): string => JSON.stringify([account, limit]);
