import { ALARM_LATE_MS } from '../lib/alarm.ts';
import type { AccountPolicy, LoadedConfig } from '../config/compiled/config.ts';
import { NO_CALL, type AttemptResult, type NoCall } from '../gateway/client.ts';
import { describeError, log } from '../lib/log.ts';
import { DAY } from '../lib/time.ts';
import { Signal } from '../lib/wait.ts';
import type { Base } from './base.ts';
import { isAnythingStored, SWEEP_EACH_MS, type Housekeeping } from './housekeeping.ts';
import type { Incidents } from './incidents/incidents.ts';
import { isSuppressedIn, isWholeRouteSuppressed } from './incidents/rules.ts';
import { busyReceipt, takeIn, type Waiting } from './intake.ts';
import type { Messages } from './message.ts';
import type { OtherAccounts } from './other-accounts.ts';
import type { Overflow } from './overflow.ts';
import { FAULT_MS, INTERRUPTED, type Call, type CallEnd } from './send/claims.ts';
import type { Timing } from './send/timing.ts';
import { heldBytes, type Acceptance, type Receipt } from './state/acceptance.ts';
import { callsOf } from './state/calls.ts';
import type { MessageRow } from './state/message.ts';
import type { Now } from './state/wiring.ts';

/** The maximum number of messages that one claim leaves out because something throws for them. */
const MAX_FAULTS = 8;

/** An alarm may take 15 minutes. A run stops claiming well before, and the next alarm continues. */
const MAX_RUN_MS = 10 * 60_000;

/** What falls due while an alarm runs (a step, a fallback) has to wait for the next one, so its run ends this much later (ms). */
const MAX_OVERDUE_MS = 5_000;

/** The time after which an alarm follows a run (ms). One alarm serves this time, not one per event. */
export const NET_MS = 30_000;

/** After a fault (a broken read, a bug) sending is tried again after this, for ever (ms). */
const RETRY_MS = 30_000;

/** The maximum number of events, and of bytes, in one commit, so that it takes a few milliseconds. */
const MAX_GROUP = 256;
export const MAX_GROUP_BYTES = 8 * 1_048_576;

/** Bytes that may wait here: the platform stops an object that uses 128 MB, and everything that waits is lost. */
export const MAX_HELD_BYTES = 32 * 1_048_576;

export interface LoopParts extends Base {
  readonly messages: Messages;
  readonly incidents: Incidents;
  readonly others: OtherAccounts;
  readonly overflow: Overflow;
  readonly housekeeping: Housekeeping;
  readonly timing: Timing;
  /** One HTTP call for the message; never throws. */
  readonly call: (message: MessageRow, policy: AccountPolicy) => Promise<AttemptResult | NoCall>;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * Makes commits while there is anything to write, and the calls that they claim. A run continues until nothing can be
 * sent now. A commit that accepts something, or the alarm, starts it; never both at once.
 *
 * In each commit, in this order: calls that have ended are recorded, events are taken in, receivers are notified of
 * incidents, messages are claimed, and the checkpoint is written. When all of it is on disk, the calls go out and the
 * senders get their answers.
 */
export class Loop {
  readonly #parts: LoopParts;
  readonly #signal = new Signal();
  #running = false;
  /** The policy of the last run: without one, the meaning of a failed call is unknown. */
  #policy: AccountPolicy | null = null;
  #newest = 0;
  /** The time after which the current run makes no further claims (ms). */
  #stopAt = Infinity;
  /** The time until which the run waits unless it is notified (ms); null if it does not wait. */
  #waitsUntil: number | null = null;
  /** What comes while a commit is on its way shares the next one. */
  #waiting: Waiting[] = [];
  #heldBytes = 0;
  /** The run waits until the next commit is on disk. */
  #next: PromiseWithResolvers<void> | null = null;
  /** True if a call has ended: a commit is needed even without events. */
  #isAsked = false;
  #isCommitting = false;
  /** The time until which the configuration is not read again for notifications that wait (ms). */
  #readsAgainAt = 0;

  constructor(parts: LoopParts) {
    this.#parts = parts;
  }

  get running(): boolean {
    return this.#running;
  }

  /** Beyond the memory limit an event is refused; one alone may have any size. */
  accept(acceptance: Acceptance): Promise<Receipt> {
    const size = heldBytes(acceptance);
    if (this.#heldBytes > 0 && this.#heldBytes + size > MAX_HELD_BYTES)
      return Promise.resolve(busyReceipt(acceptance));
    this.#heldBytes += size;
    const { promise, resolve, reject } = Promise.withResolvers<Receipt>();
    this.#waiting.push({ acceptance, size, resolve, reject });
    this.#commit();
    return promise;
  }

  /** Makes commits while there is anything to write, unless it does so already. */
  #commit(): void {
    if (!this.#isCommitting) void this.#commitAll();
  }

  async #commitAll(): Promise<void> {
    this.#isCommitting = true;
    while (this.#waiting.length > 0 || this.#isAsked || this.#next !== null) {
      const next = this.#next;
      this.#next = null;
      this.#isAsked = false;
      const group = this.#waiting.splice(0, groupLength(this.#waiting));
      try {
        this.#recordEnded();
        const answers = takeIn(this.#parts, group);
        this.#endCommit();
        await this.#parts.storage.sync();
        for (const answer of answers) answer();
        next?.resolve();
      } catch (thrown) {
        // The state on disk is unknown: each sender tries again, and its event's id makes that safe.
        for (const { reject } of group) reject(thrown);
        next?.reject(thrown);
      }
      for (const { size } of group) this.#heldBytes -= size;
    }
    this.#isCommitting = false;
  }

  /** Makes a change at once, with its consequences. It is on disk before anything of it is visible outside. */
  readonly now = <Done>(change: () => Done, isLate = false): Done => {
    const { incidents } = this.#parts;
    incidents.load();
    const done = change();
    incidents.notify();
    this.#writeEnd();
    if (this.#running) this.#signal.notify();
    this.#go(isLate);
    return done;
  };

  /** Does the same for work whose invocation has made other calls: a run that follows has the alarm’s calls. */
  readonly late: Now = (change) => this.now(change, true);

  wake(): void {
    this.#signal.notify();
  }

  /** Starts to send what may be sent now, or sets the alarm for the time when it may. */
  #go(isLate = false): void {
    const { alarm, clock, incidents, timing } = this.#parts;
    const policy = this.#policyNow();
    const nextAt = policy === null || incidents.isAsked ? clock() : timing.nextRunAt(policy);
    if (nextAt === null) return;
    const isLater = nextAt > clock();
    // The platform counts an alarm's calls until its other work has ended as well. Then it comes again.
    if (!this.#running && (isLater || isLate || alarm.isRunning)) return alarm.bringForward(nextAt);
    // Sends what a run leaves behind if the object stops; the platform starts a running alarm again.
    if (!alarm.isRunning) alarm.bringForward(clock() + NET_MS);
    if (!this.#running) void this.#start();
  }

  /** Sets the alarm for what is due next. `loaded`: null if the policy came with the events; the alarm finds out. */
  arm(loaded: LoadedConfig | null): void {
    const { alarm, canary, clock, config, escapes, handings, housekeeping, incidents, owner, timing } =
      this.#parts;
    const now = clock();
    const policy = loaded === null ? config.policyNow(now) : config.policyIn(loaded);
    if (this.#running) alarm.bringForward(now + NET_MS);
    else alarm.bringForward(policy === null ? now : timing.nextRunAt(policy));
    for (const part of [owner, handings, escapes, incidents]) alarm.bringForward(part.nextAt());
    if (loaded === null) return;
    alarm.bringForward(canary.nextAt(config.policyIn(loaded).canary));
    alarm.bringForward(housekeeping.alarmAt(loaded));
  }

  /** An object that holds or watches anything must always have an alarm, which finds out when it is needed next. */
  armLost(at: number): void {
    const { alarm, canary, heartbeats, owner, sql } = this.#parts;
    alarm.renew(ALARM_LATE_MS);
    if (alarm.at !== null || alarm.isRunning) return;
    if (isAnythingStored(sql) || owner.nextAt() !== null || heartbeats.isWatching || canary.isOn)
      alarm.bringForward(at);
  }

  /** The object has started: what its last instance left is sent at once, without waiting for the alarm. */
  resume(): void {
    const { alarm, claims, incidents } = this.#parts;
    const isLeft = claims.flight.size > 0 || claims.queue.atMost > 0 || incidents.isAsked;
    if (isLeft && !this.#running && !alarm.isRunning) void this.#start();
  }

  /** Starts a separate run, with the alarm as its safety net. Never throws. */
  async #start(): Promise<void> {
    this.#parts.calls.begin();
    try {
      await this.run();
      this.arm(this.#parts.config.known);
    } catch (thrown) {
      this.failed(thrown);
    }
  }

  failed(thrown: unknown): void {
    const { account, alarm, clock } = this.#parts;
    log('error', 'outbox.alarm.failed', { account: account(), error: describeError(thrown) });
    alarm.bringForward(clock() + RETRY_MS);
  }

  /** Sends until nothing can be sent now, or the run has made all its calls. Each call that ends has its own commit made. */
  async run(): Promise<void> {
    const { claims, clock, incidents, timing } = this.#parts;
    this.#running = true;
    try {
      this.#stopAt = clock() + MAX_RUN_MS;
      for (;;) {
        const policy = this.#policyNow() ?? (await this.#read());
        this.#policy = policy;
        const next = Promise.withResolvers<void>();
        this.#next = next;
        this.#commit();
        await next.promise;
        claims.flight.throwFault();
        if (incidents.isAsked) continue;
        if (claims.flight.open === 0 && !timing.isWorthWaiting(policy, this.#endsAt)) return;
        await this.#untilNextTurn(policy);
      }
    } finally {
      this.#running = false;
      claims.keep(false);
    }
  }

  /**
   * Null if it has to be read: incidents need more of the configuration than the policy that comes with an event. So do
   * their notifications: others would take their turns.
   */
  #policyNow(): AccountPolicy | null {
    const { clock, config, incidents } = this.#parts;
    const now = clock();
    const isUnread = incidents.isAsked
      ? config.inForce(now) === null
      : config.known === null && now >= this.#readsAgainAt && incidents.isAnyWaiting();
    return isUnread ? null : config.policyNow(now);
  }

  /** If it cannot be read when the object has just started, the others go by the policy that came with an event. */
  async #read(): Promise<AccountPolicy> {
    const { clock, config, incidents } = this.#parts;
    try {
      return await config.policy();
    } catch (thrown) {
      const policy = incidents.isAsked ? null : config.policyNow(clock());
      if (policy === null) throw thrown;
      log('warn', 'config.read.failed', { error: describeError(thrown) });
      return policy;
    } finally {
      this.#readsAgainAt = clock() + RETRY_MS;
    }
  }

  #endCommit(): void {
    const { claims, incidents } = this.#parts;
    incidents.notify();
    // A fault ends the run, but not the commit.
    try {
      this.#claim();
    } catch (thrown) {
      if (this.#running) claims.flight.fail(thrown);
      else this.failed(thrown);
      this.#signal.notify();
    }
    this.#writeEnd();
    // The run reports the fault of a call, and comes again.
    if (claims.flight.isBehind) this.#signal.notify();
  }

  /** The platform holds the calls back until the commit is on disk. */
  #claim(): void {
    const { claims, incidents } = this.#parts;
    const { newest } = claims.queue;
    // A run starts here, so that accepted messages are claimed in the same commit.
    if (newest !== this.#newest || incidents.isAsked) this.#go();
    this.#newest = newest;
    if (!this.#running) return;
    const policy = this.#policyNow();
    if (policy !== null && this.#mayClaim())
      this.#guarded(() => {
        for (const one of this.#claimBy(policy)) void this.#send(one, policy);
      });
    // The run is woken if it waits for anything other than what is due now.
    if (this.#waitsUntil === null) return;
    // Without a policy, the run has to read it.
    const next = policy === null ? -Infinity : this.#nextTurnAt(policy);
    const isEarlier = next !== null && next < this.#waitsUntil;
    if (claims.flight.open === 0 || isEarlier || incidents.isAsked) this.#signal.notify();
  }

  async #send(one: Call, policy: AccountPolicy): Promise<void> {
    const { call, claims, clock, sleep } = this.#parts;
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
    if (this.#isAsked) return;
    this.#isAsked = true;
    // Not at once: a commit for all calls that end meanwhile saves a quarter of an event's CPU.
    const commit = (): void => this.#commit();
    if (!this.#isCommitting) void sleep(0).then(commit, commit);
  }

  #mayClaim(): boolean {
    return this.#parts.clock() < this.#endsAt;
  }

  get #endsAt(): number {
    const { alarm } = this.#parts;
    const nextAt = alarm.isRunning ? alarm.at : null;
    return nextAt === null ? this.#stopAt : Math.min(this.#stopAt, nextAt + MAX_OVERDUE_MS);
  }

  /** Returns the time when the run must look again even if no call has ended (ms); null if it need not. */
  #nextTurnAt(policy: AccountPolicy): number | null {
    const { clock, timing } = this.#parts;
    return this.#mayClaim() ? timing.nextTurnAt(policy, clock()) : null;
  }

  /** Waits until a call has ended, more is accepted, or the next message may be due. */
  async #untilNextTurn(policy: AccountPolicy): Promise<void> {
    const { clock, sleep } = this.#parts;
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
    const { claims, clock, incidents, messages } = this.#parts;
    const policy = this.#policy;
    if (policy === null) return;
    this.#guarded(() => {
      incidents.load();
      for (const call of claims.flight.calls) {
        if (call.ended === null) continue;
        try {
          // The record before this one may have failed, and have dropped that memory.
          incidents.load();
          this.#record(call, call.ended, policy);
        } catch (thrown) {
          if (claims.flight.recordLater(call, clock())) messages.failed(call, thrown);
        }
      }
    });
  }

  /** Writes the checkpoint, and does in the background what a commit, or a change outside of one, has asked for. */
  #writeEnd(): void {
    const { claims, clock, disk, escapes, handings, housekeeping, incidents, others, overflow } = this.#parts;
    this.#guarded(() => claims.keep(this.#running));
    this.#guarded(() => {
      // What was added is swept.
      this.armLost(clock() + SWEEP_EACH_MS);
      if (disk.isDue) housekeeping.lookAtDisk();
    });
    overflow.look(this.late);
    if (handings.isAsked) others.send(this.late);
    escapes.send(this.late, incidents);
  }

  #record(call: Call, end: CallEnd, policy: AccountPolicy): void {
    const { claims, clock, incidents, messages } = this.#parts;
    const { result } = end;
    if (result === NO_CALL) {
      incidents.putBack(call.row);
      return claims.putBack(call);
    }
    // Of an interrupted one, only the record's own time is known, from which it is tried again.
    const endedAt = result === INTERRUPTED ? clock() : end.endedAt;
    messages.record(call, { ...end, endedAt }, result, policy);
    claims.flight.delete(call.seq);
    claims.queue.turns.release(call.row);
  }

  #claimBy(policy: AccountPolicy): readonly Call[] {
    const { calls, claims, clock, incidents, tail, timing } = this.#parts;
    this.#policy = policy;
    // An object's first commit begins without a policy: what was interrupted is recorded here.
    if (claims.flight.isBehind) this.#recordEnded();
    incidents.load();
    const capacity = timing.capacity(policy, clock());
    if (capacity.urgent <= 0) return [];
    timing.useLimit(policy);
    const claimed = this.#claimReviewed(policy, capacity);
    for (const { row } of claimed) {
      calls.spend(callsOf(row));
      tail.changed(row, 'sending');
    }
    return claimed;
  }

  /** If it cannot be written, all wait as before. If something throws for one message, it is made again without that one. */
  #claimReviewed(policy: AccountPolicy, capacity: ReturnType<Timing['capacity']>): readonly Call[] {
    const { claims, clock, incidents, messages } = this.#parts;
    const reviewed: MessageRow[] = [];
    const looked: { at: MessageRow | null } = { at: null };
    const toSend = (row: MessageRow): MessageRow | null => {
      looked.at = row;
      let sent: MessageRow | null = row;
      if (this.#hasEnded(row, policy)) sent = null;
      else if (row.says !== null) {
        sent = incidents.review(row);
        if (sent !== null) reviewed.push(sent);
      }
      looked.at = null;
      return sent;
    };
    for (let faults = 0; ; faults += 1)
      try {
        return claims.claim(policy, capacity, toSend);
      } catch (thrown) {
        for (const row of reviewed.splice(0)) incidents.putBack(row);
        const row = looked.at;
        if (row === null || faults === MAX_FAULTS) throw thrown;
        looked.at = null;
        messages.failed(row, thrown);
        messages.postpone(row, clock() + FAULT_MS);
      }
  }

  /** Ends a message that is too old, or whose receiver has opted out. */
  #hasEnded(row: MessageRow, policy: AccountPolicy): boolean {
    const { claims, clock, config, messages, owner } = this.#parts;
    const expiry = claims.expiryOf(row, policy, clock());
    if (expiry === null && !isSuppressedIn(config.known, row)) return false;
    messages.end(row, expiry ?? { state: 'suppressed', reason: { code: 'opted-out' } });
    if (expiry === null && isWholeRouteSuppressed(config.known, row, clock()))
      owner.first(['route.suppressed', `${row.source ?? ''}/${row.route ?? ''}`], DAY);
    return true;
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#parts.claims.flight.fail(thrown);
    }
  }
}

function groupLength(waiting: readonly Waiting[]): number {
  let bytes = 0;
  const end = waiting.findIndex(({ size }, index) => {
    bytes += size;
    return index > 0 && (index === MAX_GROUP || bytes > MAX_GROUP_BYTES);
  });
  return end === -1 ? waiting.length : end;
}
