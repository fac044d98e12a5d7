/** The failures that a client may have in a minute, and all clients together, in one isolate. */
const PER_ADDRESS = 10;
const OVERALL = 100;

/** More addresses than this within a minute are not tracked; their sum is bounded anyway. */
const MAX_ADDRESSES = 1_000;

const MINUTE_MS = 60_000;

/** The answer to a failed attempt above the limit; the first one is logged. */
interface Limited {
  readonly retryAfterSeconds: number;
  readonly isFirst: boolean;
}

/** A minute's failures, measured by the time in which each of them is forgiven: `left` and `at` in ms. */
interface Bucket {
  left: number;
  at: number;
  isLimited: boolean;
}

/** Counts what was tried with a wrong token. A right one never reaches it, so nobody can lock anybody else out by failing. */
export class Failures {
  readonly #addresses = new Map<string, Bucket>();
  readonly #all: Bucket = { left: MINUTE_MS, at: 0, isLimited: false };

  /** Notes a failure at `now` (ms). Null: it is within the limits. */
  add(address: string, now: number): Limited | null {
    const bucket = this.#bucket(address, now);
    // A client beyond its own limit does not use up the others'.
    return take(bucket, PER_ADDRESS, now) ?? take(this.#all, OVERALL, now);
  }

  /** The time that a client has to wait (s), since it failed too often; null: none. */
  waitSeconds(address: string, now: number): number | null {
    const bucket = this.#addresses.get(address);
    const left = bucket === undefined ? MINUTE_MS : bucket.left + Math.max(0, now - bucket.at);
    const cost = MINUTE_MS / PER_ADDRESS;
    return left < cost ? Math.ceil((cost - left) / 1_000) : null;
  }

  #bucket(address: string, now: number): Bucket {
    const bucket = this.#addresses.get(address) ?? { left: MINUTE_MS, at: now, isLimited: false };
    this.#addresses.delete(address);
    // Drops the client whose last failure is the longest ago.
    const [oldest] = this.#addresses.keys();
    if (this.#addresses.size >= MAX_ADDRESSES && oldest !== undefined) this.#addresses.delete(oldest);
    this.#addresses.set(address, bucket);
    return bucket;
  }
}

function take(bucket: Bucket, perMinute: number, now: number): Limited | null {
  const cost = MINUTE_MS / perMinute;
  // A clock that went back changes nothing.
  bucket.left = Math.min(MINUTE_MS, bucket.left + Math.max(0, now - bucket.at));
  bucket.at = now;
  const isFirst = !bucket.isLimited;
  bucket.isLimited = bucket.left < cost;
  if (bucket.isLimited) return { retryAfterSeconds: Math.ceil((cost - bucket.left) / 1_000), isFirst };
  bucket.left -= cost;
  return null;
}
