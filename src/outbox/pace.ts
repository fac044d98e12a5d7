import type { AccountPolicy } from '../config/config.ts';

const MINUTE = 60_000;

/** How far back the pace looks, in ms: sends older than this never matter again. */
export const PACE_MEMORY_MS = 60 * MINUTE;

/** Gaps between paced sends are stretched by up to this share: an even beat is what marks a machine. */
const GAP_JITTER = 0.25;

/** One send, as far as the pace cares: `at` in ms, no phone for a status. */
export interface PastSend {
  readonly at: number;
  readonly phone: string | null;
}

/**
 * The pace of one account: a token bucket (`rate.per_minute`, `rate.burst`), at most `per_minute` in any minute, and
 * at most `per_recipient.per_hour` to one receiver in any hour. It only ever errs on the slow side: the limits are
 * checked against the sends themselves, and those are read back from the dispatch log after a restart.
 */
export class Pace {
  #tokens: number;
  #refilledAt: number;
  /** The latest time that any of this holds. */
  #newest: number;
  /** Times of the last minute's sends, oldest first. */
  #minute: number[] = [];
  /** Times of the last hour's sends to each receiver, oldest first. */
  readonly #hourByPhone = new Map<string, number[]>();

  constructor(state: { tokens: number; at: number; sends: readonly PastSend[] }) {
    this.#tokens = state.tokens;
    this.#refilledAt = state.at;
    this.#newest = state.at;
    for (const send of state.sends) this.#remember(send);
  }

  /** Whole and part tokens left, for the dispatch log. Below zero: the next gap is stretched. */
  get tokens(): number {
    return this.#tokens;
  }

  /** When the account may send next, in whole ms: `now` or earlier means at once. */
  nextSendAt(rate: AccountPolicy['rate'], now: number): number {
    if (rate === null) return now;
    this.#turnBack(now);
    this.#refill(rate, now);
    return Math.max(this.#tokenAt(rate, now), windowOpensAt(this.#minute, rate.perMinute, MINUTE, now));
  }

  #tokenAt(rate: NonNullable<AccountPolicy['rate']>, now: number): number {
    if (this.#tokens >= 1) return now;
    // Of a token that is all but whole, the rest is too little to be seen in a time; it is not `now` even so.
    return Math.max(now + 1, Math.ceil(now + ((1 - this.#tokens) * MINUTE) / rate.perMinute));
  }

  /** How many sends the account may make now, together. */
  sendsAllowed(rate: AccountPolicy['rate'], now: number): number {
    if (rate === null) return Number.MAX_SAFE_INTEGER;
    this.#turnBack(now);
    this.#refill(rate, now);
    dropBefore(this.#minute, now - MINUTE);
    return Math.max(0, Math.min(Math.floor(this.#tokens), rate.perMinute - this.#minute.length));
  }

  /** When `phone` may be sent to next: `now` or earlier means at once. */
  nextSendToAt(perRecipient: AccountPolicy['perRecipient'], phone: string | null, now: number): number {
    if (perRecipient === null || phone === null) return now;
    this.#turnBack(now);
    return windowOpensAt(this.#hourByPhone.get(phone) ?? [], perRecipient.perHour, PACE_MEMORY_MS, now);
  }

  /** Counts a send. `random` in [0, 1) stretches the gap to the next one. */
  record(send: PastSend, rate: AccountPolicy['rate'], random: number): void {
    this.#remember(send);
    if (rate === null) return;
    this.#refill(rate, send.at);
    // The jitter is taken from the bucket, so it can only slow the account down. A burst is not stretched.
    this.#tokens -= this.#tokens < 2 ? 1 + GAP_JITTER * random : 1;
  }

  /**
   * A clock that was ahead and came back: sends of a time to come count as sends of now, not until then. A small step
   * back only makes the account wait for as long, and must not win it sends.
   */
  #turnBack(now: number): void {
    if (this.#newest - now <= MINUTE) return;
    const turned = (times: readonly number[]): number[] => times.map((at) => Math.min(at, now));
    this.#newest = now;
    this.#refilledAt = Math.min(this.#refilledAt, now);
    this.#minute = turned(this.#minute);
    for (const [phone, times] of this.#hourByPhone) this.#hourByPhone.set(phone, turned(times));
  }

  #refill(rate: NonNullable<AccountPolicy['rate']>, now: number): void {
    const elapsed = Math.max(0, now - this.#refilledAt);
    this.#tokens = Math.min(rate.burst, this.#tokens + (elapsed * rate.perMinute) / MINUTE);
    this.#refilledAt = Math.max(this.#refilledAt, now);
  }

  #remember({ at, phone }: PastSend): void {
    this.#newest = Math.max(this.#newest, at);
    this.#minute.push(at);
    dropBefore(this.#minute, at - MINUTE);
    if (phone === null) return;
    const toPhone = this.#hourByPhone.get(phone) ?? [];
    toPhone.push(at);
    dropBefore(toPhone, at - PACE_MEMORY_MS);
    // Re-inserting keeps the map in the order of last use, so that the stale receivers stand first.
    this.#hourByPhone.delete(phone);
    this.#hourByPhone.set(phone, toPhone);
    this.#forgetReceivers(at - PACE_MEMORY_MS);
  }

  #forgetReceivers(before: number): void {
    for (const [phone, times] of this.#hourByPhone) {
      if ((times.at(-1) ?? 0) > before) return;
      this.#hourByPhone.delete(phone);
    }
  }
}

/** When a window of `length` ms that may hold `max` sends has room for one more. */
function windowOpensAt(times: readonly number[], max: number, length: number, now: number): number {
  const nthLast = times[times.length - max];
  return nthLast === undefined ? now : nthLast + length;
}

/** A send exactly one window ago is outside it: `time > before` stays. */
function dropBefore(times: number[], before: number): void {
  const keepFrom = times.findIndex((time) => time > before);
  if (keepFrom !== 0) times.splice(0, keepFrom < 0 ? times.length : keepFrom);
}
