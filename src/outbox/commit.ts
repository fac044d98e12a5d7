import type { AccountPolicy } from '../config/config.ts';
import { NO_CALL } from '../gateway/client.ts';
import { callsOf, type Calls } from './state/calls.ts';
import type { MessageRow } from './state/message.ts';
import type { Unsent } from './send/claim.ts';
import type { Claims } from './send/claims.ts';
import type { Claimed, EndedCall } from './send/flight.ts';
import type { Recorder } from './send/recorder.ts';
import type { Timing } from './send/timing.ts';

/** The stages of a commit that other parts do; see {@link Commit}. */
export interface Stages<Item, Answer> {
  /** Rows of messages are about to change: memory that is read from them is there. */
  readonly begin: () => void;
  /** Writes what has come in, all of it or nothing. */
  readonly accept: (items: readonly Item[]) => readonly Answer[];
  /** Queues what receivers are to be notified of by now. Never throws. */
  readonly notify: () => void;
  /** A message is claimed: the row to send; null: it is not sent now. */
  readonly review: (row: MessageRow) => MessageRow | null;
  /** True for a message whose receiver has opted out. */
  readonly isSuppressed: (row: MessageRow) => boolean;
  /** A message was too old to be sent, or its receiver has opted out. */
  readonly onEnded: (row: MessageRow, state: Unsent) => void;
  /** It was claimed, and its call could not be made: it waits as before. */
  readonly onPutBack: (row: MessageRow) => void;
  /** A message is claimed, and its call goes out. */
  readonly onClaimed: (row: MessageRow) => void;
  /** All is written. Never throws. */
  readonly end: () => void;
}

interface CommitDeps<Item, Answer> {
  readonly claims: Claims;
  readonly recorder: Recorder;
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
  readonly stages: Stages<Item, Answer>;
  /** The policy of the last run: without one, what a failed call means is not known. */
  #policy: AccountPolicy | null = null;

  constructor(deps: CommitDeps<Item, Answer>) {
    this.#deps = deps;
    this.stages = deps.stages;
  }

  /** From now on calls are recorded by this policy. */
  use(policy: AccountPolicy): void {
    this.#policy = policy;
  }

  /**
   * Records the calls that have ended, so that their connections are free for what is claimed at the end. A record that
   * cannot be written, on a disk that is full for a moment, is tried again in each later commit: the gateway has answered,
   * and nothing may be sent again because of a failed write. Only another instance, which has no answer, takes such a call
   * for interrupted. Never throws.
   */
  record(): void {
    const { flight } = this.#deps.claims;
    const policy = this.#policy;
    if (policy === null) return;
    this.#guarded(() => {
      this.stages.begin();
      this.#settleInterrupted(policy);
      for (const ended of flight.takeEnded())
        try {
          // The record before this one may have failed, and have dropped it.
          this.stages.begin();
          this.#record(ended, policy);
        } catch (thrown) {
          flight.endAgain(ended, thrown);
        }
    });
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
    this.#guarded(() => this.#deps.claims.keepCounters());
    this.stages.end();
  }

  #record(ended: EndedCall, policy: AccountPolicy): void {
    const { claims, recorder } = this.#deps;
    const { entry, result } = ended;
    if (result === NO_CALL) {
      this.#deps.stages.onPutBack(ended.row);
      return claims.putBack(entry);
    }
    const follow = recorder.record(ended, ended, result, policy);
    claims.flight.remove(entry);
    claims.queue.turns.release(entry);
    // The record stands whatever comes of it.
    this.#guarded(follow);
  }

  /** Records the calls that were under way when the object stopped. */
  #settleInterrupted(policy: AccountPolicy): void {
    const { claims, recorder } = this.#deps;
    const { flight, queue } = claims;
    for (const entry of flight.interrupted) {
      if (flight.isUnrecorded(entry)) recorder.recordInterrupted(entry, policy);
      queue.turns.release(entry);
    }
    flight.settled();
  }

  #claim(policy: AccountPolicy): readonly Claimed[] {
    const { calls, clock, timing } = this.#deps;
    this.#policy = policy;
    this.stages.begin();
    this.#settleInterrupted(policy);
    const capacity = timing.capacity(policy, clock());
    if (capacity <= 0) return [];
    timing.useLimit(policy);
    const claimed = this.#claimReviewed(policy, capacity);
    for (const { row } of claimed) {
      calls.spend(callsOf(row));
      this.stages.onClaimed(row);
    }
    return claimed;
  }

  /** If the claim cannot be written, what was made ready for it waits as before. */
  #claimReviewed(policy: AccountPolicy, capacity: number): readonly Claimed[] {
    const { claims, stages } = this.#deps;
    const reviewed: MessageRow[] = [];
    const review = (row: MessageRow): MessageRow | null => {
      const toSend = stages.review(row);
      if (toSend !== null) reviewed.push(toSend);
      return toSend;
    };
    try {
      return claims.claim(policy, capacity, { ...stages, review });
    } catch (thrown) {
      for (const row of reviewed) stages.onPutBack(row);
      throw thrown;
    }
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
