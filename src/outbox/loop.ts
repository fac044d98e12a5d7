import type { AccountPolicy } from '../config/compiled/config.ts';
import { NO_CALL, type AttemptResult, type NoCall } from '../gateway/client.ts';
import type { Alarm } from '../lib/alarm.ts';
import { Signal } from '../lib/wait.ts';
import { GroupCommit, type GroupDeps } from './accept/group.ts';
import type { Messages } from './message.ts';
import { MessageFault, type Claims } from './send/claims.ts';
import { FAULT_MS, INTERRUPTED, type Call, type CallEnd } from './send/flight.ts';
import type { Timing } from './send/timing.ts';
import { callsOf, type Calls } from './state/calls.ts';
import type { End, MessageRow } from './state/message.ts';

/** The maximum number of messages that one claim leaves out because something throws for them. */
const MAX_FAULTS = 8;

/** An alarm may take 15 minutes. A run stops claiming well before, and the next alarm continues. */
const MAX_RUN_MS = 10 * 60_000;

/** Makes a change outside of a commit, and what follows from it. */
export type Now = <Done>(change: () => Done) => Done;

interface LoopDeps<Item, Answer> {
  readonly claims: Claims;
  readonly timing: Timing;
  readonly calls: Calls;
  readonly messages: Pick<Messages, 'postpone' | 'record'>;
  readonly alarm: Pick<Alarm, 'bringForward' | 'isRunning'>;
  /** The account's current policy: one reads it if needed, the other returns null instead. */
  readonly policy: () => Promise<AccountPolicy>;
  readonly policyNow: () => AccountPolicy | null;
  /** True if there is something to write besides messages, so that a commit is needed. */
  readonly isAsked: () => boolean;
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
  /** One HTTP call for the message; never throws. */
  readonly call: (message: MessageRow, policy: AccountPolicy) => Promise<AttemptResult | NoCall>;
  /** Sets an alarm somewhat later than now, in case this object stops. */
  readonly wakeIfStopped: () => void;
  /** A commit, or a change outside of one, was made; `now` makes another one. */
  readonly onChanged: (now: Now) => void;
  /** A run of its own has ended, or has failed. */
  readonly onRunEnded: () => void;
  readonly onRunFailed: (thrown: unknown) => void;
  readonly group: Pick<GroupDeps<Item, Answer>, 'flushed' | 'sizeOf' | 'refused'>;
  readonly clock: () => number;
  /** Resolves after `ms`, or when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * The loop of an outbox: makes commits while there is anything to write, and the calls that they claim. A run continues
 * until nothing can be sent now. A commit that accepts something, or the alarm, starts it; never both at once.
 *
 * In each commit, in this order: calls that have ended are recorded, items that came in are accepted, receivers are
 * notified of incidents that are due, messages are claimed, and the checkpoint records the progress of the outbox. When
 * all of it is on disk, the calls go out and the senders get their answers.
 */
export class Loop<Item, Answer> {
  readonly #deps: LoopDeps<Item, Answer>;
  readonly #group: GroupCommit<Item, Answer>;
  readonly #signal = new Signal();
  #running = false;
  /** The policy of the last run: without one, the meaning of a failed call is unknown. */
  #policy: AccountPolicy | null = null;
  /** The highest number of a message at the end of the last commit. */
  #newest = 0;
  /** The time after which the current run makes no further claims (ms). */
  #stopAt = Infinity;
  /** The time until which the run waits unless it is notified (ms); null if it does not wait. */
  #waitsUntil: number | null = null;

  constructor(deps: LoopDeps<Item, Answer>) {
    this.#deps = deps;
    this.#group = new GroupCommit({
      ...deps.group,
      begin: () => this.#recordEnded(),
      commit: deps.accept,
      end: () => this.#endCommit(),
    });
  }

  get running(): boolean {
    return this.#running;
  }

  /** Accepts one; concurrent calls share a commit. Resolves when it is on disk. */
  accept(item: Item): Promise<Answer> {
    return this.#group.add(item);
  }

  /** Makes a change at once, with its consequences. It is on disk before anything of it is visible outside. */
  readonly now: Now = (change) => this.#change(change, false);

  /** Does the same for work whose invocation has made other calls: a run that follows has the alarm’s calls. */
  readonly late: Now = (change) => this.#change(change, true);

  #change<Done>(change: () => Done, isLate: boolean): Done {
    const { begin, notify, onChanged } = this.#deps;
    begin();
    const done = change();
    notify();
    this.#writeEnd();
    onChanged(this.late);
    if (this.#running) this.#signal.notify();
    this.go(isLate);
    return done;
  }

  /** Has the current run look again: there may be more to do. */
  wake(): void {
    this.#signal.notify();
  }

  /** Starts to send what may be sent now, or sets the alarm for the time when it may. */
  go(isLate = false): void {
    const { alarm, calls, clock, isAsked, policyNow, timing, wakeIfStopped } = this.#deps;
    const policy = policyNow();
    const nextAt = policy === null || isAsked() ? clock() : timing.nextRunAt(policy);
    if (nextAt === null) return;
    // The platform counts an alarm's calls until its other work has ended as well. Then it comes again.
    const isAlarms = (isLate || alarm.isRunning) && !this.#running;
    if (nextAt > clock() || isAlarms) return this.#later(nextAt);
    wakeIfStopped();
    if (this.#running) return;
    calls.begin();
    void this.#start();
  }

  /** A run's alarm stays pending until the run has ended, and comes again if the object stops before that. */
  #later(at: number): void {
    const { alarm, wakeIfStopped } = this.#deps;
    if (!this.#running) return alarm.bringForward(at);
    wakeIfStopped();
    this.#signal.notify();
  }

  /** The object has started: what its last instance left is sent at once, without waiting for the alarm. */
  resume(): void {
    const { alarm, calls, claims, isAsked } = this.#deps;
    const isLeft = claims.flight.size > 0 || claims.queue.atMost > 0 || isAsked();
    if (!isLeft || this.#running || alarm.isRunning) return;
    calls.begin();
    void this.#start();
  }

  /** Starts a separate run, with the alarm as its safety net. Never throws. */
  async #start(): Promise<void> {
    const { onRunEnded, onRunFailed } = this.#deps;
    try {
      await this.run();
      onRunEnded();
    } catch (thrown) {
      onRunFailed(thrown);
    }
  }

  /**
   * Sends until nothing can be sent now, or the run has made all its calls. While calls are under way, the run waits:
   * each call that ends has its own commit made.
   */
  async run(): Promise<void> {
    const { claims, clock, isAsked, policy: readPolicy, policyNow, timing } = this.#deps;
    this.#running = true;
    try {
      this.#stopAt = clock() + MAX_RUN_MS;
      for (;;) {
        const policy = policyNow() ?? (await readPolicy());
        this.#policy = policy;
        await this.#group.next();
        claims.flight.throwFault();
        if (isAsked()) continue;
        if (claims.flight.open === 0 && !timing.isWorthWaiting(policy, this.#stopAt)) return;
        await this.#untilNextTurn(policy);
      }
    } finally {
      this.#running = false;
      claims.keep(false);
    }
  }

  /** The second half of a commit. */
  #endCommit(): void {
    const { claims, notify, onChanged, onRunFailed } = this.#deps;
    notify();
    // A fault ends the run, but not the commit.
    try {
      this.#claim();
    } catch (thrown) {
      if (this.#running) claims.flight.fail(thrown);
      else onRunFailed(thrown);
      this.#signal.notify();
    }
    this.#writeEnd();
    onChanged(this.late);
    // The run reports the fault of a call, and comes again.
    if (claims.flight.isBehind) this.#signal.notify();
  }

  /** Claims what may be sent, and calls. The calls go out when the commit is on disk: the platform holds them back until then. */
  #claim(): void {
    const { claims, isAsked, policyNow } = this.#deps;
    const { newest } = claims.queue;
    // A run starts here, so that accepted messages are claimed in the same commit.
    if (newest !== this.#newest || isAsked()) this.go();
    this.#newest = newest;
    if (!this.#running) return;
    const policy = policyNow();
    if (policy !== null && this.#mayClaim())
      this.#guarded(() => {
        for (const one of this.#claimBy(policy)) void this.#send(one, policy);
      });
    this.#notifyRun(policy);
  }

  /** Wakes the run if it waits for anything other than what is due now. */
  #notifyRun(policy: AccountPolicy | null): void {
    if (this.#waitsUntil === null) return;
    // Without a policy, the run has to read it.
    const next = policy === null ? -Infinity : this.#nextTurnAt(policy);
    const isEarlier = next !== null && next < this.#waitsUntil;
    if (this.#deps.claims.flight.open === 0 || isEarlier || this.#deps.isAsked()) this.#signal.notify();
  }

  async #send(one: Call, policy: AccountPolicy): Promise<void> {
    const { call, claims, clock } = this.#deps;
    const startedAt = clock();
    try {
      const result = await call(one.row, policy);
      one.ended = { startedAt, endedAt: clock(), result };
    } catch (thrown) {
      // A bug. The message must not stay in flight for ever, so it is as if the object had stopped.
      one.ended = { startedAt, endedAt: clock(), result: INTERRUPTED };
      claims.flight.fail(new Error('an attempt could not be made', { cause: thrown }));
      this.#signal.notify();
    }
    this.#group.ask();
  }

  #mayClaim(): boolean {
    return this.#deps.clock() < this.#stopAt;
  }

  /** Returns the time when the run must look again even if no call has ended (ms); null if it need not. */
  #nextTurnAt(policy: AccountPolicy): number | null {
    const { clock, timing } = this.#deps;
    return this.#mayClaim() ? timing.nextTurnAt(policy, clock()) : null;
  }

  /** Waits until a call has ended, more is accepted, or the next message may be due. */
  async #untilNextTurn(policy: AccountPolicy): Promise<void> {
    const { clock, sleep } = this.#deps;
    const at = this.#nextTurnAt(policy);
    this.#waitsUntil = at ?? Infinity;
    if (at === null) await this.#signal.wait(null);
    else {
      const alarmClock = new AbortController();
      await this.#signal.wait(sleep(at - clock(), alarmClock.signal));
      // A timer that is not cleared would keep the object in memory, and billed, until it fires.
      alarmClock.abort();
    }
    this.#waitsUntil = null;
  }

  /**
   * Records the calls that have ended, so that their connections are free for the messages claimed at the end. If a
   * record cannot be written, on a disk that is full for a moment, each later commit tries again, and others go on: the
   * gateway has answered, and nothing may be sent again because of a failed write. Only another instance, which has no
   * answer, treats such a call as interrupted. Never throws.
   */
  #recordEnded(): void {
    const {
      claims: { flight },
      clock,
      onFault,
    } = this.#deps;
    const policy = this.#policy;
    if (policy === null) return;
    this.#guarded(() => {
      this.#deps.begin();
      for (const call of flight.ended)
        try {
          // The record before this one may have failed, and have dropped that memory.
          this.#deps.begin();
          this.#record(call, call.ended, policy);
        } catch (thrown) {
          if (flight.recordLater(call, clock())) onFault(call, thrown);
        }
    });
  }

  /** Ends the commit, whatever changed. Never throws. */
  #writeEnd(): void {
    this.#guarded(() => this.#deps.claims.keep(this.#running));
    this.#guarded(() => this.#deps.onWritten());
  }

  #record(call: Call, end: CallEnd, policy: AccountPolicy): void {
    const { claims, clock, messages, onPutBack } = this.#deps;
    const { result } = end;
    if (result === NO_CALL) {
      onPutBack(call.row);
      return claims.putBack(call);
    }
    // Of an interrupted one, only the record's own time is known, from which it is tried again.
    const endedAt = result === INTERRUPTED ? clock() : end.endedAt;
    messages.record(call, { ...end, endedAt }, result, policy);
    claims.flight.remove(call);
    claims.queue.turns.release(call.row);
  }

  #claimBy(policy: AccountPolicy): readonly Call[] {
    const { begin, calls, claims, clock, onClaimed, timing } = this.#deps;
    this.#policy = policy;
    // An object's first commit begins without a policy: what was interrupted is recorded here.
    if (claims.flight.isBehind) this.#recordEnded();
    begin();
    const capacity = timing.capacity(policy, clock());
    if (capacity.urgent <= 0) return [];
    timing.useLimit(policy);
    const claimed = this.#claimReviewed(policy, capacity);
    for (const { row } of claimed) {
      calls.spend(callsOf(row));
      onClaimed(row);
    }
    return claimed;
  }

  /**
   * Claims the messages. If the claim cannot be written, those that were made ready for it wait as before. If something
   * throws for one message, that message is left out, and the claim is made again.
   */
  #claimReviewed(policy: AccountPolicy, capacity: ReturnType<Timing['capacity']>): readonly Call[] {
    const { claims, clock, end, isSuppressed, messages, onFault, onPutBack, review } = this.#deps;
    for (let faults = 0; ; faults += 1) {
      const reviewed: MessageRow[] = [];
      const reviewOne = (row: MessageRow): MessageRow | null => {
        const toSend = review(row);
        if (toSend !== null) reviewed.push(toSend);
        return toSend;
      };
      try {
        return claims.claim(policy, capacity, { end, isSuppressed, review: reviewOne });
      } catch (thrown) {
        for (const row of reviewed) onPutBack(row);
        if (!(thrown instanceof MessageFault)) throw thrown;
        if (faults === MAX_FAULTS) throw thrown.cause;
        onFault(thrown.row, thrown.cause);
        messages.postpone(thrown.row, clock() + FAULT_MS);
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
