import type { AccountPolicy } from '../config/config.ts';
import { callsOf, type Calls } from './state/calls.ts';
import type { MessageRow } from './state/message.ts';
import type { Claims } from './send/claims.ts';
import type { Claimed } from './send/flight.ts';
import type { Records } from './send/records.ts';
import type { Timing } from './send/timing.ts';

/** The stages of a commit that other parts do; see {@link Commit}. */
export interface Stages<Item, Answer> {
  /** Writes what has come in, all of it or nothing. */
  readonly accept: (items: readonly Item[]) => readonly Answer[];
  /** Queues what receivers are to be notified of by now. Never throws. */
  readonly notify: () => void;
  /** A message is claimed: the row to send; null: it is not sent now. */
  readonly review: (row: MessageRow) => MessageRow | null;
  /** A message was too old to be sent. */
  readonly onExpired: (row: MessageRow) => void;
  /** A message is claimed, and its call goes out. */
  readonly onClaimed: (row: MessageRow) => void;
  /** All is written. Never throws. */
  readonly end: () => void;
}

interface CommitDeps<Item, Answer> {
  readonly claims: Claims;
  readonly records: Records;
  readonly timing: Timing;
  readonly calls: Calls;
  readonly stages: Stages<Item, Answer>;
  readonly clock: () => number;
}

/**
 * One commit, in this order: calls that have ended are recorded, what came in is
 * accepted, receivers are notified of incidents that are due, messages are claimed, and the checkpoint says where the
 * outbox stands. The calls go out, and senders have their answers, when all of it is on disk.
 */
export class Commit<Item, Answer> {
  readonly #deps: CommitDeps<Item, Answer>;
  /** The policy of the last run: without one, what a failed call means is not known. */
  #policy: AccountPolicy | null = null;

  constructor(deps: CommitDeps<Item, Answer>) {
    this.#deps = deps;
  }

  /** From now on calls are recorded by this policy. */
  use(policy: AccountPolicy): void {
    this.#policy = policy;
  }

  /** Records the calls that have ended, so that their connections are free for what is claimed at the end. Never throws. */
  record(): void {
    const { records } = this.#deps;
    const policy = this.#policy;
    if (policy === null) return;
    this.#guarded(() => {
      records.settleInterrupted(policy);
      records.recordEnded(policy);
    });
  }

  accept(items: readonly Item[]): readonly Answer[] {
    return this.#deps.stages.accept(items);
  }

  notify(): void {
    this.#deps.stages.notify();
  }

  /** Claims what may go now, by this policy; null: nothing may be claimed. Never throws: the run does. */
  claim(policy: AccountPolicy | null): readonly Claimed[] {
    let claimed: readonly Claimed[] = [];
    this.#guarded(() => {
      if (policy !== null) claimed = this.#claim(policy);
    });
    return claimed;
  }

  /** The end: whatever changed. Never throws. */
  end(): void {
    const { claims, stages } = this.#deps;
    this.#guarded(() => claims.keepCounters());
    stages.end();
  }

  #claim(policy: AccountPolicy): readonly Claimed[] {
    const { calls, claims, clock, records, stages, timing } = this.#deps;
    this.#policy = policy;
    records.settleInterrupted(policy);
    const capacity = timing.capacity(policy, clock());
    if (capacity <= 0) return [];
    timing.useLimit(policy);
    const claimed = claims.claim(policy, capacity, stages);
    for (const { row } of claimed) {
      calls.spend(callsOf(row));
      stages.onClaimed(row);
    }
    return claimed;
  }

  /** A fault ends the run, and not the commit. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#deps.claims.flight.fail(thrown);
    }
  }
}
