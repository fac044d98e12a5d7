import type { GatewayCall } from './messages.ts';
import type { Report } from './report.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An urgent alert is with the gateway so soon after it was accepted (ms). */
const AT_ONCE_MS = 5_000;
/** After so many urgent calls in a row, somebody else who signs has a turn. */
const URGENT_IN_A_ROW = 4;
/** Calls that begin together arrive within this (ms). */
const SAME_MS = 1_000;
/** A fault of the platform has effects for so long at most, such as an alarm that is tried again (ms). */
const FAULT_MS = 10 * MINUTE_MS;
/** A gateway that did not answer is asked again by an urgent message after this (ms). */
const PROBE_MS = 3_000;
/** A gateway that failed may be asked one call at a time for so long (ms). */
const FAILED_MS = 15 * MINUTE_MS;
/** After messages that are dead, a phone gets nothing for so long (ms). */
const REST_MS = 6 * HOUR_MS;
/** The connections of an account. */
const CONNECTIONS = 6;
/** Gaps between calls vary by this factor at most. */
const GAP = 1.25;
/** Calls about midnight may count on either day. */
const ABOUT_MIDNIGHT = 2;

/** Who may have caused a call: anybody, somebody who signs, or the ward, whose alerts are urgent. */
export type Standing = 'open' | 'signed' | 'urgent';

export const standingOf = ({ text }: Pick<GatewayCall, 'text'>): Standing =>
  /^guests?\b/.test(text) ? 'open' : /^ward\b|• w\d/.test(text) ? 'urgent' : 'signed';

/** A text that the gateway's firewall never lets through: only strangers write it. */
export const isBlocked = ({ text }: Pick<GatewayCall, 'text'>): boolean => text.includes('<script');

export interface UrgentRules {
  readonly account: string;
  readonly perMinute: number;
  /** Of urgent messages to one receiver; null: no limit. */
  readonly perHour: number | null;
  /** First messages of strangers in a day; null: no limit. */
  readonly strangersPerDay: number | null;
  readonly phones: readonly string[];
  /** Batches are urgent as well, and take turns with the ward. */
  readonly areBatchesUrgent: boolean;
  readonly steps: readonly { readonly afterMs: number; readonly phones: readonly string[] }[];
}

/** A call that must be made. Times in ms. */
interface Owed {
  readonly key: string;
  readonly phone: string;
  readonly requestedAt: number;
  readonly dueAt: number;
  /** Since when somebody else is called although it waits; null: nobody is. */
  passedAt: number | null;
}

/**
 * Whatever strangers do, an urgent alert is with the gateway at once, by name, and escalates; they never pause an
 * account, or open its circuit.
 */
export class UrgentModel {
  readonly #report: Report;
  readonly #rules: UrgentRules;
  readonly #faultAt: () => number;
  #owed: Owed[] = [];
  /** Of the last hour. */
  #calls: GatewayCall[] = [];
  /** Calls that came before their webhook was answered, and all later ones: by phone and key. */
  readonly #called = new Set<string>();
  readonly #met = new Map<number, Set<string>>();
  readonly #known = new Set<string>();
  /** When the gateway refused an urgent message to a phone for good. */
  readonly #refusedAt = new Map<string, number>();
  #pausedAt = -Infinity;
  #resumedAt = -Infinity;
  /** The last time when somebody who signs was told 401 or 403, got no answer, and the first answer since then. */
  #deniedAt = -Infinity;
  #failedAt = -Infinity;
  #answeredAt = Infinity;

  /** `faultAt`: when a fault of the platform last changed anything. */
  constructor(report: Report, rules: UrgentRules, faultAt: () => number) {
    this.#report = report;
    this.#rules = rules;
    this.#faultAt = faultAt;
  }

  accepted(key: string, requestedAt: number, acceptedAt: number): void {
    const { phones, steps } = this.#rules;
    for (const { afterMs, phones: called } of [{ afterMs: 0, phones }, ...steps])
      for (const phone of called)
        if (!this.#called.has(`${phone} ${key}`))
          this.#owed.push({ key, phone, requestedAt, dueAt: acceptedAt + afterMs, passedAt: null });
  }

  /** It is over: who was not called yet does not have to be. */
  ended(key: string, at: number): void {
    this.#check(at, null);
    this.#owed = this.#owed.filter((one) => one.key !== key);
  }

  /** A person paused the account. */
  paused(at: number): void {
    this.#pausedAt = at;
  }

  /** A person let it go on. */
  resumed(at: number): void {
    this.#resumedAt = at;
  }

  /** The gateway took no connection. */
  unreachable(at: number): void {
    this.#failed(at);
  }

  #failed(at: number): void {
    this.#failedAt = Math.max(this.#failedAt, at);
    this.#answeredAt = Infinity;
  }

  called(call: GatewayCall): void {
    const { account, phone, at, endsAt, text, outcome } = call;
    if (account !== this.#rules.account || phone === '') return;
    const standing = this.#standingOf(call);
    this.#check(at, standing);
    this.#calls = this.#calls.filter((one) => one.at > at - HOUR_MS);
    this.#calls.push(call);
    const failed = outcome === 'retry' || outcome === 'uncertain';
    if (!failed && endsAt > this.#failedAt) this.#answeredAt = Math.min(this.#answeredAt, endsAt);
    if (failed && !isBlocked(call)) this.#failed(endsAt);
    if ((outcome === 'unauthorized' || outcome === 'forbidden') && !isBlocked(call)) this.#deniedAt = endsAt;
    if (standing === 'open') this.#meets(phone, at);
    this.#known.add(phone);
    if (standingOf(call) !== 'urgent') return;
    if (outcome === 'dead' || outcome === 'refused') this.#refusedAt.set(phone, at);
    // A digest names several.
    const keys = [...text.matchAll(/(?:ward [+-]|• )(w\d+)/g)].map(([, key = '']) => key);
    if (keys.length === 0) this.#report('an urgent alert is named', `${phone}: ${text}`);
    for (const key of keys) this.#called.add(`${phone} ${key}`);
    this.#owed = this.#owed.filter((one) => !keys.includes(one.key) || one.phone !== phone);
  }

  #standingOf(call: GatewayCall): Standing {
    return this.#rules.areBatchesUrgent && call.text.startsWith('batch') ? 'urgent' : standingOf(call);
  }

  #meets(phone: string, at: number): void {
    const { strangersPerDay } = this.#rules;
    if (strangersPerDay === null || this.#known.has(phone)) return;
    const day = Math.floor(at / DAY_MS);
    const met = this.#met.get(day) ?? new Set();
    this.#met.set(day, met.add(phone));
    if (met.size > strangersPerDay + ABOUT_MIDNIGHT)
      this.#report('strangers have a third of the first contacts', `${met.size} on one day`);
  }

  /** `by`: who was just called; null: nobody was. */
  #check(at: number, by: Standing | null): void {
    const isTheirTurn =
      this.#calls.slice(-6).filter((call) => this.#standingOf(call) === 'urgent').length >= URGENT_IN_A_ROW;
    const isOther = by === 'open' || (by === 'signed' && !isTheirTurn);
    for (const one of this.#owed) {
      const latest = this.#latest(one, isOther, by !== null);
      // Its receiver was busy, or what is called at the same moment arrives in any order.
      const isBusy = this.#calls.some(
        (call) => call.phone === one.phone && Math.abs(call.at - (one.passedAt ?? at)) < SAME_MS,
      );
      if (isBusy || latest === Infinity) one.passedAt = null;
      else if (isOther && at > latest + SAME_MS) one.passedAt ??= at;
      const isPassed = one.passedAt !== null && at > one.passedAt + AT_ONCE_MS;
      if (!isPassed && (isOther || at <= latest + AT_ONCE_MS)) continue;
      this.#report(
        this.#rules.phones.includes(one.phone)
          ? 'an urgent alert is called at once'
          : 'an urgent alert escalates in time',
        `${one.phone}: ${one.key}`,
      );
    }
  }

  /** Until when there is a reason to wait (ms). */
  #latest({ phone, requestedAt, dueAt }: Owed, isOther: boolean, isCalling: boolean): number {
    // The platform: what an object that was lost had begun, an alarm that comes late, a disk that is slow.
    if (this.#faultAt() > requestedAt - FAULT_MS) return Infinity;
    // A person has paused the account, or the gateway did not know it: somebody has to resume it.
    if (!isCalling && Math.max(this.#pausedAt, this.#deniedAt) > this.#resumedAt) return Infinity;
    // The gateway has refused a message to its receiver for good: there is a rest after that.
    if ((this.#refusedAt.get(phone) ?? -Infinity) > dueAt - REST_MS) return Infinity;
    const reasons = [dueAt, this.#resumedAt];
    // The gateway failed, for others than strangers: it is asked again, one call at a time.
    if (this.#failedAt > dueAt - FAILED_MS) reasons.push(this.#failedAt + PROBE_MS);
    for (const one of this.#calls)
      // A receiver gets one message at a time.
      if (one.phone === phone || (this.#failedAt < one.at && this.#failedAt > one.at - FAILED_MS))
        reasons.push(one.endsAt + (one.phone === phone ? 0 : PROBE_MS));
    const underWay = this.#calls.filter((one) => one.at <= dueAt && one.endsAt > dueAt);
    if (underWay.length >= CONNECTIONS) reasons.push(...underWay.map(({ endsAt }) => endsAt));
    const { perMinute, perHour } = this.#rules;
    const urgent = this.#calls.filter((one) => one.phone === phone && standingOf(one) === 'urgent');
    // The receiver's own hour of urgent messages. Calls that were claimed when the object was lost count, made or not.
    const unmade = this.#faultAt() > dueAt - HOUR_MS ? CONNECTIONS : 0;
    if (perHour !== null) reasons.push((urgent.at(unmade - perHour)?.at ?? -Infinity) + HOUR_MS);
    // The pace of the account; whoever is called in place of the alert could not have been, either.
    if (!isOther)
      reasons.push(
        (this.#calls.at(-1)?.at ?? -Infinity) + (GAP * MINUTE_MS) / perMinute,
        (this.#calls.at(-perMinute)?.at ?? -Infinity) + MINUTE_MS,
      );
    return Math.max(...reasons);
  }

  /** The account, as the API says it was at a time. */
  says({ isPaused, isOpen }: { readonly isPaused: boolean; readonly isOpen: boolean }, at: number): void {
    if (this.#faultAt() > at - FAULT_MS) return;
    if (isPaused && this.#deniedAt <= this.#resumedAt)
      this.#report('strangers alone pause no account', this.#rules.account);
    if (isOpen && this.#answeredAt < at - AT_ONCE_MS)
      this.#report('strangers alone open no circuit', this.#rules.account);
  }

  atQuiet(at: number): void {
    this.#check(at, null);
  }
}
