import type { GatewayCall } from './messages.ts';
import type { Report } from './report.ts';
import { standingOf, type Standing } from './strangers.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Calls that were spaced rightly may come closer on their way, most of all behind a slow disk (ms). */
const WAY_MS = 5_000;

export interface PaceRules {
  readonly perMinute: number;
  readonly burst: number;
  /** Of messages to one receiver, urgent ones counted apart, half of it for strangers; null: no limit. */
  readonly perHour: number | null;
}

/** No window of time has more calls of an account, or to a receiver, than its limits allow. */
export class PaceModel {
  readonly #report: Report;
  readonly #calls = new Map<string, number[]>();

  constructor(report: Report) {
    this.#report = report;
  }

  /** `setBackMs`: by how much clocks were wrong in the last hour at most; a clock that runs behind proves nothing. */
  called(call: GatewayCall, rules: PaceRules, setBackMs: number): void {
    const { account, phone, at } = call;
    // A call that looks whether the gateway is there goes to nobody, and the device sends nothing.
    if (phone === '') return;
    const name = `account ${account}`;
    const { perMinute, burst, perHour } = rules;
    const late = WAY_MS + setBackMs;
    this.#most(name, at, MINUTE_MS - late, perMinute, 'the pace of an account is kept');
    const tenth = MINUTE_MS / 10 - late;
    if (tenth > 0) this.#most(name, at, tenth, burst + perMinute / 10 + 1, 'the burst of an account is kept');
    this.#add(name, at);
    if (perHour === null) return;
    const limit = (of: Standing, most: number): void => {
      const line = lineOf(call, of);
      this.#most(line, at, HOUR_MS - late, most, 'the limit of a receiver is kept');
      this.#add(line, at);
    };
    const standing = standingOf(call);
    limit(standing === 'urgent' ? 'urgent' : 'signed', perHour);
    if (standing === 'open') limit('open', Math.max(1, perHour / 2));
  }

  /** True if the limit of a receiver is nearly reached, so that messages to it may have to wait. */
  isNearLimit(call: GatewayCall, { perHour }: PaceRules): boolean {
    const recent = (this.#calls.get(lineOf(call, 'signed')) ?? []).filter(
      (called) => called > call.at - HOUR_MS,
    );
    return perHour !== null && recent.length >= perHour - 1;
  }

  #add(name: string, at: number): void {
    const all = this.#calls.get(name) ?? [];
    this.#calls.set(name, all);
    all.push(at);
    while ((all[0] ?? at) < at - HOUR_MS) all.shift();
  }

  /** With this one, at most `most` calls were made within the window. */
  #most(name: string, at: number, windowMs: number, most: number, rule: string): void {
    const first = this.#calls.get(name)?.at(-Math.floor(most));
    if (windowMs > 0 && first !== undefined && at - first < windowMs)
      this.#report(rule, `${name}: more than ${Math.floor(most)} in ${Math.round(windowMs / 1_000)} s`);
  }
}

/** The calls to a receiver of which some standings have a share: `signed` has those of strangers, too. */
const lineOf = ({ account, phone }: GatewayCall, standing: Standing): string =>
  `${standing} to ${phone} of account ${account}`;
