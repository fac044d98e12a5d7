import type { SourceLimit } from '../../config/compiled/source-limit.ts';
import type { WebhookSize } from '../state/acceptance.ts';
import { SlidingSum, type Amounts } from './sliding-sum.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';

/** At most 600 grains in a minute's window, and 60 in the hour's. */
const PER_MINUTE = { windowMs: MINUTE, grainMs: 100 };
const BYTES = { windowMs: HOUR, grainMs: MINUTE };

/** In webhooks: a rounding error of a sum of fractions must not cost a millisecond's wait. */
const TOO_LITTLE = 1e-6;

/**
 * The reason why a webhook is over its source's limit, and the time until it would be accepted if nothing else came
 * (ms).
 */
export interface OverLimit {
  readonly by: 'requests' | 'bytes' | 'messages';
  readonly waitMs: number;
}

/**
 * The part of its limit that one source has used. Each webhook brings the limit with it, so a publish takes effect at
 * once, and publishing the same limit again resets nothing.
 *
 * Requests have a bucket, which holds `burst` and drains `perMinute` a minute, and a window: in any minute there are
 * never more than `perMinute`, or `burst` where that is larger. Messages have such a window alone: a bucket of a
 * minute's size would never refuse more.
 */
export class SourceUsage {
  readonly #requests = new SlidingSum(PER_MINUTE);
  readonly #messages = new SlidingSum(PER_MINUTE);
  readonly #bytes: SlidingSum;
  /** The number of requests in the bucket, as of `#drainedAt`. */
  #level = 0;
  #drainedAt = 0;

  /** `bytes`: the last hour's, from {@link bytes}. */
  constructor(bytes: Amounts = []) {
    this.#bytes = new SlidingSum(BYTES, bytes);
  }

  /** Null if a webhook of this size is within the limit. */
  over(limit: SourceLimit, { bytes, messages }: WebhookSize, now: number): OverLimit | null {
    const { perMinute, burst, bytesPerHour, messagesPerMinute } = limit;
    this.#drain(perMinute, now);
    const surplus = this.#level + 1 - burst;
    const bucketMs = surplus < TOO_LITTLE ? 0 : Math.ceil((surplus * MINUTE) / perMinute);
    const windowMs = this.#requests.waitFor(Math.max(perMinute, burst) - 1, now);
    const requestsMs = Math.max(bucketMs, windowMs);
    // A duplicate stores nothing, however full the hour is.
    const waitFor = (sum: SlidingSum, most: number | null, amount: number): number =>
      most === null || amount === 0 ? 0 : sum.waitFor(most - amount, now);
    const bytesMs = waitFor(this.#bytes, bytesPerHour, bytes);
    const messagesMs = waitFor(this.#messages, messagesPerMinute, messages);
    // The longest wait: a sender that comes back then must be accepted.
    const waitMs = Math.max(requestsMs, bytesMs, messagesMs);
    if (waitMs === 0) return null;
    return { by: waitMs === requestsMs ? 'requests' : waitMs === bytesMs ? 'bytes' : 'messages', waitMs };
  }

  take({ perMinute }: SourceLimit, { bytes, messages }: WebhookSize, now: number): void {
    this.#drain(perMinute, now);
    this.#level += 1;
    this.#requests.add(1, now);
    this.#bytes.add(bytes, now);
    this.#messages.add(messages, now);
  }

  /** The last hour's bytes, to be written to a row. */
  bytes(now: number): Amounts {
    return this.#bytes.amounts(now);
  }

  #drain(perMinute: number, now: number): void {
    const elapsed = Math.max(0, now - this.#drainedAt);
    this.#level = Math.max(0, this.#level - (elapsed * perMinute) / MINUTE);
    this.#drainedAt = Math.max(this.#drainedAt, now);
  }
}
