import { Changes, type Change } from './changes.ts';
import { Holds, SETTLING_MS } from './holds.ts';
import { QuietHours, type Quiet } from './quiet-hours.ts';
import type { Report } from './report.ts';
import type { ShownAlert, Statement } from './statement.ts';

/** A time span; `until` may be ahead. */
interface Span {
  readonly from: number;
  until: number;
}

export interface AlertRules {
  /** How long after the last one an incident is notified again, in ms; null: never. */
  readonly repeatMs: number | null;
  /** When the list is quiet; null: never. */
  readonly quiet: Quiet | null;
}

const MINUTE_MS = 60_000;
/** What had to wait for the last retry of the schedule, or behind others, is through after this time. */
const HELD_UP_MS = 10_800_000;

/** What receivers may and must have been told of incidents (contract §9). */
export class AlertsModel {
  readonly #report: Report;
  readonly #rules: AlertRules;
  readonly #changes = new Changes();
  /** Per phone, all that it was shown. */
  readonly #shown = new Map<string, ShownAlert[]>();
  /** Phone and key of what the gateway refused for good, and of openings that may have been shown. */
  readonly #refused = new Set<string>();
  readonly #uncertain = new Set<string>();
  /** When an opening was tried in vain first, by phone and key. */
  readonly #tried = new Map<string, number>();
  readonly #holds: Holds;
  readonly #members = new Map<string, Span[]>();
  #heldUpAt = -Infinity;
  readonly #quiet: QuietHours;
  readonly #inForceBy: (from: number) => number;

  /** `failedUntil`: when what a change of the configuration needs is there again, if it was not since then; null: it was. */
  constructor(report: Report, rules: AlertRules, failedUntil: (from: number) => number | null = () => null) {
    this.#report = report;
    this.#rules = rules;
    this.#inForceBy = (from) => (failedUntil(from) ?? from) + SETTLING_MS;
    this.#holds = new Holds(this.#inForceBy);
    this.#quiet = new QuietHours(rules.quiet, SETTLING_MS);
  }

  said(key: string, change: Change): void {
    this.#changes.said(key, change);
  }

  silenced(key: string, from: number): { until: number } {
    return this.#holds.silenced(key, from);
  }

  joined(phone: string, at: number): void {
    const spans = this.#members.get(phone) ?? [];
    this.#members.set(phone, spans);
    spans.push({ from: at, until: Infinity });
  }

  left(phone: string, at: number): void {
    const last = this.#members.get(phone)?.at(-1);
    if (last !== undefined) last.until = at;
  }

  #isMember(phone: string, at: number): boolean {
    return (
      this.#members.get(phone)?.some(({ from, until }) => at >= from && at <= this.#inForceBy(until)) ?? false
    );
  }

  #hasLeft(phone: string, at: number): boolean {
    return (this.#members.get(phone)?.at(-1)?.until ?? Infinity) <= at;
  }

  /** What was to be sent had to wait: for somebody who resumes, or for a gateway that answers. */
  heldUp(at: number): void {
    this.#heldUpAt = at;
  }

  /** Whether what is sent then may have been due long before. */
  hadToWait(at: number): boolean {
    return at - this.#heldUpAt < HELD_UP_MS;
  }

  called({ says: given, ...rest }: ShownAlert): void {
    // By itself a message does not say whether it is the first about this opening.
    const last = this.#lastOn(rest.phone);
    const says = given.map((one) => ({ ...one, isNew: one.isNew && last.get(one.key) !== 'firing' }));
    const alert = { ...rest, says };
    const { phone } = alert;
    for (const { key, status } of says) {
      if (alert.isRefused) this.#refused.add(`${phone} ${key}`);
      if (!alert.isShown && status === 'firing' && !this.#tried.has(`${phone} ${key}`))
        this.#tried.set(`${phone} ${key}`, alert.at);
      if (alert.isUncertain && status === 'firing') this.#uncertain.add(`${phone} ${key}`);
    }
    if (!alert.isShown) return;
    const before = this.#shown.get(phone) ?? [];
    this.#shown.set(phone, before);
    for (const statement of says) this.#check(statement, alert);
    this.#checkRepeat(alert, before);
    before.push(alert);
  }

  #check({ key, status, isNew }: Statement, { phone, at }: ShownAlert): void {
    const changes = this.#changes.of(key);
    const isKnown = changes.some(
      (change) => (change.status === status || status === 'flapping') && change.requestedAt <= at,
    );
    if (!isKnown) this.#report('no message says what never was', `${phone}: ${key} is ${status}`);
    // The sender may not have the answer yet to what the message is about.
    const now = changes.at(-1);
    const isOver =
      now?.acceptedAt !== undefined && now.acceptedAt !== null && now.acceptedAt < at - MINUTE_MS;
    if (status !== 'flapping' && isOver && now.status !== status)
      this.#report(
        status === 'resolved'
          ? 'no resolution is sent once it fires again'
          : 'no opening is sent once it is resolved',
        `${phone}: ${key} is ${now.status}`,
      );
    if (status !== 'resolved') {
      if (!this.#isMember(phone, at))
        this.#report('who left a list is notified of no firing', `${phone}: ${key}`);
      if (this.#quiet.has(at))
        this.#report(
          this.#hasLeft(phone, at)
            ? 'who leaves a list has quiet hours still'
            : this.hadToWait(at)
              ? 'what had to wait keeps quiet hours'
              : 'quiet hours are kept',
          `${phone}: ${key}`,
        );
      const hold = this.#holds.on(key, at);
      if (hold === null) return;
      const waitsSince = Math.min(
        this.#tried.get(`${phone} ${key}`) ?? Infinity,
        this.hadToWait(at) ? this.#newsSince(phone, key) : Infinity,
      );
      const held =
        status === 'flapping'
          ? 'flapping notices'
          : !isNew
            ? 'repeats'
            : waitsSince < hold.since
              ? 'what had to wait'
              : 'openings';
      this.#report(`${hold.by} holds back ${held}`, `${phone}: ${key}`);
      return;
    }
    if (this.#quiet.has(at)) this.#report('a resolution waits for the morning', `${phone}: ${key}`);
    const wasNotified = this.#lastOn(phone).has(key) || this.#uncertain.has(`${phone} ${key}`);
    if (!wasNotified)
      this.#report(
        this.#refused.has(`${phone} ${key}`)
          ? 'a dead message has notified nobody'
          : 'a resolution goes to who was notified of the opening',
        `${phone}: ${key}`,
      );
  }

  /** When it fired first since the phone was shown something of it. */
  #newsSince(phone: string, key: string): number {
    const shown = this.#shown.get(phone)?.findLast(({ says }) => says.some((one) => one.key === key));
    const firing = this.#changes
      .of(key)
      .find(({ status, requestedAt }) => status === 'firing' && requestedAt > (shown?.at ?? -Infinity));
    return firing?.requestedAt ?? Infinity;
  }

  /** A message that only repeats does so no sooner than it should. */
  #checkRepeat({ says, phone, at }: ShownAlert, before: readonly ShownAlert[]): void {
    if (says.length === 0 || !says.every(({ status, isNew }) => status === 'firing' && !isNew)) return;
    const keys = new Set(says.map(({ key }) => key));
    const last = before.findLast((one) => one.says.some(({ key }) => keys.has(key)));
    if (last === undefined) return;
    const { repeatMs } = this.#rules;
    const message = `${phone}: ${[...keys].join(', ')}`;
    const isPure = last.says.every(({ status }) => status === 'firing');
    if (isPure && at - last.at < MINUTE_MS) this.#report('what had to wait comes as one message', message);
    else if (repeatMs === null || at - last.at < repeatMs / 2 - SETTLING_MS)
      this.#report('a repeat comes after its time', message);
  }

  /** Whether each phone's last message is true, and who must know of an incident does. */
  *#wrong(): Generator<{ rule: string; message: string }> {
    for (const [phone, spans] of this.#members) {
      const isMember = spans.at(-1)?.until === Infinity;
      const last = this.#lastOn(phone);
      for (const key of this.#changes.keys) {
        const status = this.#changes.statusOf(key);
        const known = last.get(key);
        const message = `${phone}: ${key} is ${status}, and its last message says ${known ?? 'nothing'}`;
        if (status === known) continue;
        const isRefused = this.#refused.has(`${phone} ${key}`);
        if (known === 'flapping') yield { rule: 'what flapped is said to be stable', message };
        else if (status === 'resolved' && known === 'firing')
          yield {
            rule: isRefused
              ? 'what a dead message said stays due'
              : isMember && spans.length === 1
                ? 'who was notified of an opening is notified of its resolution'
                : 'who left a list is notified of resolutions',
            message,
          };
        else if (status === 'firing' && isMember)
          yield {
            rule: isRefused
              ? 'what a dead message said stays due'
              : known === 'resolved'
                ? 'a resolution that is not so is not the last word'
                : spans.length === 1 && spans[0]?.from === -Infinity
                  ? 'who is on a list is notified of what is open'
                  : 'who joins a list is notified of what is open',
            message,
          };
      }
    }
  }

  #lastOn(phone: string): ReadonlyMap<string, Statement['status']> {
    const last = new Map<string, Statement['status']>();
    for (const { says } of this.#shown.get(phone) ?? [])
      for (const { key, status } of says) last.set(key, status);
    return last;
  }

  get isSettled(): boolean {
    return this.#wrong().next().done === true;
  }

  atQuiet(open: ReadonlySet<string>): void {
    for (const { rule, message } of this.#wrong()) this.#report(rule, message);
    const hasLeft = [...this.#members.values()].flat().some(({ until }) => until < Infinity);
    for (const key of this.#changes.keys)
      if (open.has(key) !== (this.#changes.statusOf(key) === 'firing'))
        this.#report(
          open.has(key) && hasLeft
            ? 'an incident is resolved for who left a list'
            : 'the API says which incidents are open',
          `${key} is ${this.#changes.statusOf(key)}`,
        );
  }
}
