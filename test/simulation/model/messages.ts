import { SETTLING_MS } from './holds.ts';
import type { Report } from './report.ts';

export type Outcome = 'sent' | 'refused' | 'uncertain' | 'unauthorized' | 'forbidden' | 'retry' | 'dead';

/** One call that reached the gateway. Times in ms, of the simulation. */
export interface GatewayCall {
  readonly at: number;
  /** The time when its maker has the answer, or gives up waiting. */
  readonly endsAt: number;
  readonly account: string;
  readonly phone: string;
  readonly text: string;
  readonly outcome: Outcome;
  readonly isShown: boolean;
}

/** A message that the relay owes: its text is like no other's. */
export interface Owed {
  readonly source: string;
  readonly phone: string;
  readonly text: string;
  /** True if the message waits for a person once it is uncertain. */
  readonly isHeld: boolean;
  /** The account that sends it when its own does not; null: none does. */
  readonly other: string | null;
  /** Once it is this old, it is not sent any more (ms); null: it is, however old. */
  readonly expiresMs?: number | null;
  /** The text of the message that is sent once it is dead; null: none is. */
  readonly fallback?: string | null;
  readonly requestedAt: number;
  readonly acceptedAt: number;
}

interface Known {
  readonly owed: Owed;
  /** The message that it is the fallback of; null: of none. */
  readonly of: Known | null;
  readonly calls: GatewayCall[];
  /** Times at which a person asked for one more. */
  readonly again: number[];
  isCancelled: boolean;
}

/** An instance may die this long after an answer, and not have written it down (ms). */
const UNWRITTEN_MS = 10_000;
/** A call arrives so late after it was made (ms): its maker may be gone by then. */
const WAY_MS = 1_000;
/** The states that a message may have if no call was made for it, and its receiver may have opted out. */
const UNSENT: ReadonlySet<string> = new Set(['suppressed', 'queued', 'retrying', 'sending']);
/** A thousand messages take a third of this at the account's pace. */
const SOON_MS = 3_600_000;
const REFUSALS = 3;
const FORBIDDEN = 3;
/** By then what is too old was looked at once more, even if it had to wait for its last retry, and for somebody who wakes its object (ms). */
const NOTICED_MS = 10_800_000;

/** The number of messages that a digest takes the place of; null: it is no digest. */
export function countIn(text: string): number | null {
  const [, count] = /^(\d+) messages:$/m.exec(text) ?? [];
  return count === undefined ? null : Number(count);
}

/** Messages that say one thing once: nothing is lost, nothing is sent twice but where nobody can know whether it arrived, and order is kept. */
export class MessagesModel {
  readonly #report: Report;
  readonly #retries: number;
  readonly #maySuppress: (message: Owed, from: number) => boolean;
  readonly #digestAbove: number | null;
  /** By phone: when a digest of what waited for it was called last (ms). */
  readonly #digestAt = new Map<string, number>();
  readonly #known = new Map<string, Known>();
  readonly #soon = new Map<string, number>();
  readonly #early = new Map<string, GatewayCall[]>();
  /** The times when an object with an account's messages was lost. */
  readonly #losses: number[] = [];
  /** By a loss: since when the disk was full, so that nothing was written. */
  readonly #fullSince = new Map<number, number>();
  /** The times when the gateway took no connection, so that an attempt made no call. */
  readonly #unreachable: number[] = [];

  /**
   * `retries`: how often the schedule tries again. `maySuppress`: whether its receiver may have opted out after a time.
   * `digestAbove`: if more wait for one receiver, they are one message; null: they never are.
   */
  constructor(
    report: Report,
    retries: number,
    maySuppress: (message: Owed, from: number) => boolean = () => false,
    digestAbove: number | null = null,
  ) {
    this.#maySuppress = maySuppress;
    this.#digestAbove = digestAbove;
    this.#report = report;
    this.#retries = retries;
  }

  lost(at: number, fullSince: number | null = null): void {
    this.#losses.push(at);
    if (fullSince !== null) this.#fullSince.set(at, fullSince);
  }

  unreachable(at: number): void {
    this.#unreachable.push(at);
  }

  #lossBetween(from: number, to: number): boolean {
    return this.#losses.some((at) => at >= from && (this.#fullSince.get(at) ?? at) <= to);
  }

  accepted(owed: Owed): void {
    if (this.#known.has(idOf(owed))) return;
    const known = this.#add({ owed, of: null, again: [] });
    const { fallback = null } = owed;
    // A person who has either sent again may have both sent again.
    if (fallback !== null) this.#add({ owed: { ...owed, text: fallback }, of: known, again: known.again });
  }

  /** It must be sent soon, whatever else waits. */
  soon(id: { readonly phone: string; readonly text: string }, acceptedAt: number): void {
    this.#soon.set(idOf(id), acceptedAt);
  }

  #add(one: Pick<Known, 'owed' | 'of' | 'again'>): Known {
    const id = idOf(one.owed);
    const known = { ...one, calls: this.#early.get(id) ?? [], isCancelled: false };
    this.#known.set(id, known);
    this.#early.delete(id);
    return known;
  }

  called(call: GatewayCall, isHeld: boolean): void {
    const id = idOf(call);
    const count = countIn(call.text);
    if (count !== null) {
      this.#digestAt.set(call.phone, call.at);
      if (count <= (this.#digestAbove ?? Infinity))
        this.#report('only more than may wait become one message', `${call.phone}: ${count}`);
    }
    const known = this.#known.get(id);
    // It may be sent before its sender has the answer.
    const calls = known?.calls ?? this.#early.get(id) ?? [];
    if (known === undefined) this.#early.set(id, calls);
    const before = calls.at(-1);
    if (before !== undefined) this.#checkRepeat(before, call, known, isHeld);
    calls.push(call);
    if (known === undefined || known.again.length > 0) return;
    if (call.at > expiryOf(known.owed, 'acceptedAt') + SETTLING_MS)
      this.#report('what is too old is not sent', `${call.phone}: ${call.text}`);
  }

  #checkRepeat(before: GatewayCall, call: GatewayCall, known: Known | undefined, isHeld: boolean): void {
    // A message that a person retries or replays has two lives, which nobody can distinguish by their text.
    if (known !== undefined && known.again.length > 0) return;
    const isLost = this.#lossBetween(before.at - WAY_MS, before.endsAt + UNWRITTEN_MS);
    const who = `${call.phone} got ${call.text} after ${before.outcome}`;
    if (before.outcome === 'sent' && !(isLost && !isHeld))
      this.#report('a message that was sent is not sent again', who);
    // Its sender may not know yet that it was accepted, nor the model where it goes.
    const isOther =
      before.account !== call.account && (known === undefined || call.account === known.owed.other);
    if (before.outcome === 'dead' && !isLost && !isOther)
      this.#report('a message that is dead is not tried again', who);
    if (before.outcome === 'uncertain' && isHeld)
      this.#report('a message that is held is not tried again by itself', who);
    if (call.at < before.endsAt && !isLost) this.#report('a message is under way once at a time', who);
  }

  again(id: { readonly phone: string; readonly text: string }, at: number): void {
    this.#known.get(idOf(id))?.again.push(at);
  }

  cancelled(id: { readonly phone: string; readonly text: string }): void {
    const known = this.#known.get(idOf(id));
    if (known !== undefined) known.isCancelled = true;
  }

  /** True if a person has cancelled it, or had it sent again. */
  isByHand(id: { readonly phone: string; readonly text: string }): boolean {
    const { isCancelled = false, again = [] } = this.#known.get(idOf(id)) ?? {};
    return isCancelled || again.length > 0;
  }

  /** Nothing that must be sent still is to be. */
  isSettled(at: number): boolean {
    return [...this.#known.values()].every(
      (known) =>
        this.#stateOf(known) !== 'open' ||
        at > expiryOf(known.owed, 'acceptedAt') + NOTICED_MS ||
        this.#mayBeCounted(known) ||
        !this.#isOwed(known),
    );
  }

  /** True if a digest may have taken its place: one was called, and it never was by the same account. */
  #mayBeCounted({ calls, owed }: Known): boolean {
    const isCalled = calls.some(({ account }) => account === (owed.other ?? account));
    return !isCalled && (this.#digestAt.get(owed.phone) ?? -Infinity) >= owed.requestedAt;
  }

  /** False if it is a fallback that may never come, or that a person may have had sent again. */
  #isOwed({ of, calls, again }: Known): boolean {
    if (of === null) return true;
    return again.length === 0 && (calls.length > 0 || this.#isSurelyDead(of));
  }

  /** True if the gateway will never take it, and the relay knows that. */
  #isSurelyDead(known: Known): boolean {
    const { calls, owed, again, isCancelled } = known;
    const last = calls.at(-1);
    if (last === undefined || again.length > 0 || isCancelled) return false;
    if (owed.isHeld && this.#lossBetween(owed.requestedAt, Infinity)) return false;
    const isUnwritten = this.#lossBetween(last.at - WAY_MS, last.endsAt + UNWRITTEN_MS);
    return !isUnwritten && last.outcome === 'dead' && !this.#maySuppress(owed, owed.requestedAt);
  }

  #stateOf({ calls, isCancelled, owed, again }: Known): 'sent' | 'ended' | 'open' {
    if (calls.some(({ outcome }) => outcome === 'sent')) return 'sent';
    if (isCancelled || this.#maySuppress(owed, owed.requestedAt)) return 'ended';
    const since = Math.max(-Infinity, ...again);
    const recent = calls.filter(({ at }) => at >= since);
    const count = (outcome: Outcome): number => recent.filter((call) => call.outcome === outcome).length;
    const last = recent.at(-1);
    if (last === undefined) {
      // Its maker may have died between writing that it calls and calling: nobody knows whether it was sent.
      return owed.isHeld && this.#lossBetween(owed.requestedAt, Infinity) ? 'ended' : 'open';
    }
    // Its own account has given it up, and the other one will send it.
    const { other } = owed;
    const isHandedOn = other !== null && last.account !== other && again.length === 0;
    if (isHandedOn) return 'open';
    if (count('dead') > 0 || count('refused') >= REFUSALS || count('forbidden') >= FORBIDDEN) return 'ended';
    if (owed.isHeld && (count('uncertain') > 0 || this.#lossBetween(last.at - WAY_MS, Infinity)))
      return 'ended';
    // Attempts that made no call.
    const without = [...this.#losses, ...this.#unreachable].filter((at) => at >= owed.requestedAt).length;
    return recent.length + without > this.#retries ? 'ended' : 'open';
  }

  /**
   * Checks what must hold once nothing waits. `states`: the states of each message by the relay, by {@link idOf}. `isSmall`: those that
   * are over may have been deleted.
   */
  atQuiet(states: ReadonlyMap<string, readonly string[]>, isSmall = false): void {
    const pairs = new Set([...this.#known.values()].map(({ of }) => of));
    for (const [id, known] of this.#known) {
      const state = this.#stateOf(known);
      const said = states.get(id) ?? [];
      if (known.of !== null) {
        if (!isSmall) this.#checkFallback(known, known.of, said, states.get(idOf(known.of.owed)) ?? []);
        if (known.calls.length + said.length === 0) continue;
      }
      const isTooOld =
        (isSmall || said.includes('expired')) && expiryOf(known.owed, 'requestedAt') < Infinity;
      // A person had one of the two sent again, and it is not known which.
      const isInDoubt = known.again.length > 0 && (known.of !== null || pairs.has(known));
      if (said.includes('summarized')) {
        // Once the account of the digest has tried it, it is sent by itself.
        const isTried = known.calls.some(
          ({ account, at, endsAt }) =>
            account === (known.owed.other ?? account) &&
            !this.#lossBetween(at - WAY_MS, endsAt + UNWRITTEN_MS),
        );
        if (isTried && known.again.length === 0)
          this.#report('what was tried is in no digest', `${id} after ${known.calls.length} calls`);
        if (!isTried || state === 'sent') continue;
      }
      // An account that is full takes nothing over, and the owner is told of it.
      const isRefused = isSmall && known.owed.other !== null && known.calls.length > 0;
      if (state === 'open' && !isTooOld && !isInDoubt && !isRefused)
        this.#report('nothing accepted is lost', `${id} after ${known.calls.length} calls`);
      if (isSmall) continue;
      if (said.length === 0) {
        this.#report('each message that was accepted is listed', id);
        continue;
      }
      const isUnsent =
        known.calls.length === 0 && state === 'ended' && !known.isCancelled && !known.owed.isHeld;
      if (isUnsent && !isTooOld && !said.some((one) => UNSENT.has(one)))
        this.#report('what is for somebody who has opted out ends suppressed', `${id} is ${said.join(', ')}`);
      const isSaid = said.includes('sent') || (said.includes('uncertain') && known.owed.isHeld);
      // An instance may have been lost before it had written that a call succeeded.
      const isWritten = known.calls.some(
        ({ outcome, at, endsAt }) =>
          outcome === 'sent' && !this.#lossBetween(at - WAY_MS, endsAt + UNWRITTEN_MS),
      );
      if (isWritten && !isSaid)
        this.#report('the API says what happened to a message', `${id} was sent, and is ${said.join(', ')}`);
      if (said.includes('sent') && state !== 'sent')
        this.#report('the API says what happened to a message', `${id} is sent, and no call succeeded`);
    }
    for (const [id] of this.#early)
      if (!states.has(id) && !isSmall) this.#report('what is sent was accepted', id);
    for (const [id, acceptedAt] of this.#soon)
      if (!this.#early.get(id)?.some(({ at }) => at < acceptedAt + SOON_MS))
        this.#report('a receiver with many messages holds up nobody else', id);
    this.#checkOrder(states, isSmall);
  }

  /** A fallback comes once its message is dead, and always then. */
  #checkFallback(fallback: Known, of: Known, said: readonly string[], saidOfDead: readonly string[]): void {
    // A message that a person has sent again has two lives.
    if (of.again.length > 0) return;
    const name = idOf(fallback.owed);
    const first = fallback.calls[0]?.at ?? Infinity;
    const isDead = saidOfDead.includes('dead');
    if (said.length === 0 && isDead) this.#report('a dead message has its fallback', name);
    const isEarly = first < Infinity && !this.#mayBeDead(of, first);
    if (isEarly || (said.length > 0 && !isDead))
      this.#report('a fallback is sent only for a dead message', name);
    if (of.calls.some(({ at }) => at > first))
      this.#report('a message that is dead is not tried again', `${idOf(of.owed)} after its fallback`);
  }

  /** True if it may have been dead by then, and was not surely sent. */
  #mayBeDead({ calls, owed }: Known, by: number): boolean {
    const before = calls.filter(({ at }) => at < by);
    const count = (outcome: Outcome): number => before.filter((call) => call.outcome === outcome).length;
    const without = [...this.#losses, ...this.#unreachable].filter(
      (at) => at >= owed.requestedAt && at < by,
    ).length;
    const isSent = before.some(
      ({ outcome, at, endsAt }) =>
        outcome === 'sent' && !this.#lossBetween(at - WAY_MS, endsAt + UNWRITTEN_MS),
    );
    const isRefused = count('dead') > 0 || count('refused') >= REFUSALS || count('forbidden') >= FORBIDDEN;
    return !isSent && (isRefused || before.length + without > this.#retries);
  }

  /** To one receiver the messages of a source leave in the order in which they were accepted. */
  #checkOrder(states: ReadonlyMap<string, readonly string[]>, isSmall: boolean): void {
    // A message that one account hands on may be sent by another after those that follow it. So may one that was
    // taken back, and came again, and a fallback, whose message has kept its place.
    const own = [...this.#known.values()].filter(
      ({ owed, of, isCancelled }) => owed.other === null && of === null && !isCancelled,
    );
    const lanes = Map.groupBy(own, ({ owed }) => `${owed.source} ${owed.phone}`);
    for (const [lane, all] of lanes) {
      const called = all
        .flatMap((one) => (one.calls[0] === undefined ? [] : [{ ...one, at: one.calls[0].at }]))
        .toSorted((a, b) => a.at - b.at);
      for (const one of all)
        if (states.get(idOf(one.owed))?.includes('expired')) this.#checkExpired(one, called);
      // Going back from the last: the earliest moment by which a later one was accepted.
      let earliest = { requestedAt: Infinity, acceptedAt: Infinity, text: '' };
      for (const { owed, at, again } of called.toReversed()) {
        // One whose first attempt made no call does not hold up later ones.
        const isTried = [...this.#losses, ...this.#unreachable].some(
          (lost) => lost >= earliest.requestedAt && lost <= at + UNWRITTEN_MS,
        );
        if (owed.requestedAt > earliest.acceptedAt && !isTried)
          this.#report(
            'messages to a receiver leave in order',
            `${lane}: ${owed.text} before ${earliest.text}`,
          );
        // One that was suppressed, too old, or part of a digest, and that a person replays, comes when it is replayed.
        const said = states.get(idOf(owed)) ?? [];
        // What has expired is soon deleted from a small disk.
        const isOver = isSmall || said.includes('expired');
        const isTooOld = isOver && at >= expiryOf(owed, 'requestedAt') - SETTLING_MS;
        const isElsewhere =
          isTooOld || said.includes('summarized') || this.#maySuppress(owed, owed.requestedAt);
        const isReplayed = again.some((time) => time <= at) && isElsewhere;
        if (owed.acceptedAt < earliest.acceptedAt && !isReplayed) earliest = owed;
      }
    }
  }

  /** Until it was too old, all that came later had to wait for it. */
  #checkExpired(
    { owed, calls, again }: Known,
    called: readonly (Pick<Known, 'owed'> & { readonly at: number })[],
  ): void {
    if (calls.length > 0 || again.length > 0) return;
    // An attempt that made no call lets later ones pass.
    const triedAt = Math.min(
      ...[...this.#losses, ...this.#unreachable].filter((lost) => lost >= owed.requestedAt),
    );
    const by = Math.min(triedAt - UNWRITTEN_MS, expiryOf(owed, 'requestedAt') - SETTLING_MS);
    if (called.some((other) => other.owed.requestedAt > owed.acceptedAt && other.at < by))
      this.#report('nothing expires before it is too old', idOf(owed));
  }
}

/** The time from which it is too old, counted from its first request or its answer (ms). Infinity if it never is. */
const expiryOf = (owed: Owed, from: 'requestedAt' | 'acceptedAt'): number =>
  owed[from] + (owed.expiresMs ?? Infinity);

export const idOf = ({ phone, text }: { readonly phone: string; readonly text: string }): string =>
  `${text} to ${phone}`;
