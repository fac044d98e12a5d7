import type { AccountPolicy } from '../../config/compiled/config.ts';
import { MINUTE } from '../../lib/time.ts';
import { hourOf, leftOfBurst, leftOfMinute, numberOf, type Standing } from '../../lib/shares.ts';

/** The time that the pace looks back, in ms: older sends do not matter. */
export const PACE_MEMORY_MS = 60 * MINUTE;

/** The sends of an hour where there is a cap, which has to remember each of them. What is urgent has more of its own. */
const mostAnHour = (standing: Standing): number => (standing === 'urgent' ? 40_000 : 36_000);

/** Gaps between paced sends are longer by up to this share: equal gaps would look like a machine. */
const GAP_JITTER = 0.25;

/** One send, with the facts that the pace needs: `at` in ms, no phone for a status. */
export interface PastSend {
  readonly at: number;
  readonly phone: string | null;
  readonly standing: Standing;
}

/** Reads the sends after `since` (ms), oldest first; `line` is the result of {@link lineOf}. */
export type ReadSends = (since: number, onSend: (at: number, line: number) => void) => void;

export interface PaceState {
  readonly tokens: number;
  readonly at: number;
  readonly past: ReadSends;
}

type Rate = NonNullable<AccountPolicy['rate']>;
type Limits = Pick<AccountPolicy, 'perRecipient' | 'rate'>;

/** True if an account's sends have to be remembered. */
export const isLimited = ({ perRecipient, rate }: Limits): boolean => perRecipient !== null || rate !== null;

/**
 * A token bucket (`rate.per_minute`, `rate.burst`), at most `per_minute` in any minute, and at most
 * `per_recipient.per_hour` to one receiver in any hour, urgent messages counted apart. A standing says what a message
 * leaves of these to others. It may be too slow, but never too fast: the limits are checked against the real sends, which
 * are read when a limit first needs them.
 */
export class Pace {
  readonly #past: PaceState['past'];
  #tokens: number;
  #refilledAt: number;
  #newest: number;
  #sends: PastSends | null = null;

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

  /** When the next message of a standing may go (ms; `now` or earlier: at once). */
  nextSendAt(limits: Limits, standing: Standing, now: number): number {
    const { rate, perRecipient } = limits;
    const sends = this.#sendsFor(limits, now);
    const hour = perRecipient === null ? now : opensAt(sends?.nthNewest(mostAnHour(standing)), now);
    if (rate === null || sends === null) return hour;
    this.#refill(rate, now);
    const most = rate.perMinute - leftOfMinute(standing, rate.perMinute);
    const minute = opensAt(sends.nthNewest(most), now, MINUTE);
    return Math.max(hour, minute, this.#tokenAt(rate, standing, now));
  }

  #tokenAt(rate: Rate, standing: Standing, now: number): number {
    const missing = 1 + leftOfBurst(standing, rate.burst) - this.#tokens;
    if (missing <= 0) return now;
    // The missing part of a token may be too small to change the time; it is still later than `now`.
    return Math.max(now + 1, Math.ceil(now + (missing * MINUTE) / rate.perMinute));
  }

  /** How many may go now, together, the last one of this standing. */
  sendsAllowed(limits: Limits, standing: Standing, now: number): number {
    const { rate, perRecipient } = limits;
    const sends = this.#sendsFor(limits, now);
    if (sends === null) return Number.MAX_SAFE_INTEGER;
    const ofHour =
      perRecipient === null ? Infinity : mostAnHour(standing) - sends.countAfter(now - PACE_MEMORY_MS);
    if (rate === null) return Math.max(0, ofHour);
    this.#refill(rate, now);
    const most = rate.perMinute - leftOfMinute(standing, rate.perMinute);
    const tokens = Math.floor(this.#tokens - leftOfBurst(standing, rate.burst));
    return Math.max(0, Math.min(tokens, most - sends.countAfter(now - MINUTE), ofHour));
  }

  /** When a message to this receiver may go, after `ahead` others to it (ms; `now` or earlier: at once). */
  nextSendToAt(
    perRecipient: AccountPolicy['perRecipient'],
    { phone, standing }: Pick<PastSend, 'phone' | 'standing'>,
    now: number,
    ahead = 0,
  ): number {
    if (perRecipient === null || phone === null) return now;
    const sends = this.#sendsFor({ perRecipient, rate: null }, now);
    const at = (one: Standing, most: number): number =>
      opensAt(sends?.nthNewest(most - (ahead % most), lineOf(phone, one)), now) +
      Math.floor(ahead / most) * PACE_MEMORY_MS;
    const most = hourOf(standing, perRecipient.perHour);
    return standing === 'open'
      ? Math.max(at('signed', perRecipient.perHour), at('open', most))
      : at(standing, most);
  }

  /** Counts a send. `random` in [0, 1) stretches the gap to the next one. */
  record({ at, phone, standing }: PastSend, limits: Limits, random: number): void {
    const { rate } = limits;
    const sends = this.#sendsFor(limits, at);
    this.#newest = Math.max(this.#newest, at);
    sends?.add(at, lineOf(phone, standing));
    if (rate === null) return;
    this.#refill(rate, at);
    // The jitter is taken from the bucket, so it can only slow the account down. A burst is not stretched.
    const isInBurst = this.#tokens >= 2 + leftOfBurst(standing, rate.burst);
    this.#tokens -= isInBurst ? 1 : 1 + GAP_JITTER * random;
  }

  /** The last recorded sends are not made, so the others are read again. `tokens`: the number before them. */
  forget(tokens: number): void {
    this.#tokens = tokens;
    this.#sends = null;
  }

  /** The sends that these limits look back to; null if they need none. */
  #sendsFor(limits: Limits, now: number): PastSends | null {
    if (!isLimited(limits)) return (this.#sends = null);
    this.#turnBack(now);
    const windowMs = limits.perRecipient === null ? MINUTE : PACE_MEMORY_MS;
    if (this.#sends?.windowMs !== windowMs) {
      const sends = new PastSends(windowMs);
      this.#past(now - windowMs, (at, line) => sends.add(Math.min(at, this.#newest), line));
      this.#sends = sends;
    }
    return this.#sends;
  }

  /** The clock was set back: sends in the future count as sent now. A small step is only waited for: it allows no more. */
  #turnBack(now: number): void {
    if (this.#newest - now <= MINUTE) return;
    this.#newest = now;
    this.#refilledAt = Math.min(this.#refilledAt, now);
    this.#sends = this.#sends?.until(now) ?? null;
  }

  #refill(rate: Rate, now: number): void {
    const elapsed = Math.max(0, now - this.#refilledAt);
    this.#tokens = Math.min(rate.burst, this.#tokens + (elapsed * rate.perMinute) / MINUTE);
    this.#refilledAt = Math.max(this.#refilledAt, now);
  }
}

/** `fullSince`: the window's oldest send that counts; undefined: not full. One exactly a window ago is outside of it. */
const opensAt = (fullSince: number | undefined, now: number, windowMs = PACE_MEMORY_MS): number =>
  fullSince === undefined ? now : fullSince + windowMs;

/** The sends of a window of time, in all and by line, oldest first. */
class PastSends {
  readonly windowMs: number;
  readonly #ats: number[] = [];
  readonly #lines: number[] = [];
  readonly #byLine = new Map<number, number[]>();

  constructor(windowMs: number) {
    this.windowMs = windowMs;
  }

  add(at: number, line: number): void {
    this.#dropUntil(at - this.windowMs);
    this.#ats.push(at);
    this.#lines.push(line);
    for (const one of linesOf(line)) {
      const ofLine = this.#byLine.get(one);
      if (ofLine === undefined) this.#byLine.set(one, [at]);
      else ofLine.push(at);
    }
  }

  /** Returns the time of the `n`th newest send (ms), of all or of a line; undefined if there are fewer. */
  nthNewest(n: number, line?: number): number | undefined {
    return (line === undefined ? this.#ats : this.#byLine.get(line))?.at(-n);
  }

  countAfter(before: number): number {
    return this.#ats.length - 1 - this.#ats.findLastIndex((at) => at <= before);
  }

  /** Returns the same sends, as if those after `now` were made now. */
  until(now: number): PastSends {
    const sends = new PastSends(this.windowMs);
    for (const [index, at] of this.#ats.entries())
      sends.add(Math.min(at, now), this.#lines[index] ?? NO_LINE);
    return sends;
  }

  #dropUntil(before: number): void {
    const [oldest] = this.#ats;
    if (oldest === undefined || oldest > before) return;
    const kept = this.#ats.findIndex((at) => at > before);
    const dropped = kept < 0 ? this.#ats.length : kept;
    this.#ats.splice(0, dropped);
    for (const line of this.#lines.splice(0, dropped))
      for (const one of linesOf(line)) {
        const ofLine = this.#byLine.get(one);
        ofLine?.shift();
        if (ofLine?.length === 0) this.#byLine.delete(one);
      }
  }
}

const RECEIVERS = 2 ** 51;

/** A status has no receiver. */
const NO_LINE = -1;

/** A receiver's sends of a standing, as a whole number of 53 bits. */
export const lineOf = (phone: string | null, standing: Standing): number =>
  phone === null ? NO_LINE : receiverKey(phone) + numberOf(standing) * RECEIVERS;

/** Returns the lines in which a send counts: those of open sources are in the receiver's signed line as well. */
const linesOf = (line: number): readonly number[] =>
  line === NO_LINE ? [] : line < numberOf('open') * RECEIVERS ? [line] : [line, line % RECEIVERS];

/** cyrb53, 51 bits: receivers hardly ever share a number (and a cap). The phone number itself is not kept. */
function receiverKey(phone: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < phone.length; index += 1) {
    const unit = phone.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return 4_294_967_296 * (low & 0x7_ffff) + (high >>> 0);
}
