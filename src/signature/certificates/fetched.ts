import { err, ok, type Result } from '../../lib/result.ts';
import { SingleFlight } from '../../lib/cache.ts';
import { readAnswer } from '../../lib/body.ts';
import { describeError } from '../../lib/log.ts';
import { HOUR } from '../../lib/time.ts';
import { withTimeout } from '../../lib/wait.ts';
import type { SignedRequest } from '../basics/request.ts';

/** The surroundings of a verification. Always passed in, so that tests can set them. */
export interface VerifyContext {
  readonly now: number;
  /** For certificates and keys, only from the hosts of their scheme. */
  readonly fetch: typeof fetch;
}

/** What a scheme verifies: a request, with any of the secrets. */
export interface Attempt extends VerifyContext {
  readonly secrets: readonly string[];
  readonly request: SignedRequest;
}

/** The content of the address is not available now. */
export interface NotFetched {
  readonly fault: string;
  /** False if another call asked a moment ago, or is asking now, so this call did not ask again. */
  readonly asked: boolean;
}

/** The state of an address. Times in ms. */
interface Known<Value> {
  answer: { readonly value: Value; readonly at: number } | null;
  failure: { readonly fault: string; readonly at: number } | null;
  readonly fetching: SingleFlight<Result<Value, string>>;
}

/** The time for which an answer is used: senders replace a key every few weeks, with an overlap of days. */
export const FRESH_MS = HOUR;
const TIMEOUT_MS = 5_000;
/** A chain of certificates, or two keys with theirs, have some kilobytes. */
const MAX_BYTES = 65_536;
/** The time for which an address is not asked again after a failure. */
const AFTER_FAILURE_MS = 5_000;
/** A sender has one or two addresses, and changes them once a year. */
const MAX_ADDRESSES = 64;
/** The most addresses asked at once that never answered: a sender may have invented them. */
const MAX_NEW_AT_ONCE = 4;

/** What others serve, by address: asked once at a time, used while fresh. Callers check where it points. */
export class Fetched<Value> {
  readonly #read: (text: string) => Promise<Result<Value, string>>;
  readonly #init: RequestInit;
  readonly #known = new Map<string, Known<Value>>();
  /** The start times of fetches from addresses that never answered. Times, since a cancelled request ends nothing. */
  #newSince: readonly number[] = [];

  constructor(read: (text: string) => Promise<Result<Value, string>>, init: RequestInit) {
    this.#read = read;
    this.#init = init;
  }

  /** Returns the content of `address`, no older than `maxAgeMs` when the request that needs it came. */
  async get(
    address: string,
    { now, fetch }: VerifyContext,
    maxAgeMs = FRESH_MS,
  ): Promise<Result<Value, NotFetched>> {
    const known = this.#known.get(address) ?? this.#add(address);
    if (known.answer !== null && isWithin(maxAgeMs, known.answer.at, now)) return ok(known.answer.value);
    // A caller to whom the answer is too old, while it is fresh, asks as seldom as if it came.
    const pause = maxAgeMs < FRESH_MS ? maxAgeMs : AFTER_FAILURE_MS;
    if (known.failure !== null && isWithin(pause, known.failure.at, now))
      return err({ fault: known.failure.fault, asked: false });
    let asked = false;
    const ask = async (): Promise<Result<Value, string>> => {
      asked = true;
      const text = await this.#textAt(address, fetch);
      return text.ok ? this.#read(text.value) : text;
    };
    try {
      const got = await known.fetching.run(now, () => this.#ask(known, now, ask));
      return got.ok ? got : err({ fault: got.error, asked });
    } catch {
      return err({ fault: 'its server did not answer in time', asked });
    }
  }

  async #ask(
    known: Known<Value>,
    now: number,
    fetch: () => Promise<Result<Value, string>>,
  ): Promise<Result<Value, string>> {
    const isNew = known.answer === null;
    if (isNew && !this.#mayAskNew(now)) return err('too many others are being fetched');
    const got = await fetch();
    if (isNew) this.#newSince = without(this.#newSince, now);
    if (got.ok) known.answer = { value: got.value, at: now };
    else known.failure = { fault: got.error, at: now };
    return got;
  }

  #mayAskNew(now: number): boolean {
    this.#newSince = this.#newSince.filter((at) => Math.abs(now - at) < TIMEOUT_MS);
    if (this.#newSince.length >= MAX_NEW_AT_ONCE) return false;
    this.#newSince = [...this.#newSince, now];
    return true;
  }

  async #textAt(address: string, fetch: VerifyContext['fetch']): Promise<Result<string, string>> {
    try {
      return await withTimeout(TIMEOUT_MS, async (signal) => {
        const response = await fetch(address, { ...this.#init, redirect: 'manual', signal });
        const { text, complete } = await readAnswer(response, MAX_BYTES);
        if (response.status !== 200) return err(`its server answered ${response.status}`);
        return complete ? ok(text) : err('the answer was cut off or is too long');
      });
    } catch (thrown) {
      return err(`its server could not be reached (${describeError(thrown).slice(0, 200)})`);
    }
  }

  /** Adds an address, in place of the oldest that never answered, so that invented addresses displace no answer. */
  #add(address: string): Known<Value> {
    const fetching = new SingleFlight<Result<Value, string>>(TIMEOUT_MS, 'late');
    const known: Known<Value> = { answer: null, failure: null, fetching };
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

/** An address that a request names for us to call; null unless plain https and `host` matches its whole host. */
export function pinnedUrl(text: string, host: RegExp): URL | null {
  if (text.length > MAX_URL || !PLAIN.test(text) || text.includes('#')) return null;
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || !host.test(url.hostname)) return null;
  return url.username === '' && url.password === '' && url.port === '' ? url : null;
}
