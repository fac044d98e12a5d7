import type { Rename } from './changes.ts';
import type { Facts } from './facts.ts';
import { SETTLING_MS } from './holds.ts';
import type { Report, Wrong } from './report.ts';
import type { ShownAlert } from './statement.ts';

/** The last message of a route that is gone: the incidents that it names, and the number of those that are not watched any more. */
export interface Farewell extends Omit<ShownAlert, 'says'> {
  readonly resolved: readonly string[];
  readonly unwatched: readonly string[];
  readonly count: number;
}

/** What was known of the incidents of a route when it got another name. */
interface Ended {
  readonly rename: Rename;
  /** The keys of those that surely were open, and of those that may have been. */
  readonly open: ReadonlySet<string>;
  readonly mayBeOpen: ReadonlySet<string>;
  /** Phones that surely showed an open one as firing, with its key. */
  readonly notified: readonly (readonly [phone: string, key: string])[];
}

/** Routes that get another name: their incidents are not watched any more, and nobody is told that they are resolved. */
export class Renames {
  readonly #report: Report;
  readonly #facts: Facts;
  readonly #all: Ended[] = [];
  readonly #farewells: Farewell[] = [];

  constructor(report: Report, facts: Facts) {
    this.#report = report;
    this.#facts = facts;
  }

  begins(at: number): Rename {
    const { changes, members, steps } = this.#facts;
    const keys = [...changes.keys];
    const open = keys.filter((key) => changes.openSince(key, at) !== null && !changes.isDoubtful(key, at));
    const notified = [...members.phones, ...steps.phones].flatMap((phone) =>
      open.flatMap((key) => (this.#isNotified(phone, key, at) ? [[phone, key] as const] : [])),
    );
    const mayBeOpen = keys.filter(
      (key) => changes.mayBeOpenSince(key, at) !== null || changes.isDoubtful(key, at),
    );
    const rename = { from: at, until: Infinity };
    this.#all.push({ rename, open: new Set(open), mayBeOpen: new Set(mayBeOpen), notified });
    changes.renames.push(rename);
    return rename;
  }

  /** True if the phone surely shows it as firing. */
  #isNotified(phone: string, key: string, at: number): boolean {
    const { changes, phones } = this.#facts;
    const last = phones.of(phone).findLast(({ says }) => says.some((said) => said.key === key));
    if (last === undefined || last.isUncertain || last.at > at - SETTLING_MS) return false;
    const isSaid = last.says.findLast((said) => said.key === key)?.status === 'firing';
    return isSaid && last.at > changes.expiredAt(key, at) && !phones.unsure.since(phone, [key], last.at);
  }

  /** When the route got its name (ms). */
  get lastAt(): number {
    return this.#all.at(-1)?.rename.until ?? -Infinity;
  }

  called(farewell: Farewell): void {
    const { phone, at, isShown, resolved, unwatched, count } = farewell;
    if (!isShown) return;
    this.#farewells.push(farewell);
    const { phones, quiet, steps } = this.#facts;
    for (const key of resolved)
      if (this.#all.every(({ open }) => open.has(key)))
        this.#report('nothing renamed is said to be resolved', `${phone}: ${key}`);
    for (const key of unwatched) {
      if (!this.#all.some(({ mayBeOpen }) => mayBeOpen.has(key)))
        this.#report('only what was open is said to be watched no longer', `${phone}: ${key}`);
      const isKnown = phones.of(phone).some(({ says }) => says.some((one) => one.key === key));
      if (!isKnown && !phones.unsure.mayKnow(phone, key))
        this.#report('only who was notified hears that it is not watched any more', `${phone}: ${key}`);
    }
    if (count > this.#all.reduce((sum, { mayBeOpen }) => sum + mayBeOpen.size, 0))
      this.#report('a message counts as watched no longer only what is', `${phone}: ${count}`);
    if (unwatched.length > 0 && quiet.has(at) && !steps.has(phone))
      this.#report('that something is not watched any more waits for the morning', phone);
  }

  /** Finds those who were notified of what is not watched any more, and have not heard that, once nothing waits. */
  *unheard(at: number): Generator<Wrong> {
    const { phones } = this.#facts;
    for (const { rename, notified } of this.#all) {
      if (rename.until + SETTLING_MS > at) continue;
      for (const [phone, key] of notified) {
        const isHeard = this.#farewells.some(
          (one) =>
            one.phone === phone &&
            one.at >= rename.from &&
            (one.unwatched.includes(key) || one.count > one.unwatched.length),
        );
        if (!isHeard && phones.refusedAt(phone) < rename.from - REST_MS)
          yield {
            rule: 'who was notified hears that it is not watched any more',
            message: `${phone}: ${key}`,
          };
      }
    }
  }
}

/** After messages that are dead, a phone gets nothing for so long (ms). */
const REST_MS = 21_600_000;
