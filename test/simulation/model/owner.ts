import type { GatewayCall, Owed } from './messages.ts';
import type { Report } from './report.ts';

const MINUTE_MS = 60_000;

/** What is owed comes within this, whatever else the channel has to carry (ms): an urgent message, and a silence. */
const ESCAPE_LATE_MS = 3 * MINUTE_MS;
const LATE_MS = 15 * MINUTE_MS;

/** Clocks, and calls that are under way (ms). */
const EDGE_MS = MINUTE_MS;

/** The number of messages in full that a window has before its summary, of which a summary names some. */
const SUMMARY = /^\d+ more messages may not have arrived:/;

export interface OwnerRules {
  /** An urgent message that is not sent after so long is told to the owner (ms). */
  readonly escapeMs: number;
  /** A source from which nothing comes for so long is silent (ms). */
  readonly heartbeatMs: number;
}

/** What the channel of an owner gets: urgent messages that are not sent, once each, and that a source is silent, or back. */
export class OwnerModel {
  readonly #report: Report;
  readonly rules: OwnerRules;
  readonly #urgent: Owed[] = [];
  /** By text, since the channel names no phone. */
  readonly #sentAt = new Map<string, { readonly phone: string; readonly end: number }[]>();
  /** By text, when (ms). */
  readonly #told = new Map<string, number[]>();
  readonly #heard: number[] = [];
  readonly #maybeHeard: number[] = [];
  readonly #silences: { readonly at: number; readonly isBack: boolean }[] = [];
  /** When something was wrong, so that what is owed may be late, or come again (ms). */
  readonly #excuses: number[] = [];

  constructor(report: Report, rules: OwnerRules) {
    this.#report = report;
    this.rules = rules;
  }

  /** Something else is wrong, such as the channel itself. */
  disturbed(at: number): void {
    if (this.#excuses.at(-1) !== at) this.#excuses.push(at);
  }

  accepted(urgent: Owed): void {
    this.#urgent.push(urgent);
  }

  /** `isSure`: false if the sender has no answer. */
  heard(at: number, isSure = true): void {
    (isSure ? this.#heard : this.#maybeHeard).push(at);
  }

  sent({ text, phone, endsAt: end }: GatewayCall): void {
    this.#sentAt.set(text, [...(this.#sentAt.get(text) ?? []), { phone, end }]);
  }

  /** The channel has got a text; `isTaken`: and has answered so. */
  escaped(text: string, at: number, isTaken: boolean): void {
    if (SUMMARY.test(text)) return this.disturbed(at);
    const [, name = ''] = /: (.*)$/.exec(text) ?? [];
    const all = this.#urgent.filter((one) => one.text === name);
    if (all.some(({ requestedAt }) => at < requestedAt + this.rules.escapeMs - EDGE_MS))
      this.#report('the owner is told of what is not sent, and not before it is late', name);
    const isSent = all.every((one) => this.#isSent(one, at - EDGE_MS));
    if (all.length > 0 && isSent && !this.#isExcused(at))
      this.#report('the owner is told of what is not sent, and of nothing else', name);
    if (!isTaken) return;
    const told = [...(this.#told.get(name) ?? []), at];
    this.#told.set(name, told);
    if (all.length > 0 && told.length > all.length && this.#excuses.length === 0)
      this.#report('the owner is told once of what is not sent', `${name}: ${told.length} times`);
  }

  /**
   * The owner is told that the source is silent, or is back; `at`: as the text says. `setBackMs`: by how much clocks
   * were wrong meanwhile at most.
   */
  silence(at: number, isBack: boolean, setBackMs: number): void {
    const last = this.#heard.findLast((one) => one <= at) ?? -Infinity;
    if (!isBack && at - last < this.rules.heartbeatMs - EDGE_MS - setBackMs && !this.#isExcused(at))
      this.#report('a source is silent when nothing has come for so long', `${at - last} ms`);
    const before = this.#silences.at(-1);
    if (before?.isBack === isBack && !this.#isExcused(at) && !this.#isExcused(before.at))
      this.#report('the owner is told once of a silence', isBack ? 'back twice' : 'silent twice');
    this.#silences.push({ at, isBack });
  }

  #isSent({ text, phone }: Owed, by: number): boolean {
    return (this.#sentAt.get(text) ?? []).some((one) => one.phone === phone && one.end < by);
  }

  #isExcused(from: number, to = from): boolean {
    return this.#excuses.some((at) => at > from - LATE_MS && at < to + EDGE_MS);
  }

  /** `isNobodys`: its receiver has opted out, or a person has cancelled it or had it sent again. */
  atQuiet(now: number, isNobodys: (urgent: Owed) => boolean): void {
    const { escapeMs, heartbeatMs } = this.rules;
    for (const one of this.#urgent) {
      const dueAt = one.acceptedAt + escapeMs;
      const by = dueAt + ESCAPE_LATE_MS;
      const isTold = this.#isSent(one, by) || (this.#told.get(one.text) ?? []).some((at) => at < by);
      // What another account is to send is that one's.
      if (!isTold && one.other === null && !isNobodys(one) && this.#mustBeBy(dueAt, now, ESCAPE_LATE_MS))
        this.#report('the owner is told of what is not sent in time', one.text);
    }
    this.#heard.forEach((at, index) => {
      const until = this.#heard[index + 1] ?? now;
      const dueAt = at + heartbeatMs;
      const isTold = this.#silences.some((one) => !one.isBack && one.at > at && one.at < until + LATE_MS);
      const isUnsure = this.#maybeHeard.some((one) => one > at && one < until);
      if (until > dueAt + LATE_MS && !isTold && !isUnsure && this.#mustBeBy(dueAt, now))
        this.#report('the owner is told in time that a source is silent', `${until - at} ms`);
    });
  }

  #mustBeBy(dueAt: number, now: number, lateMs = LATE_MS): boolean {
    return dueAt + lateMs < now && !this.#isExcused(dueAt, dueAt + lateMs);
  }
}
