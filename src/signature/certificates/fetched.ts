import { err, ok, type Result } from '../../lib/result.ts';
import { SingleFlight } from '../../lib/cache.ts';

/** The surroundings of a verification. Always passed in, so that tests can set them. */
export interface VerifyContext {
  /** ms since 1970. */
  readonly now: number;
  /** For certificates and keys, only from the hosts of their scheme. */
  readonly fetch: typeof fetch;
}

interface FetchedOptions<Fault> {
  /** The time for which an answer is used, in ms. */
  readonly freshMs: number;
  /** The longest wait for a fetch, in ms. */
  readonly timeoutMs: number;
  readonly fault: (why: string) => Fault;
}

/** The content of the address is not available now. */
export interface NotFetched<Fault> {
  readonly fault: Fault;
  /** False if another call asked a moment ago, or is asking now, so this call did not ask again. */
  readonly asked: boolean;
}

/** The state of an address. Times in ms. */
interface Known<Value, Fault> {
  answer: { readonly value: Value; readonly at: number } | null;
  failure: { readonly fault: Fault; readonly at: number } | null;
  readonly fetching: SingleFlight<Result<Value, Fault>>;
}

/** The time for which an address is not asked again after a failure. */
const AFTER_FAILURE_MS = 5_000;
/** A sender has one or two addresses, and changes them once a year. */
const MAX_ADDRESSES = 64;
/**
 * The maximum number of addresses that are asked at once before they ever answered: a sender may have invented them.
 */
const MAX_NEW_AT_ONCE = 4;

/**
 * Certificates and keys that others serve, by address. An address is asked once at a time, and its answer is used while
 * it is fresh. The caller checks where an address points.
 */
export class Fetched<Value, Fault> {
  readonly #options: FetchedOptions<Fault>;
  readonly #known = new Map<string, Known<Value, Fault>>();
  /** The start times of fetches from addresses that never answered. Times, since a cancelled request ends nothing. */
  #newSince: readonly number[] = [];

  constructor(options: FetchedOptions<Fault>) {
    this.#options = options;
  }

  /**
   * Returns the content of `address`, no older than `maxAgeMs`. `now`: the time when the request that needs it came, in
   * ms.
   */
  async get(
    address: string,
    now: number,
    fetch: () => Promise<Result<Value, Fault>>,
    maxAgeMs = this.#options.freshMs,
  ): Promise<Result<Value, NotFetched<Fault>>> {
    const known = this.#known.get(address) ?? this.#add(address);
    if (known.answer !== null && isWithin(maxAgeMs, known.answer.at, now)) return ok(known.answer.value);
    // A caller to whom the answer is too old, while it is fresh, asks as seldom as if it came.
    const pause = maxAgeMs < this.#options.freshMs ? maxAgeMs : AFTER_FAILURE_MS;
    if (known.failure !== null && isWithin(pause, known.failure.at, now))
      return err({ fault: known.failure.fault, asked: false });
    let asked = false;
    const ask = (): Promise<Result<Value, Fault>> => {
      asked = true;
      return fetch();
    };
    try {
      const got = await known.fetching.run(now, () => this.#ask(known, now, ask));
      return got.ok ? got : err({ fault: got.error, asked });
    } catch {
      return err({ fault: this.#options.fault('its server did not answer in time'), asked });
    }
  }

  async #ask(
    known: Known<Value, Fault>,
    now: number,
    fetch: () => Promise<Result<Value, Fault>>,
  ): Promise<Result<Value, Fault>> {
    const isNew = known.answer === null;
    if (isNew && !this.#mayAskNew(now)) return err(this.#options.fault('too many others are being fetched'));
    const got = await fetch();
    if (isNew) this.#newSince = without(this.#newSince, now);
    if (got.ok) known.answer = { value: got.value, at: now };
    else known.failure = { fault: got.error, at: now };
    return got;
  }

  #mayAskNew(now: number): boolean {
    this.#newSince = this.#newSince.filter((at) => Math.abs(now - at) < this.#options.timeoutMs);
    if (this.#newSince.length >= MAX_NEW_AT_ONCE) return false;
    this.#newSince = [...this.#newSince, now];
    return true;
  }

  /** Adds an address, in place of the oldest that never answered, so that invented addresses displace no answer. */
  #add(address: string): Known<Value, Fault> {
    const { timeoutMs } = this.#options;
    const known: Known<Value, Fault> = {
      answer: null,
      failure: null,
      fetching: new SingleFlight(timeoutMs, 'late'),
    };
    if (this.#known.size >= MAX_ADDRESSES) {
      const [oldest = ''] = this.#known.keys();
      const unanswered = [...this.#known].find(([, { answer }]) => answer === null)?.[0];
      this.#known.delete(unanswered ?? oldest);
    }
    this.#known.set(address, known);
    return known;
  }
}

const without = (times: readonly number[], one: number): readonly number[] => {
  const at = times.indexOf(one);
  return times.filter((_, index) => index !== at);
};

const HOUR = 3_600_000;

/**
 * True if less than this time has passed. A request may be older than the answer to another one: a sender who holds
 * back the end of a body must not cause a fetch by that. If it is older by more than an hour, a clock was set back.
 */
const isWithin = (ms: number, since: number, now: number): boolean => now - since < ms && since - now < HOUR;

/**
 * SNS itself, in each region. AWS's own libraries accept any one label between `sns` and `amazonaws`, which also allows
 * `sns.s3-us-west-2.amazonaws.com`: a bucket that anybody could own. The name of a region has digits only at its end.
 */
export const SNS_HOST = /^sns\.[a-z]{2,}(?:-[a-z]+)+-\d{1,2}\.amazonaws\.com(?:\.cn)?$/;

/** PayPal's API and its other hosts below its domain; live and sandbox have different hosts. */
export const PAYPAL_HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+paypal\.com$/;

const MAX_URL = 2_048;
/** The URL parser drops line breaks and trims spaces, so the checked address would differ from the written one. */
const PLAIN = /^[\x21-\x7e]+$/;

/**
 * Returns the address that a request names for us to call; null unless it is plain https and `host` matches its whole
 * host.
 */
export function pinnedUrl(text: string, host: RegExp): URL | null {
  if (text.length > MAX_URL || !PLAIN.test(text) || text.includes('#')) return null;
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || !host.test(url.hostname)) return null;
  return url.username === '' && url.password === '' && url.port === '' ? url : null;
}
