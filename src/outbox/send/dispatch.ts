import type { AccountPolicy } from '../../config/config.ts';
import type { AttemptResult, NoCall } from '../../gateway/client.ts';
import { Signal } from '../../lib/signal.ts';
import { callsOf, type Calls } from '../state/calls.ts';
import type { MessageRow } from '../state/message.ts';
import type { Meta } from '../state/meta.ts';
import { Claims } from './claims.ts';
import type { Claimed, Flight } from './flight.ts';
import { Recorder, type Recorded } from './recorder.ts';
import { Records } from './records.ts';
import { Timing } from './timing.ts';

/** An alarm may take 15 minutes. A run stops claiming well before, and the next alarm continues. */
const MAX_RUN_MS = 10 * 60_000;

/** What a run needs from outside. */
interface DispatchDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  readonly meta: Meta;
  /** The account's current policy; read at each turn, since a publish may change it. */
  readonly policy: () => Promise<AccountPolicy>;
  /** One HTTP call for the message; never throws. */
  readonly call: (message: MessageRow, timeoutMs: number) => Promise<AttemptResult | NoCall>;
  /** How many calls the run may still make. */
  readonly calls: Calls;
  /** Null when the account has its credentials; else what is missing, as a text for its owner. */
  readonly blockedReason: () => string | null;
  /** The policy, unless it has to be read again. */
  readonly policyNow: () => AccountPolicy | null;
  /** Has a commit made, with {@link Dispatch.recordEnded} and {@link Dispatch.claimDue} … */
  readonly askForCommit: () => void;
  /** … and resolves when it is on disk. */
  readonly nextCommit: () => Promise<void>;
  /** Queues the fallback of a message that is dead now; `record` is called in the same transaction. */
  readonly fallBack: (row: MessageRow, record: () => void) => void;
  /** Called after each attempt, in the same commit. */
  readonly onRecorded: (recorded: Recorded) => void;
  /** Called with a message that was too old to be sent, in the same commit. */
  readonly onExpired: (row: MessageRow) => void;
  /** Called with a message about incidents that is to be claimed: the row to send; null: it is not sent now. */
  readonly review: (row: MessageRow) => MessageRow | null;
  /** Called with a message whose call goes out now. */
  readonly onClaimed?: (row: MessageRow) => void;
  readonly clock: () => number;
  readonly random: () => number;
  /** Resolves after `ms`, or when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Sends what is due: claims messages in order, calls the gateway, and records each attempt. */
export class Dispatch {
  readonly #deps: DispatchDeps;
  readonly #records: Records;
  readonly #signal = new Signal();
  #running = false;
  /** When the current run claims no more (ms). */
  #stopAt = Infinity;
  /** Until when the run waits unless it is notified (ms); null: it does not wait. */
  #waitsUntil: number | null = null;
  /** The policy of the last turn. */
  #policy: AccountPolicy | null = null;
  readonly claims: Claims;
  readonly flight: Flight;
  readonly timing: Timing;

  constructor(deps: DispatchDeps) {
    const { storage, meta, calls, blockedReason, fallBack, onRecorded, clock, random } = deps;
    const { sql } = storage;
    this.#deps = deps;
    this.claims = new Claims(deps);
    this.flight = this.claims.flight;
    this.timing = new Timing({ meta, claims: this.claims, calls, blockedReason, clock });
    const { counters } = this.claims;
    const onDue = (at: number, priority: 0 | 1): void => this.claims.queue.dueAt(at, priority);
    const recorder = new Recorder({ sql, meta, counters, onDue, fallBack, onRecorded, clock, random });
    this.#records = new Records(recorder, this.claims);
  }

  get running(): boolean {
    return this.#running;
  }

  /** Wakes the current run: there may be more to send. */
  notify(): void {
    this.#signal.notify();
  }

  /**
   * Sends until nothing can be sent now, or the run has made all its calls. The alarm never starts two runs at once.
   * A commit records what has ended and claims what may go. While calls are under way the run waits: each that ends
   * has its own commit made.
   */
  async run(): Promise<void> {
    this.#running = true;
    try {
      this.#stopAt = this.#deps.clock() + MAX_RUN_MS;
      for (;;) {
        const policy = this.#deps.policyNow() ?? (await this.#deps.policy());
        this.#policy = policy;
        await this.#deps.nextCommit();
        this.flight.throwFault();
        if (this.flight.size === 0 && !this.timing.isWorthWaiting(policy, this.#stopAt)) return;
        await this.#untilNextTurn(policy);
      }
    } finally {
      this.#running = false;
    }
  }

  /** Records the calls that have ended, in the commit that is being made. Never throws: the run does. */
  recordEnded(): void {
    const policy = this.#policy;
    if (policy === null) return;
    this.#guarded(() => {
      this.#records.settleInterrupted(policy);
      this.#records.recordEnded(policy);
    });
  }

  /**
   * The end of the commit that is being made: claims what may go now. Its calls go out when that is on disk.
   * Never throws.
   */
  claimDue(): void {
    this.#guarded(() => {
      if (this.#running) this.#claimDue();
    });
    this.#guarded(() => this.claims.keepCounters());
    // The run says what is wrong, and comes again.
    if (this.flight.isBehind) this.notify();
  }

  #claimDue(): void {
    const policy = this.#deps.policyNow();
    if (policy !== null && this.#mayClaim()) this.#claim(policy);
    if (this.#waitsUntil === null) return;
    // Without a policy the run has to read it.
    const next = policy === null ? -Infinity : this.#nextTurnAt(policy);
    if (this.flight.size === 0 || (next !== null && next < this.#waitsUntil)) this.notify();
  }

  /** A fault ends the run, and not the commit. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.flight.fail(thrown);
      this.notify();
    }
  }

  #claim(policy: AccountPolicy): void {
    this.#policy = policy;
    this.#records.settleInterrupted(policy);
    this.#sendNext(policy);
  }

  #mayClaim(): boolean {
    return this.#deps.clock() < this.#stopAt;
  }

  /** When the run has to look again although no call has ended (ms); null: it has not. */
  #nextTurnAt(policy: AccountPolicy): number | null {
    return this.#mayClaim() ? this.timing.nextTurnAt(policy, this.#deps.clock()) : null;
  }

  /** Claims what may be sent now, and sends it. */
  #sendNext(policy: AccountPolicy): void {
    const capacity = this.timing.capacity(policy, this.#deps.clock());
    if (capacity <= 0) return;
    this.timing.useLimit(policy);
    for (const claimed of this.claims.claim(policy, capacity)) {
      this.#deps.calls.spend(callsOf(claimed.row));
      this.#deps.onClaimed?.(claimed.row);
      void this.#send(claimed, policy);
    }
  }

  async #send(claimed: Claimed, policy: AccountPolicy): Promise<void> {
    const startedAt = this.#deps.clock();
    try {
      const result = await this.#deps.call(claimed.row, policy.timeoutMs);
      this.flight.end({ ...claimed, startedAt, endedAt: this.#deps.clock(), result });
    } catch (thrown) {
      this.flight.interrupt(claimed.entry, thrown);
      this.notify();
    }
    this.#deps.askForCommit();
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
