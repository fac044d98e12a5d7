import type { SourceLimit } from '../../config/compiled/source-limit.ts';
import { eventIdFloor } from '../../lib/id.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import type { Quota, WebhookSize } from '../state/acceptance.ts';
import { factsOf, readFact, writeFact } from '../state/meta.ts';

/** The last hour's bytes are written each time they have grown by this, so a restart forgets less than this. */
const KEPT_EACH_BYTES = 1_048_576;

/** Events of the last minute that are read back at most when a source is first seen. */
const MAX_READ_BACK = 10_000;

const KIND = 'bytes';

const keyOf = (source: string): string => `${KIND}:${source}`;

interface OverLimit {
  readonly by: 'requests' | 'bytes' | 'messages';
  /** Until it would be accepted if nothing else came. */
  readonly waitMs: number;
}

/** What sources have used of their limits, in memory. A start reads back the last minute from the events. */
export class SourceLimits {
  readonly #sql: SqlStorage;
  readonly #bySource = new Map<string, Used>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  over(source: string, { limit, ...size }: Quota, now: number): OverLimit | null {
    return this.#used(source, limit, now).over(limit, size, now);
  }

  take(source: string, { limit, ...size }: Quota, now: number): void {
    const used = this.#used(source, limit, now);
    used.take(limit, size, now);
    if (used.unkeptBytes < KEPT_EACH_BYTES || limit.bytesPerHour === null) return;
    writeFact(this.#sql, keyOf(source), JSON.stringify(used.bytes.amounts(now)));
    used.unkeptBytes = 0;
  }

  /** Runs a transaction. If it throws, the counts are read again: some of them were never written. */
  within<Answer>(transaction: () => Answer): Answer {
    try {
      return transaction();
    } catch (thrown) {
      this.#bySource.clear();
      throw thrown;
    }
  }

  forgetSources(isConfigured: (source: string) => boolean): void {
    for (const source of factsOf(this.#sql, KIND).keys())
      if (!isConfigured(source)) writeFact(this.#sql, keyOf(source), null);
    for (const source of this.#bySource.keys()) if (!isConfigured(source)) this.#bySource.delete(source);
  }

  #used(source: string, limit: SourceLimit, now: number): Used {
    const known = this.#bySource.get(source);
    if (known !== undefined) return known;
    const used = new Used(parseOwnJson<Amounts>(readFact(this.#sql, keyOf(source)) ?? '[]'));
    const lastMinute = this.#sql
      .exec<{ at: number; messages: number }>(
        `SELECT received_at AS at, message_count + json_array_length(items) AS messages FROM (
           SELECT source, received_at, message_count, items, replay_of FROM events WHERE id >= ? ORDER BY id DESC LIMIT ${MAX_READ_BACK}
         ) WHERE source = ? AND replay_of IS NULL`,
        eventIdFloor(now - MINUTE),
        source,
      )
      .toArray();
    // The clock of the Worker that received them may be ahead.
    for (const { at, messages } of lastMinute.toReversed())
      used.take(limit, { bytes: 0, messages }, Math.min(at, now));
    this.#bySource.set(source, used);
    return used;
  }
}

/** In webhooks: a rounding error of a sum of fractions must not cost a millisecond's wait. */
const TOO_LITTLE = 1e-6;

/**
 * Each webhook brings the limit with it, so a publish takes effect at once, and publishing the same limit again resets
 * nothing. Requests have a bucket, which holds `burst` and drains `perMinute` a minute, and a window: in any minute there
 * are never more than `perMinute`, or `burst` where that is larger. Messages and bytes have a window alone.
 */
class Used {
  readonly bytes: Window;
  unkeptBytes = 0;
  readonly #requests = new Window(MINUTE);
  readonly #messages = new Window(MINUTE);
  /** The number of requests in the bucket, as of `#drainedAt`. */
  #level = 0;
  #drainedAt = 0;

  constructor(bytes: Amounts) {
    this.bytes = new Window(HOUR, bytes);
  }

  over(limit: SourceLimit, { bytes, messages }: WebhookSize, now: number): OverLimit | null {
    const { perMinute, burst, bytesPerHour, messagesPerMinute } = limit;
    this.#drain(perMinute, now);
    const surplus = this.#level + 1 - burst;
    const bucketMs = surplus < TOO_LITTLE ? 0 : Math.ceil((surplus * MINUTE) / perMinute);
    const requestsMs = Math.max(bucketMs, this.#requests.waitFor(1, Math.max(perMinute, burst), now));
    const bytesMs = this.bytes.waitFor(bytes, bytesPerHour, now);
    const messagesMs = this.#messages.waitFor(messages, messagesPerMinute, now);
    // The longest wait: a sender that comes back then must be accepted.
    const waitMs = Math.max(requestsMs, bytesMs, messagesMs);
    if (waitMs === 0) return null;
    return { by: waitMs === requestsMs ? 'requests' : waitMs === bytesMs ? 'bytes' : 'messages', waitMs };
  }

  take({ perMinute }: SourceLimit, { bytes, messages }: WebhookSize, now: number): void {
    this.#drain(perMinute, now);
    this.#level += 1;
    this.#requests.add(1, now);
    this.bytes.add(bytes, now);
    this.unkeptBytes += bytes;
    this.#messages.add(messages, now);
  }

  #drain(perMinute: number, now: number): void {
    const elapsed = Math.max(0, now - this.#drainedAt);
    this.#level = Math.max(0, this.#level - (elapsed * perMinute) / MINUTE);
    this.#drainedAt = Math.max(this.#drainedAt, now);
  }
}

/** Times (ms) and amounts, oldest first. A window is stored in this form. */
type Amounts = readonly (readonly [at: number, amount: number])[];

/** Amounts that come within this are one (ms), so that a window has a bounded number of them. */
const grainOf = (windowMs: number): number => windowMs / (windowMs > MINUTE ? 60 : 600);

/** Amounts that came at about the same time leave it with the last of them: its sum is never too small, its size bounded. */
class Window {
  readonly #ms: number;
  #grains: { readonly first: number; last: number; amount: number }[];

  constructor(ms: number, amounts: Amounts = []) {
    this.#ms = ms;
    this.#grains = amounts.map(([at, amount]) => ({ first: at, last: at, amount }));
  }

  add(amount: number, now: number): void {
    if (amount === 0) return;
    const newest = this.#grains.at(-1);
    if (newest === undefined || now - newest.first >= grainOf(this.#ms))
      this.#grains.push({ first: now, last: now, amount });
    else {
      newest.last = Math.max(newest.last, now);
      newest.amount += amount;
    }
  }

  /** Until there is room for more (ms); a whole window if there never will be. A duplicate, which is nothing, has room. */
  waitFor(more: number, max: number | null, now: number): number {
    if (max === null || more === 0) return 0;
    const amounts = this.amounts(now);
    let over = amounts.reduce((sum, [, amount]) => sum + amount, more - max);
    if (over <= 0) return 0;
    for (const [last, amount] of amounts) {
      over -= amount;
      if (over <= 0) return last + this.#ms - now;
    }
    return this.#ms;
  }

  amounts(now: number): Amounts {
    this.#grains = this.#grains.filter(({ last }) => last > now - this.#ms);
    return this.#grains.map(({ last, amount }) => [last, amount]);
  }
}
