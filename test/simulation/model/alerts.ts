import { Changes, type Change } from './changes.ts';
import type { Facts } from './facts.ts';
import { Holders, type Notice } from './holders.ts';
import { Holds, SETTLING_MS } from './holds.ts';
import { Members } from './members.ts';
import { IN_TIME_MS, overdue, unreminded, unrepeated, wrongAtRest } from './owed.ts';
import { Phones } from './phones.ts';
import { Presses } from './presses.ts';
import { QuietHours, type Quiet } from './quiet-hours.ts';
import { Renames, type Farewell } from './renames.ts';
import type { Report, Wrong } from './report.ts';
import type { ShownAlert, Statement } from './statement.ts';
import { Steps, type Step } from './steps.ts';
import type { Throttle } from './throttle.ts';

export interface AlertRules {
  /** The time after which an incident is notified again, in ms; null: never. */
  readonly repeatMs: number | null;
  /** The hours in which the list is quiet. Null if it never is. */
  readonly quiet: Quiet | null;
  readonly throttle: Throttle | null;
  /** The key that inhibits all others while it is open; null: none does. */
  readonly inhibitor: string | null;
  /** An incident of which nobody speaks for so long is over, in ms; null: none ends in the time of a run. */
  readonly expiresMs: number | null;
  /** Those of the list take turns: whoever begins one is notified of what is open, also if they knew it. */
  readonly takesTurns: boolean;
  /** One message is about all that is open. */
  readonly isGrouped: boolean;
  readonly pressedSilenceMs: number;
  /** Whom steps call while nobody has an incident. */
  readonly steps: readonly Step[];
  readonly acknowledgedForMs: number;
}

const MINUTE_MS = 60_000;
/** No hold lasts longer, unless messages are held up (ms). */
const NIGHT_MS = 86_400_000;
/** Once nothing is wrong any more, a step is taken so soon after its time (ms). */
const STEP_MS = 15 * MINUTE_MS;
/** A message that had to wait for the last retry of the schedule, or behind others, is through after this time. */
const HELD_UP_MS = 10_800_000;

/** The model of the notifications of incidents that receivers may get, and must get. */
export class AlertsModel implements Facts {
  readonly changes: Changes;
  readonly phones: Phones;
  readonly members: Members;
  readonly holds: Holds;
  readonly quiet: QuietHours;
  readonly throttle: Throttle | null;
  readonly presses: Presses;
  readonly holders: Holders;
  readonly steps: Steps;
  readonly renames: Renames;
  /** When a change of the configuration that was made then is in force everywhere. */
  readonly inForceBy: (from: number) => number;
  readonly #report: Report;
  readonly #repeatMs: number | null;
  readonly #isGrouped: boolean;
  readonly #takesTurns: boolean;
  /** The messages of the problems that were reported as overdue. */
  readonly #overdue = new Set<string>();
  #heldUpAt = -Infinity;

  /** `failedUntil`: when what a change of the configuration needs is there again, if it was not since then; null: it was. */
  constructor(report: Report, rules: AlertRules, failedUntil: (from: number) => number | null = () => null) {
    const inForceBy = (from: number): number => (failedUntil(from) ?? from) + SETTLING_MS;
    this.inForceBy = inForceBy;
    this.changes = new Changes(rules.expiresMs);
    this.phones = new Phones(this.changes);
    this.members = new Members(inForceBy);
    this.holds = new Holds(this.changes, rules.inhibitor, inForceBy);
    this.quiet = new QuietHours(rules.quiet, SETTLING_MS);
    this.throttle = rules.throttle;
    this.presses = new Presses(report, this, rules);
    this.holders = new Holders(report, this);
    this.steps = new Steps(report, this, rules);
    this.renames = new Renames(report, this);
    this.#report = report;
    this.#repeatMs = rules.repeatMs;
    this.#isGrouped = rules.isGrouped;
    this.#takesTurns = rules.takesTurns;
  }

  /** Messages that were to be sent had to wait: for somebody who resumes, or for a gateway that answers. */
  heldUp(at: number): void {
    this.#heldUpAt = at;
  }

  /** True if a message that is sent then may have been due long before. */
  hadToWait(at: number): boolean {
    return at - this.#heldUpAt < HELD_UP_MS;
  }

  /** An object was lost, with what it had not written. `fullSince`: since when its disk is full, or was until just now (ms). */
  lost(at: number, fullSince: number | null = null): void {
    this.phones.unsure.lost(at, fullSince);
    this.holders.lost(at, fullSince);
  }

  noticed(notice: Notice): void {
    this.holders.called(notice);
  }

  saidFarewell(farewell: Farewell): void {
    if (farewell.isShown) this.#checkNumbers(farewell);
    this.renames.called(farewell);
  }

  called({ says: given, ...rest }: ShownAlert): void {
    const { phones } = this;
    // By itself a message does not say whether it is the first about this opening.
    const known = phones.notifiedOn(rest.phone, rest.at);
    const says = given.map((one) => ({ ...one, isNew: one.isNew && !known.has(one.key) }));
    const alert = { ...rest, says };
    phones.called(alert);
    if (!alert.isShown) return;
    this.#checkNumbers(alert);
    this.#checkOnlyCount(alert);
    for (const statement of says) this.#check(statement, alert);
    this.steps.shows(alert);
    this.#checkRepeat(alert, phones.of(alert.phone));
    phones.shows(alert);
  }

  #check({ key, status, isNew }: Statement, { phone, at }: ShownAlert): void {
    const { phones, members, quiet, holds } = this;
    const isCalled = this.steps.has(phone);
    if (this.changes.isDoubtful(key, at)) return;
    const expiredAt = this.changes.expiredAt(key, at);
    const changes = this.changes.of(key).filter(({ requestedAt }) => requestedAt > expiredAt);
    if (changes.length === 0 && expiredAt > -Infinity)
      return this.#report(
        this.hadToWait(at)
          ? 'delayed notifications leave out expired incidents'
          : 'nobody is notified of what expired',
        `${phone}: ${key} is ${status}`,
      );
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
      if (!members.has(phone, at) && !isCalled)
        this.#report('a receiver who left a list gets only resolutions', `${phone}: ${key}`);
      if (quiet.has(at) && !isCalled)
        this.#report(
          members.hasLeft(phone, at)
            ? 'who leaves a list has quiet hours still'
            : this.hadToWait(at)
              ? 'delayed notifications keep quiet hours'
              : 'quiet hours are kept',
          `${phone}: ${key}`,
        );
      const holder = holds.on(key, at);
      if (holder === null) return;
      const openings = this.hadToWait(at) ? 'delayed notifications' : 'openings';
      const held = status === 'flapping' ? 'flapping notices' : isNew ? openings : 'repeats';
      this.#report(`${holder} holds back ${held}`, `${phone}: ${key}`);
      return;
    }
    if (quiet.has(at) && !isCalled) this.#report('a resolution waits for the morning', `${phone}: ${key}`);
    // An end that comes after it expired is about the opening before.
    const opened = changes.find(isFiring) ?? this.changes.of(key).findLast(isFiring);
    const firedAt = opened?.requestedAt ?? Infinity;
    const wasNotified =
      phones.lastOn(phone, at).has(key) ||
      phones.unsure.mayKnow(phone, key) ||
      phones.unsure.hasLostSince(firedAt) ||
      // A resolution that comes after its incident expired goes to whoever was notified before.
      (expiredAt > -Infinity && isOpenTo(phones.lastEver(phone, key)));
    if (!wasNotified)
      this.#report(
        phones.wasRefused(phone, key)
          ? 'a dead message has notified nobody'
          : 'only receivers of the opening get the resolution',
        `${phone}: ${key}`,
      );
  }

  /** The numbers of a digest are statements, too: none counts more than there can be. */
  #checkNumbers({ phone, at, missed }: Omit<ShownAlert, 'says'>): void {
    if (missed === undefined) return;
    // It may count what was since the last message that arrived, and in the night before that.
    const from = (this.phones.of(phone).at(-1)?.at ?? -Infinity) - NIGHT_MS;
    if (missed.resolved > this.changes.resolvedSince(from))
      this.#report('a digest counts as resolved only what is', `${phone}: ${missed.resolved}`);
    if (missed.expired > this.changes.expiredSince(from, at))
      this.#report('a digest counts as not heard of only what is', `${phone}: ${missed.expired}`);
  }

  #checkOnlyCount({ phone, at, says, missed }: ShownAlert): void {
    const isOnlyCount = missed !== undefined && missed.resolved + missed.expired > 0 && says.length === 0;
    if (isOnlyCount && !this.members.has(phone, at) && !this.steps.has(phone))
      this.#report('who has left a list gets no message that only counts', phone);
  }

  /** A message that only repeats does so no sooner than it should. */
  #checkRepeat({ says, phone, at }: ShownAlert, before: readonly ShownAlert[]): void {
    // An incident that was held back may have fired more than once before its first message.
    const known = this.phones.lastOn(phone, at);
    const isRepeat = ({ key, status, isNew }: Statement): boolean =>
      status === 'firing' && !isNew && known.get(key) === 'firing';
    if (says.length === 0 || !says.every(isRepeat)) return;
    const keys = new Set(says.map(({ key }) => key));
    if ([...keys].some((key) => this.changes.isDoubtful(key, at))) return;
    const last = before.findLast((one) => one.says.some(({ key }) => keys.has(key)));
    if (last === undefined) return;
    // A statement that may not have arrived is repeated, whatever was said of another incident since, and listed
    // beside that.
    const isUnsure = (key: string): boolean => {
      const named = before.findLast(
        (one) =>
          one.says.some((said) => said.key === key && said.isNew) ||
          (one.says.some((said) => said.key === key) && one.says.every(isListed)),
      );
      return named !== undefined && this.phones.unsure.since(phone, [key], named.at);
    };
    if ([...keys].some(isUnsure)) return;
    const namedAt = (key: string): number =>
      before.findLast((one) => one.says.some((said) => said.key === key))?.at ?? last.at;
    // Whose turn began after a message gets it again, also where a list that changed says so later, or after a silence.
    const turnAt = this.#takesTurns && !this.steps.has(phone) ? this.members.turnBeganAt(phone) : -Infinity;
    if ([...keys].some((key) => turnAt > namedAt(key) - SETTLING_MS)) return;
    if ([...keys].some((key) => this.#mayHaveSaidResolved(key, namedAt(key)))) return;
    // Once nobody has an incident any more, all are notified of it again.
    if ([...keys].some((key) => this.holders.mayHaveRunOut(key, namedAt(key) - SETTLING_MS, at))) return;
    // An incident that flapped is notified once more when it is stable.
    if ([...keys].some((key) => this.phones.newsOf(phone, key)?.status === 'flapping')) return;
    const repeatMs = this.#repeatMs;
    const message = `${phone}: ${[...keys].join(', ')}`;
    if (this.members.isSteady(phone) && [...keys].every((key) => this.holders.has(key, at)))
      return this.#report('what somebody has is not repeated', message);
    const isPure = last.says.every(({ status }) => status === 'firing');
    if (isPure && at - last.at < MINUTE_MS)
      this.#report('delayed notifications come as one message', message);
    else if (repeatMs === null || at - last.at < repeatMs / 2 - SETTLING_MS)
      this.#report('a repeat is not sent too early', message);
  }

  /** An object that was lost since then may have called, or not, to say that it was resolved: it opens once more. */
  #mayHaveSaidResolved(key: string, from: number): boolean {
    const resolved = this.changes
      .of(key)
      .find(({ status, requestedAt }) => status === 'resolved' && requestedAt > from);
    return resolved !== undefined && this.phones.unsure.hasLostSince(resolved.requestedAt);
  }

  /** Messages are sent: what is due should have been as well. */
  flows(at: number): void {
    if (this.hadToWait(at)) return;
    for (const { rule, message } of this.#late(at)) {
      if (this.#overdue.has(message)) continue;
      this.#overdue.add(message);
      this.#report(rule, message);
    }
  }

  *#late(at: number): Generator<Wrong> {
    yield* overdue(this, at);
    yield* this.steps.untaken(IN_TIME_MS, at);
    yield* unrepeated(this, this.holders, { everyMs: this.#repeatMs, isGrouped: this.#isGrouped }, at);
    yield* this.holders.unheard(at - IN_TIME_MS, at);
  }

  *#wrong(at: number): Generator<Wrong> {
    yield* wrongAtRest(this, at);
    yield* this.steps.unresolved(at);
    yield* this.steps.untaken(STEP_MS, at);
    if (this.#takesTurns) yield* unreminded(this, at);
    yield* this.holders.unheard(at - MINUTE_MS, at);
    yield* this.renames.unheard(at);
  }

  isSettled(at: number): boolean {
    return this.#wrong(at).next().done === true;
  }

  /** `open`: the keys of open incidents, as the API says; `has`: who has those that somebody has. */
  atQuiet(open: ReadonlySet<string>, has: ReadonlyMap<string, string>, at: number): void {
    const { changes, members } = this;
    for (const { rule, message } of this.#wrong(at)) this.#report(rule, message);
    this.holders.atQuiet(has, at);
    for (const key of changes.keys) {
      const status = changes.statusOf(key, at);
      if (open.has(key) === (status === 'firing') || changes.isDoubtful(key, at)) continue;
      this.#report(
        open.has(key) && members.hasAnyLeft
          ? 'an incident is resolved for who left a list'
          : 'the API says which incidents are open',
        `${key} is ${status}`,
      );
    }
  }
}

const isOpenTo = (status: Statement['status'] | undefined): boolean =>
  status === 'firing' || status === 'flapping';

const isFiring = ({ status }: Change): boolean => status === 'firing';

const isListed = ({ status, isNew }: Statement): boolean => status === 'firing' && !isNew;
