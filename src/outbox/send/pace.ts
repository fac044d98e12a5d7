import type { AccountPolicy } from '../../config/compiled/config.ts';
import { MINUTE } from '../../lib/time.ts';
import { hourOf, leftOfBurst, leftOfMinute, type Standing } from '../../lib/shares.ts';
import { lineOf, linesOf, ReceiverHistory } from './receiver-history.ts';

/** The time that the pace looks back, in ms: older sends do not matter. */
export const PACE_MEMORY_MS = 60 * MINUTE;

/** Gaps between paced sends are longer by up to this share: equal gaps would look like a machine. */
const GAP_JITTER = 0.25;

/** One send, with the facts that the pace needs: `at` in ms, no phone for a status. */
export interface PastSend {
  readonly at: number;
  readonly phone: string | null;
  readonly standing: Standing;
}

/** Reads the sends after `since` (ms), oldest first; `line` is the result of `lineOf`, or null for a status. */
export type ReadSends = (since: number, onSend: (at: number, line: number | null) => void) => void;

/** The state at the start. */
export interface PaceState {
  readonly tokens: number;
  /** The time when the bucket had these tokens (ms). */
  readonly at: number;
  /** Reads the earlier sends. */
  readonly past: ReadSends;
}

/**
 * The pace of one account: a token bucket (`rate.per_minute`, `rate.burst`), at most `per_minute` in any minute, and at
 * most `per_recipient.per_hour` to one receiver in any hour, urgent messages counted apart. What a message leaves of
 * these to others depends on its standing. It may be too slow, but never too fast: the limits are
 * checked against the real sends. These are read when a limit first needs them, and kept only while it is set.
 */
export class Pace {
  readonly #past: PaceState['past'];
  #tokens: number;
  #refilledAt: number;
  /** The latest time in any of these fields. */
  #newest: number;
  /** Times of the last minute's sends, oldest first; null if there is no rate. */
  #minute: number[] | null = null;
  /** The last hour's sends to each receiver; null if there is no cap. */
  #hour: ReceiverHistory | null = null;

  constructor({ tokens, at, past }: PaceState) {
    this.#past = past;
    this.#tokens = tokens;
    this.#refilledAt = at;
    this.#newest = at;
  }

  /** The remaining tokens, with fractions, for the checkpoint. Below zero, the next gap is stretched. */
  get tokens(): number {
    return this.#tokens;
  }

  /**
   * Returns the time when the account may send its next message of a standing, in whole ms: `now` or earlier means at
   * once.
   */
  nextSendAt(rate: AccountPolicy['rate'], standing: Standing, now: number): number {
    const minute = this.#minuteOf(rate, now);
    if (rate === null || minute === null) return now;
    this.#refill(rate, now);
    const most = rate.perMinute - leftOfMinute(standing, rate.perMinute);
    return Math.max(this.#tokenAt(rate, standing, now), opensAt(minute.at(-most), MINUTE, now));
  }

  #tokenAt(rate: NonNullable<AccountPolicy['rate']>, standing: Standing, now: number): number {
    const missing = 1 + leftOfBurst(standing, rate.burst) - this.#tokens;
    if (missing <= 0) return now;
    // The missing part of a token may be too small to change the time; it is still later than `now`.
    return Math.max(now + 1, Math.ceil(now + (missing * MINUTE) / rate.perMinute));
  }

  /** Returns the number of sends that the account may make now, together, the last one of this standing. */
  sendsAllowed(rate: AccountPolicy['rate'], standing: Standing, now: number): number {
    const minute = this.#minuteOf(rate, now);
    if (rate === null || minute === null) return Number.MAX_SAFE_INTEGER;
    this.#refill(rate, now);
    dropBefore(minute, now - MINUTE);
    const most = rate.perMinute - leftOfMinute(standing, rate.perMinute);
    const tokens = this.#tokens - leftOfBurst(standing, rate.burst);
    return Math.max(0, Math.min(Math.floor(tokens), most - minute.length));
  }

  /**
   * Returns the time when the next message of a standing may be sent to `phone`: `now` or earlier means at once. With
   * `ahead`, the earliest time after this number of earlier messages to it.
   */
  nextSendToAt(
    perRecipient: AccountPolicy['perRecipient'],
    { phone, standing }: Pick<PastSend, 'phone' | 'standing'>,
    now: number,
    ahead = 0,
  ): number {
    if (perRecipient === null) this.#hour = null;
    if (perRecipient === null || phone === null) return now;
    this.#turnBack(now);
    const hour = (this.#hour ??= this.#readHour(now));
    const at = (one: Standing, most: number): number => {
      const nth = hour.nthNewest(lineOf(phone, one), most - (ahead % most));
      return opensAt(nth ?? undefined, PACE_MEMORY_MS, now) + Math.floor(ahead / most) * PACE_MEMORY_MS;
    };
    const most = hourOf(standing, perRecipient.perHour);
    return standing === 'open'
      ? Math.max(at('signed', perRecipient.perHour), at('open', most))
      : at(standing, most);
  }

  /** Counts a send. `random` in [0, 1) stretches the gap to the next one. */
  record({ at, phone, standing }: PastSend, rate: AccountPolicy['rate'], random: number): void {
    const minute = this.#minuteOf(rate, at);
    this.#newest = Math.max(this.#newest, at);
    if (phone !== null) for (const line of linesOf(lineOf(phone, standing))) this.#hour?.add(line, at);
    if (rate === null || minute === null) return;
    minute.push(at);
    dropBefore(minute, at - MINUTE);
    this.#refill(rate, at);
    this.#tokens = tokensAfter(this.#tokens, rate, standing, random);
  }

  /** The last recorded sends are not made, so the others are read again. `tokens`: the number before them. */
  forget(tokens: number): void {
    this.#tokens = tokens;
    this.#minute = null;
    this.#hour = null;
  }

  /** The last minute's sends, if the rate needs them. */
  #minuteOf(rate: AccountPolicy['rate'], now: number): number[] | null {
    if (rate === null) return (this.#minute = null);
    this.#turnBack(now);
    return (this.#minute ??= this.#readMinute(now));
  }

  #readMinute(now: number): number[] {
    const minute: number[] = [];
    this.#past(now - MINUTE, (at) => minute.push(Math.min(at, this.#newest)));
    return minute;
  }

  #readHour(now: number): ReceiverHistory {
    const hour = new ReceiverHistory(PACE_MEMORY_MS);
    this.#past(now - PACE_MEMORY_MS, (at, line) => {
      if (line !== null) for (const one of linesOf(line)) hour.add(one, Math.min(at, this.#newest));
    });
    return hour;
  }

  /**
   * The clock was ahead and was set back: sends with a time in the future count as sent now. After a small step back,
   * the account only waits for that long; the step must not allow more sends.
   */
  #turnBack(now: number): void {
    if (this.#newest - now <= MINUTE) return;
    this.#newest = now;
    this.#refilledAt = Math.min(this.#refilledAt, now);
    this.#minute = this.#minute?.map((at) => Math.min(at, now)) ?? null;
    this.#hour?.turnBack(now);
  }

  #refill(rate: NonNullable<AccountPolicy['rate']>, now: number): void {
    const elapsed = Math.max(0, now - this.#refilledAt);
    this.#tokens = Math.min(rate.burst, this.#tokens + (elapsed * rate.perMinute) / MINUTE);
    this.#refilledAt = Math.max(this.#refilledAt, now);
  }
}

/**
 * Returns the tokens that are left after a send. The jitter is taken from the bucket, so it can only slow the account
 * down. A burst is not stretched. `random` in [0, 1).
 */
export const tokensAfter = (
  tokens: number,
  rate: NonNullable<AccountPolicy['rate']>,
  standing: Standing,
  random: number,
): number => tokens - (tokens < 2 + leftOfBurst(standing, rate.burst) ? 1 + GAP_JITTER * random : 1);

/**
 * Returns the time when a window of `length` ms opens again. `fullSince`: its oldest send that counts (ms); undefined
 * if it is not full.
 */
const opensAt = (fullSince: number | undefined, length: number, now: number): number =>
  fullSince === undefined ? now : fullSince + length;

/** Drops the times before a limit. A send exactly one window ago is outside of it: `time > before` stays. */
function dropBefore(times: number[], before: number): void {
  const keepFrom = times.findIndex((time) => time > before);
  if (keepFrom !== 0) times.splice(0, keepFrom < 0 ? times.length : keepFrom);
}
