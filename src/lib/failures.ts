import { MINUTE } from './time.ts';
import { network } from './url.ts';

/** The number of failures that one client, and all clients together, may have in a minute, in one isolate. */
const PER_ADDRESS = 10;
const OVERALL = 100;

/** The maximum number of addresses that are tracked. The limit for all clients counts in any case. */
const MAX_ADDRESSES = 1_000;

/** The result for a failed attempt above the limit. Only the first is logged. */
type Limited = Readonly<{ retryAfterSeconds: number; isFirst: boolean }>;

/** The failures that are left in a minute, as time: each failure costs a share of it. `left` and `at` in ms. */
interface Bucket {
  left: number;
  at: number;
  isLimited: boolean;
}

/** Counts attempts with a wrong token. A right one is never counted nor refused, so nobody can lock others out. */
export class Failures {
  readonly #addresses = new Map<string, Bucket>();
  readonly #all: Bucket = { left: MINUTE, at: 0, isLimited: false };

  /** Records a failure at `now` (ms). Null if it is within the limits. */
  add(address: string, now: number): Limited | null {
    const bucket = this.#bucket(network(address), now);
    // A client above its own limit does not use up the limit of all.
    return take(bucket, PER_ADDRESS, now) ?? take(this.#all, OVERALL, now);
  }

  #bucket(address: string, now: number): Bucket {
    const bucket = this.#addresses.get(address) ?? { left: MINUTE, at: now, isLimited: false };
    this.#addresses.delete(address);
    // Drops the client whose last failure is the oldest.
    const [oldest] = this.#addresses.keys();
    if (this.#addresses.size >= MAX_ADDRESSES && oldest !== undefined) this.#addresses.delete(oldest);
    this.#addresses.set(address, bucket);
    return bucket;
  }
}

function take(bucket: Bucket, perMinute: number, now: number): Limited | null {
  const cost = MINUTE / perMinute;
  // A clock that was set back changes nothing.
  bucket.left = Math.min(MINUTE, bucket.left + Math.max(0, now - bucket.at));
  bucket.at = now;
  const isFirst = !bucket.isLimited;
  bucket.isLimited = bucket.left < cost;
  if (bucket.isLimited) return { retryAfterSeconds: Math.ceil((cost - bucket.left) / 1_000), isFirst };
  bucket.left -= cost;
  return null;
}
