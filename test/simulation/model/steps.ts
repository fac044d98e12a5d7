import type { Changes } from './changes.ts';
import { SETTLING_MS, type Holds } from './holds.ts';
import type { Phones } from './phones.ts';
import type { Report, Wrong } from './report.ts';
import type { ShownAlert, Statement } from './statement.ts';

/** The phones that are called when nobody has had an incident for this long (ms). */
export interface Step {
  readonly afterMs: number;
  readonly phones: readonly string[];
}

interface WhoHas {
  has(key: string, at: number): boolean;
  freeSince(key: string): number;
  /** The longest time for which somebody surely had it without a break, since it opened. */
  longestSince(key: string, since: number, at: number): number;
  /** True if somebody may have had it since it opened, for as long as an acknowledgement lasts. */
  mayHaveLapsed(key: string, since: number): boolean;
  /** True if that may have ended in between: then it all begins again. */
  mayHaveRunOut(key: string, from: number, at: number): boolean;
  /** From when it surely ended last, at the earliest; null: that is not known. */
  ranOutFrom(key: string, since: number): number | null;
}

export interface StepFacts {
  readonly changes: Changes;
  readonly phones: Phones;
  readonly holds: Holds;
  readonly holders: WhoHas;
}

/** After messages that are dead, a phone gets nothing for so long (ms). */
const REST_MS = 21_600_000;

/** Each step is taken once, at its time, and only as long as nobody has the incident. */
export class Steps {
  readonly all: readonly Step[];
  readonly phones: ReadonlySet<string>;
  readonly #report: Report;
  readonly #facts: StepFacts;
  readonly #isGrouped: boolean;

  /** `isGrouped`: a step names all that is open and that nobody has. */
  constructor(
    report: Report,
    facts: StepFacts,
    { steps, isGrouped }: { readonly steps: readonly Step[]; readonly isGrouped: boolean },
  ) {
    this.all = steps;
    this.phones = new Set(steps.flatMap(({ phones }) => phones));
    this.#report = report;
    this.#facts = facts;
    this.#isGrouped = isGrouped;
  }

  has(phone: string): boolean {
    return this.phones.has(phone);
  }

  /** A phone that a step calls shows a message, which its earlier ones are not among yet. */
  shows({ says, ...alert }: ShownAlert): void {
    if (!this.has(alert.phone)) return;
    // Whoever hears of an end alone, and of one that they never heard of, is called for that one.
    const firing = says.filter(({ status }) => status !== 'resolved');
    for (const statement of firing) this.#check(statement, { ...alert, says: firing });
    this.#checkOnce({ ...alert, says });
    if (this.#isGrouped) this.#checkAll({ ...alert, says: firing });
  }

  /** A step is taken for all of its group that is open and that nobody has. */
  #checkAll({ phone, at, says, isOfStep }: ShownAlert): void {
    const { changes, phones, holds, holders } = this.#facts;
    // What may have arrived is sent again as it was.
    const keys = says.map(({ key }) => key);
    if (isOfStep !== true || phones.unsure.since(phone, keys, at - REST_MS)) return;
    const known = phones.lastOn(phone, at);
    const free = keys.filter((key) => !holders.has(key, at));
    const unknown = free.filter((key) => known.get(key) !== 'firing');
    // One that its phone knows only from an opening before is called for again.
    const again = free.filter(
      (key) =>
        known.get(key) === 'firing' && changes.mayHaveReopened(key, this.#lastAt(phone, key) ?? at, at),
    );
    const dueFor = (key: string): number => at - this.#earliest(phone, key, at);
    // What was due long ago had to wait, and may have been taken with the others of its group.
    if ([...unknown, ...again].some((key) => dueFor(key) > SETTLING_MS)) return;
    if (!unknown.some((key) => dueFor(key) >= 0)) return;
    const from = at - SETTLING_MS;
    for (const key of changes.keys) {
      const since = changes.openSince(key, at);
      if (since === null || since > from || keys.includes(key) || changes.isDoubtful(key, at)) continue;
      if (known.get(key) === 'firing' || known.get(key) === 'flapping' || holds.mayHold(key, from, at))
        continue;
      if (holders.has(key, at) || holders.freeSince(key) > from) continue;
      this.#report('a step names all of its group that nobody has', `${phone}: ${key}`);
    }
  }

  #check({ key, status, isNew }: Statement, { phone, at, says, isOfStep }: ShownAlert): void {
    const { changes, phones, holders } = this.#facts;
    if (changes.isDoubtful(key, at)) return;
    const message = `${phone}: ${key}`;
    // An incident that comes and goes may be over at the moment: its step was taken while it lasted, and had to wait.
    const isBetween = status === 'flapping' && changes.mayBeOpenSince(key, at) === null;
    const isDue = (one: string): boolean => at >= this.#earliest(phone, one, at) - SETTLING_MS;
    // It was called for with another one of its group, which may have ended while the message had to wait.
    const since = changes.mayBeOpenSince(key, at) ?? at;
    const wasDue = (one: string): boolean =>
      changes
        .of(one)
        .some(
          ({ status, requestedAt }) =>
            status === 'resolved' &&
            requestedAt > since &&
            requestedAt >= this.#earliest(phone, one, requestedAt) - SETTLING_MS,
        );
    const others = [...changes.keys];
    const isBeside =
      this.#isGrouped && (phones.notifiedOn(phone, at).has(key) || others.some(isDue) || others.some(wasDue));
    if (!isBetween && !isDue(key) && !isBeside)
      this.#report('a step is taken no sooner than its time', message);
    const known = phones.lastOn(phone, at).get(key);
    const isCall = known !== 'firing' && known !== 'flapping' && (isNew || says.length === 1);
    if (!isCall || phones.unsure.mayKnow(phone, key)) return;
    if (holders.has(key, at)) this.#report('nobody is called while somebody has it', message);
    if (isOfStep !== true) this.#report('a step says what happened so far', message);
  }

  /** Before this nobody may be notified by the step of a phone (ms). */
  #earliest(phone: string, key: string, at: number): number {
    const { changes, holders } = this.#facts;
    const since = changes.mayBeOpenSince(key, at) ?? Infinity;
    const afterMs = this.all.find(({ phones }) => phones.includes(phone))?.afterMs ?? Infinity;
    return since + afterMs + holders.longestSince(key, since, at);
  }

  /** Whoever knows all that a step's message is about is not called again. */
  #checkOnce({ phone, at, says, isOfStep }: ShownAlert): void {
    const { changes, phones, holders } = this.#facts;
    if (isOfStep !== true || says.length === 0) return;
    const notified = phones.notifiedOn(phone, at);
    const isKnown = ({ key, status }: Statement): boolean => {
      const before = phones
        .of(phone)
        .findLast((one) => one.says.some((said) => said.key === key && said.isNew));
      return (
        before !== undefined &&
        status === 'firing' &&
        notified.has(key) &&
        phones.newsOf(phone, key)?.status !== 'flapping' &&
        !changes.isDoubtful(key, at) &&
        !changes.mayHaveReopened(key, before.at - SETTLING_MS, at) &&
        !holders.mayHaveRunOut(key, before.at - SETTLING_MS, at) &&
        !phones.unsure.since(phone, [key], before.at)
      );
    };
    if (says.every(isKnown))
      this.#report('a step is taken once', `${phone}: ${says.map(({ key }) => key).join(', ')}`);
  }

  /** Steps that should have been taken `lateMs` ago. */
  *untaken(lateMs: number, at: number): Generator<Wrong> {
    const { changes, phones, holds, holders } = this.#facts;
    if (this.all.length === 0) return;
    for (const key of changes.keys) {
      const since = changes.openSince(key, at);
      if (since === null || changes.isDoubtful(key, at)) continue;
      const from = Math.max(since, holders.freeSince(key));
      for (const step of this.all) {
        if (from + step.afterMs + lateMs > at || holds.mayHold(key, from, at)) continue;
        for (const phone of step.phones) {
          const known = phones.lastOn(phone, at).get(key);
          if (known === 'flapping' || phones.wasRefused(phone, key)) continue;
          if (known === 'firing' && !this.#isStale(phone, key, since)) continue;
          if (phones.refusedAt(phone) > at - REST_MS) continue;
          yield {
            rule: holders.mayHaveLapsed(key, since)
              ? 'steps go on once an acknowledgement ends'
              : 'a step is taken in time',
            message: `${phone}: ${key}`,
          };
        }
      }
    }
  }

  /** True if the phone was called before an acknowledgement ended, and surely not since: it is called again. */
  #isStale(phone: string, key: string, since: number): boolean {
    const { phones, holders } = this.#facts;
    const from = holders.ranOutFrom(key, since);
    if (from === null || phones.newsOf(phone, key)?.status === 'flapping') return false;
    return (this.#lastAt(phone, key) ?? from) < from;
  }

  /** When the phone was last shown something of it (ms). */
  #lastAt(phone: string, key: string): number | undefined {
    return this.#facts.phones.of(phone).findLast(({ says }) => says.some((one) => one.key === key))?.at;
  }

  /** Whoever was called is notified of the end. */
  *unresolved(at: number): Generator<Wrong> {
    const { changes, phones } = this.#facts;
    for (const phone of this.phones) {
      const last = phones.lastOn(phone, at);
      for (const key of changes.keys) {
        const known = last.get(key);
        if (known === undefined || known === 'resolved') continue;
        if (changes.statusOf(key, at) !== 'resolved' || changes.isDoubtful(key, at)) continue;
        yield {
          rule: phones.wasRefused(phone, key)
            ? 'what a dead message said stays due'
            : 'receivers of a step are notified of the resolution',
          message: `${phone}: ${key}`,
        };
      }
    }
  }
}
