import type { Facts } from './facts.ts';
import { isOfSame } from './link.ts';
import { MOMENT_MS, type Press } from './press.ts';
import type { Report, Wrong } from './report.ts';
import type { ShownAlert } from './statement.ts';
import { UnsureCalls } from './unsure.ts';

/** A message to the others: somebody has incidents, or has them no more. */
export interface Notice extends Omit<ShownAlert, 'says'> {
  readonly who: string;
  readonly isBack: boolean;
  readonly keys: readonly string[];
}

const MINUTE_MS = 60_000;

export class Holders {
  readonly #report: Report;
  readonly #facts: Facts;
  readonly #notices: Notice[] = [];
  readonly #unsure = new UnsureCalls();

  constructor(report: Report, facts: Facts) {
    this.#report = report;
    this.#facts = facts;
  }

  lost(at: number, fullSince: number | null): void {
    this.#unsure.lost(at, fullSince);
  }

  /** Presses of `ack` that may have an incident. */
  #of(key: string): readonly Press[] {
    return this.#facts.presses.all.filter(
      ({ link, state }) =>
        link.action === 'ack' && state !== 'not' && (link.isWide || link.keys.includes(key)),
    );
  }

  has(key: string, at: number): boolean {
    return this.#of(key).some((press) => this.#isHeldBy(press, key, at));
  }

  #isHeldBy(press: Press, key: string, at: number): boolean {
    const { changes, presses } = this.#facts;
    const { state, open, endedAt, requestedAt, link } = press;
    return (
      state === 'done' &&
      open.has(key) &&
      endedAt < at - MOMENT_MS &&
      at < presses.mayLapseFrom(press) &&
      // Whoever takes one press back has what both are about no more.
      !presses.all.some(
        ({ undo, link: other }) => undo !== null && other.by === link.by && isOfSame(other, link),
      ) &&
      !changes.mayHaveEnded(key, requestedAt - MOMENT_MS, at) &&
      !changes.isDoubtful(key, at)
    );
  }

  /** Since when surely nobody has it (ms); Infinity: somebody may. */
  freeSince(key: string): number {
    const { changes, presses } = this.#facts;
    const ends = this.#of(key).map(
      (press) =>
        press.undo?.doneAt ??
        Math.min(
          changes.endedAfter(
            key,
            press.endedAt === Infinity ? press.requestedAt + MINUTE_MS : press.endedAt,
          ) ?? Infinity,
          presses.hasLapsedBy(press),
        ),
    );
    return Math.max(-Infinity, ...ends);
  }

  /** The longest time for which somebody surely had it without a break, since it opened (ms). */
  longestSince(key: string, since: number, at: number): number {
    const { presses } = this.#facts;
    const spans = this.#of(key).map((press) => {
      const until = Math.min(at, presses.mayLapseFrom(press)) - 1;
      return press.requestedAt >= since && this.#isHeldBy(press, key, until) ? until - press.endedAt : 0;
    });
    return Math.max(0, ...spans);
  }

  /** True if somebody may have had it since it opened, for as long as an acknowledgement lasts. */
  mayHaveLapsed(key: string, since: number): boolean {
    return this.#of(key).some(({ requestedAt, undo }) => requestedAt >= since && undo === null);
  }

  /**
   * True if an acknowledgement may have run out in between, since nobody renewed it: then all hear of the incident
   * again.
   */
  mayHaveRunOut(key: string, from: number, at: number): boolean {
    const { presses } = this.#facts;
    const own = this.#of(key);
    // An earlier one that only another person's made last longer runs out once that is taken back.
    const isUndone = own.some(
      ({ undo }) => undo !== null && undo.requestedAt <= at && (undo.doneAt ?? Infinity) >= from,
    );
    return own.some(
      (press) => presses.mayLapseFrom(press) <= at && (isUndone || presses.hasLapsedBy(press) >= from),
    );
  }

  /** From when it surely ran out last, at the earliest (ms); null: that is not known. */
  ranOutFrom(key: string, since: number): number | null {
    const { presses } = this.#facts;
    const own = this.#of(key);
    const isSure = own.every(
      ({ state, undo, isAgain, open, requestedAt }) =>
        state === 'done' && undo === null && !isAgain && open.has(key) && requestedAt >= since,
    );
    return isSure && own.length > 0 ? Math.max(...own.map((press) => presses.mayLapseFrom(press))) : null;
  }

  wasGivenBack(key: string): boolean {
    return this.#of(key).some(({ undo }) => undo !== null);
  }

  /** A message to the others reached the gateway. */
  called(notice: Notice): void {
    const { who, isBack, keys, phone, isShown } = notice;
    const before = this.#notices.filter(
      (one) => one.phone === phone && one.who === who && one.isBack === isBack,
    );
    this.#unsure.called({ ...notice, says: keys.map((key) => ({ key, status: 'firing', isNew: false })) });
    this.#notices.push(notice);
    if (isShown) for (const key of keys) this.#check(notice, key, before);
  }

  #check({ who, isBack, phone, at }: Notice, key: string, before: readonly Notice[]): void {
    const { changes } = this.#facts;
    const message = `${phone}: ${who} ${isBack ? 'has no more' : 'has'} ${key}`;
    const own = this.#of(key).filter(({ link, requestedAt }) => link.by === who && requestedAt <= at);
    const undone = own.filter(({ undo }) => undo !== null && undo.requestedAt <= at);
    if ((isBack ? undone : own).length === 0)
      return this.#report(
        isBack
          ? 'who is said to have it no more took that back'
          : 'who is said to have an incident has pressed',
        message,
      );
    if (own.every(({ link }) => link.phone === phone))
      this.#report('whoever pressed gets no notification of it', message);
    const isOver = changes.isDoubtful(key, at) ? null : changes.overSince(key, at);
    if (isOver !== null && isOver < at - MINUTE_MS)
      this.#report('nobody hears who has what is over', message);
    const isGone = own.every(({ undo }) => undo !== null && (undo.doneAt ?? Infinity) < at - MOMENT_MS);
    if (!isBack && isGone) this.#report('nobody hears who had it', message);
    const arrived = before.filter((one) => one.isShown && !one.isUncertain && one.keys.includes(key));
    const isUnsure = this.#unsure.since(phone, [key], arrived[0]?.at ?? at);
    if (!isUnsure && arrived.length > 0 && arrived.length >= (isBack ? undone : own).length)
      this.#report('the others hear once who has it', message);
  }

  /** Finds what others have not heard of presses before `from` (ms). */
  *unheard(from: number, at: number): Generator<Wrong> {
    for (const press of this.#facts.presses.all) {
      const { link, state, endedAt, undo } = press;
      if (link.action !== 'ack' || state !== 'done' || press.isAgain) continue;
      if (undo === null && endedAt < from) yield* this.#deaf(press, at);
      else if (undo !== null && (undo.doneAt ?? Infinity) < from) yield* this.#deafToUndo(press, undo, at);
    }
  }

  *#deaf(press: Press, at: number): Generator<Wrong> {
    for (const [key, phones] of press.knew) {
      if (!this.#isHeldBy(press, key, at) || !this.#isAlone(press, key)) continue;
      for (const phone of phones)
        if (!this.#heard(press, key, phone, false, press.requestedAt))
          yield { rule: 'the others hear who has it', message: `${phone}: ${press.link.by} has ${key}` };
    }
  }

  *#deafToUndo(press: Press, undo: NonNullable<Press['undo']>, at: number): Generator<Wrong> {
    const { changes } = this.#facts;
    for (const [key, phones] of press.knew) {
      if (!this.#isAlone(press, key) || changes.mayHaveEnded(key, press.requestedAt - MOMENT_MS, at))
        continue;
      if (changes.isDoubtful(key, at)) continue;
      for (const phone of phones) {
        const heard = this.#notices.some(
          (one) =>
            one.phone === phone &&
            !one.isBack &&
            one.isShown &&
            !one.isUncertain &&
            one.keys.includes(key) &&
            one.at > press.requestedAt &&
            one.at < undo.requestedAt - MOMENT_MS,
        );
        if (heard && !this.#heard(press, key, phone, true, undo.requestedAt))
          yield {
            rule: 'who heard that somebody has it hears that it is no more so',
            message: `${phone}: ${press.link.by} has no more ${key}`,
          };
      }
    }
  }

  /** True if a call was made, or may have been, for a message that says it. */
  #heard({ link }: Press, key: string, phone: string, isBack: boolean, from: number): boolean {
    return this.#notices.some(
      (one) =>
        one.phone === phone &&
        one.who === link.by &&
        one.isBack === isBack &&
        one.at >= from &&
        (one.keys.includes(key) || one.keys.length >= MOST_NAMED),
    );
  }

  #isAlone(press: Press, key: string): boolean {
    return this.#of(key).every(
      (one) =>
        one === press || (this.#facts.changes.endedAfter(key, one.endedAt) ?? Infinity) < press.requestedAt,
    );
  }

  /** Checks what the API says of who has what. `said`: the names by the keys of acknowledged incidents. */
  atQuiet(said: ReadonlyMap<string, string>, at: number): void {
    for (const key of this.#facts.changes.keys) {
      const who = said.get(key);
      const isWrong =
        who === undefined ? this.has(key, at) : this.#of(key).every(({ link }) => link.by !== who);
      const isFree = who !== undefined && this.freeSince(key) < at;
      if (isWrong || isFree) this.#report('the API says who has an incident', `${key}: ${who ?? 'nobody'}`);
    }
  }
}

/** A message names no more incidents. */
const MOST_NAMED = 5;
