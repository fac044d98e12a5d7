import type { AccountPolicy } from '../config/compiled/config.ts';
import type { AttemptResult, NoCall } from '../gateway/client.ts';
import type { Alarm } from '../lib/alarm.ts';
import { Signal } from '../lib/signal.ts';
import { GroupCommit, type GroupDeps } from './accept/group.ts';
import type { Commit } from './commit.ts';
import type { Claims } from './send/claims.ts';
import type { Claimed } from './send/flight.ts';
import type { Timing } from './send/timing.ts';
import type { Calls } from './state/calls.ts';
import type { MessageRow } from './state/message.ts';

/** An alarm may take 15 minutes. A run stops claiming well before, and the next alarm continues. */
const MAX_RUN_MS = 10 * 60_000;

/** Makes a change outside of a commit, and what follows from it. */
export type Now = <Done>(change: () => Done) => Done;

interface LoopDeps<Item, Answer> {
  readonly commit: Commit<Item, Answer>;
  readonly claims: Claims;
  readonly timing: Timing;
  readonly calls: Calls;
  readonly alarm: Pick<Alarm, 'isRunning'>;
  /** The account's current policy: one reads it if needed, the other returns null instead. */
  readonly policy: () => Promise<AccountPolicy>;
  readonly policyNow: () => AccountPolicy | null;
  /** True if there is something to write besides messages, so that a commit is needed. */
  readonly isAsked: () => boolean;
  /** One HTTP call for the message; never throws. */
  readonly call: (message: MessageRow, policy: AccountPolicy) => Promise<AttemptResult | NoCall>;
  /** Sending is needed from this time on (ms), and not before … */
  readonly wakeAt: (at: number) => void;
  /** … and if this object stops, somewhat later than now. */
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
 */
export class Loop<Item, Answer> {
  readonly #deps: LoopDeps<Item, Answer>;
  readonly #group: GroupCommit<Item, Answer>;
  readonly #signal = new Signal();
  #running = false;
  /** The highest number of a message at the end of the last commit. */
  #newest = 0;
  /** The time after which the current run makes no further claims (ms). */
  #stopAt = Infinity;
  /** The time until which the run waits unless it is notified (ms); null if it does not wait. */
  #waitsUntil: number | null = null;

  constructor(deps: LoopDeps<Item, Answer>) {
    this.#deps = deps;
    const { commit, group } = deps;
    this.#group = new GroupCommit({
      ...group,
      begin: () => commit.record(),
      commit: (items) => commit.stages.accept(items),
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
    const { commit, onChanged } = this.#deps;
    commit.stages.begin();
    const done = change();
    commit.stages.notify();
    commit.end();
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
    const { wakeAt, wakeIfStopped } = this.#deps;
    if (!this.#running) return wakeAt(at);
    wakeIfStopped();
    this.#signal.notify();
  }

  /** The object has started: what its last instance left is sent at once, without waiting for the alarm. */
  resume(): void {
    const { alarm, calls, claims, isAsked } = this.#deps;
    const isLeft = claims.flight.interrupted.length > 0 || claims.queue.atMost > 0 || isAsked();
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
    const { claims, clock, commit, isAsked, policy: readPolicy, policyNow, timing } = this.#deps;
    this.#running = true;
    try {
      this.#stopAt = clock() + MAX_RUN_MS;
      for (;;) {
        const policy = policyNow() ?? (await readPolicy());
        commit.use(policy);
        await this.#group.next();
        claims.flight.throwFault();
        if (isAsked()) continue;
        if (claims.flight.open === 0 && !timing.isWorthWaiting(policy, this.#stopAt)) return;
        await this.#untilNextTurn(policy);
      }
    } finally {
      this.#running = false;
    }
  }

  /** The second half of a commit. */
  #endCommit(): void {
    const { claims, commit, onChanged, onRunFailed } = this.#deps;
    commit.stages.notify();
    // A fault ends the run, but not the commit.
    try {
      this.#claim();
    } catch (thrown) {
      if (this.#running) claims.flight.fail(thrown);
      else onRunFailed(thrown);
      this.#signal.notify();
    }
    commit.end();
    onChanged(this.late);
    // The run reports the fault of a call, and comes again.
    if (claims.flight.isBehind) this.#signal.notify();
  }

  /** Claims what may be sent, and calls. The calls go out when the commit is on disk: the platform holds them back until then. */
  #claim(): void {
    const { claims, commit, isAsked, policyNow } = this.#deps;
    const { newest } = claims.queue;
    // A run starts here, so that accepted messages are claimed in the same commit.
    if (newest !== this.#newest || isAsked()) this.go();
    this.#newest = newest;
    if (!this.#running) return;
    const policy = policyNow();
    const claimed = commit.claim(this.#mayClaim() ? policy : null);
    if (policy !== null) for (const one of claimed) void this.#send(one, policy);
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

  async #send(claimed: Claimed, policy: AccountPolicy): Promise<void> {
    const { call, claims, clock } = this.#deps;
    const startedAt = clock();
    try {
      const result = await call(claimed.row, policy);
      claims.flight.end({ ...claimed, startedAt, endedAt: clock(), result });
    } catch (thrown) {
      claims.flight.interrupt(claimed.entry, thrown);
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
}
