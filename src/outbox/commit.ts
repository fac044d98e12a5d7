import type { AccountPolicy } from '../config/compiled/config.ts';
import { NO_CALL } from '../gateway/client.ts';
import { callsOf, type Calls } from './state/calls.ts';
import type { End, MessageRow } from './state/message.ts';
import { MessageFault } from './send/claim.ts';
import type { Claims } from './send/claims.ts';
import { FAULT_MS, type Claimed, type EndedCall, type InFlight } from './send/flight.ts';
import type { Messages } from './message.ts';
import type { Timing } from './send/timing.ts';

/** The maximum number of messages that one claim leaves out because something throws for them. */
const MAX_FAULTS = 8;

/** The stages of a commit that other parts carry out; see {@link Commit}. */
export interface Stages<Item, Answer> {
  /** Called before rows of messages change: has memory that is read from them ready. */
  readonly begin: () => void;
  /** Writes the items that came in, all or none. */
  readonly accept: (items: readonly Item[]) => readonly Answer[];
  /** Queues the notifications that receivers should get by now. Never throws. */
  readonly notify: () => void;
  /** Reviews a claimed message: returns the row to send, or null if it is not sent now. */
  readonly review: (row: MessageRow) => MessageRow | null;
  /** Something threw for a message: it could not be claimed, or its call could not be recorded. Never throws. */
  readonly onFault: (message: Pick<MessageRow, 'seq'>, thrown: unknown) => void;
  /** Has a message wait until a time (ms). */
  readonly postpone: (row: MessageRow, at: number) => void;
  /** True for a message whose receiver has opted out. */
  readonly isSuppressed: (row: MessageRow) => boolean;
  /** Ends a message that is too old to be sent, or whose receiver has opted out. */
  readonly end: (row: MessageRow, end: End) => void;
  /** A message was claimed, and its call could not be made: it waits as before. */
  readonly onPutBack: (row: MessageRow) => void;
  /** A message is claimed, and its call goes out. */
  readonly onClaimed: (row: MessageRow) => void;
  /** Everything is written. */
  readonly onWritten: () => void;
}

interface CommitDeps<Item, Answer> {
  readonly claims: Claims;
  readonly messages: Pick<Messages, 'record' | 'recordInterrupted'>;
  readonly timing: Timing;
  readonly calls: Calls;
  readonly stages: Stages<Item, Answer>;
  readonly clock: () => number;
}

/**
 * One commit, in this order: calls that have ended are recorded, items that came in are accepted, receivers are
 * notified of incidents that are due, messages are claimed, and the checkpoint records the progress of the outbox. When
 * all of it is on disk, the calls go out and the senders get their answers.
 */
export class Commit<Item, Answer> {
  readonly #deps: CommitDeps<Item, Answer>;
  readonly stages: Stages<Item, Answer>;
  /** The policy of the last run: without one, the meaning of a failed call is unknown. */
  #policy: AccountPolicy | null = null;

  constructor(deps: CommitDeps<Item, Answer>) {
    this.#deps = deps;
    this.stages = deps.stages;
  }

  /** Records calls by this policy from now on. */
  use(policy: AccountPolicy): void {
    this.#policy = policy;
  }

  /**
   * Records the calls that have ended, so that their connections are free for the messages claimed at the end. If a
   * record cannot be written, on a disk that is full for a moment, each later commit tries again, and others go on: the
   * gateway has answered, and nothing may be sent again because of a failed write. Only another instance, which has no
   * answer, treats such a call as interrupted. Never throws.
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
          // The record before this one may have failed, and have dropped that memory.
          this.stages.begin();
          this.#record(ended, policy);
        } catch (thrown) {
          flight.end(ended);
          this.#recordLater(ended.entry, thrown);
        }
    });
  }

  /** Claims the messages that may go now, by this policy; null: nothing may be claimed. Never throws: the run does. */
  claim(policy: AccountPolicy | null): readonly Claimed[] {
    let claimed: readonly Claimed[] = [];
    this.#guarded(() => {
      if (policy !== null) claimed = this.#claim(policy);
    });
    return claimed;
  }

  /** Ends the commit, whatever changed. Never throws. */
  end(): void {
    this.#guarded(() => this.#deps.claims.keepCounters());
    this.#guarded(() => this.stages.onWritten());
  }

  #record(ended: EndedCall, policy: AccountPolicy): void {
    const { claims, messages } = this.#deps;
    const { entry, result } = ended;
    if (result === NO_CALL) {
      this.#deps.stages.onPutBack(ended.row);
      return claims.putBack(entry);
    }
    messages.record(ended, ended, result, policy);
    claims.flight.remove(entry);
    claims.queue.turns.release(entry);
  }

  /** Records the calls that were under way when the object stopped. */
  #settleInterrupted(policy: AccountPolicy): void {
    const { claims, messages } = this.#deps;
    const { flight, queue } = claims;
    for (const entry of flight.interrupted)
      try {
        this.stages.begin();
        if (flight.isUnrecorded(entry)) messages.recordInterrupted(entry, policy);
        flight.settled(entry);
        queue.turns.release(entry);
      } catch (thrown) {
        this.#recordLater(entry, thrown);
      }
  }

  #recordLater(entry: InFlight, thrown: unknown): void {
    const { claims, clock, stages } = this.#deps;
    if (claims.flight.recordLater(entry, clock())) stages.onFault(entry, thrown);
  }

  #claim(policy: AccountPolicy): readonly Claimed[] {
    const { calls, clock, timing } = this.#deps;
    this.#policy = policy;
    this.#settleInterrupted(policy);
    this.stages.begin();
    const capacity = timing.capacity(policy, clock());
    if (capacity.urgent <= 0) return [];
    timing.useLimit(policy);
    const claimed = this.#claimReviewed(policy, capacity);
    for (const { row } of claimed) {
      calls.spend(callsOf(row));
      this.stages.onClaimed(row);
    }
    return claimed;
  }

  /**
   * Claims the messages. If the claim cannot be written, those that were made ready for it wait as before. If something
   * throws for one message, that message is left out, and the claim is made again.
   */
  #claimReviewed(policy: AccountPolicy, capacity: ReturnType<Timing['capacity']>): readonly Claimed[] {
    const { claims, clock, stages } = this.#deps;
    for (let faults = 0; ; faults += 1) {
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
        if (!(thrown instanceof MessageFault)) throw thrown;
        if (faults === MAX_FAULTS) throw thrown.cause;
        stages.onFault(thrown.row, thrown.cause);
        stages.postpone(thrown.row, clock() + FAULT_MS);
      }
    }
  }

  /** Does work whose fault ends the run, but not the commit. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#deps.claims.flight.fail(thrown);
    }
  }
}
