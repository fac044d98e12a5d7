import { earliest } from '../lib/earliest.ts';
import type { LoadedConfig } from '../config/config.ts';
import { describeError, log } from '../lib/log.ts';
import type { Calls } from './state/calls.ts';
import type { HeartbeatCheck } from './notify/heartbeat-check.ts';
import { SWEEP_START, sweepStep, type SweepPosition } from './storage/retention.ts';
import type { Reuse } from './storage/reuse.ts';
import { DAY, MINUTE } from '../lib/duration.ts';

/** Each alarm costs a row written and a request, so a sweep may be late by this. */
export const SWEEP_EACH_MS = 60 * MINUTE;

/** The wait after a fault. */
const AGAIN_MS = 5 * MINUTE;

/** At 200 rows a step, more than a day of a busy account; the next alarm continues. */
const MAX_STEPS = 500;

/** While messages wait: as many rows as a run can send meanwhile, in a few tenths of a second. */
const STEPS_WHILE_DUE = 50;

/** What housekeeping needs of its outbox. */
interface HousekeepingDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  readonly heartbeatCheck: HeartbeatCheck;
  readonly calls: Calls;
  readonly reuse: Reuse;
  readonly isSending: (seq: number) => boolean;
  /** How long finished events and messages are kept, in ms. */
  readonly retentionMs: (config: LoadedConfig) => number;
  /** Called before a sweep deletes anything, … */
  readonly onSweep: (config: LoadedConfig) => void;
  /** … and at its end. */
  readonly onSwept: () => void;
  /**
   * Makes sure that the registry has its alarm. The first sweep of each day calls this: the registry looks for lost
   * alarms of outboxes, and its own can be lost as well.
   */
  readonly wakeRegistry: () => Promise<void>;
  /** Whether the alarm is due again already, so that a run waits for this one to end. */
  readonly isRunDue: () => boolean;
  readonly account: () => string;
  readonly clock: () => number;
}

/**
 * What an outbox does at the end of its alarm, after sending: it deletes what is older than the account's `retention`,
 * hourly, and runs {@link HeartbeatCheck}. An object that holds nothing and watches nothing needs no alarm for it.
 */
export class Housekeeping {
  readonly #deps: HousekeepingDeps;
  #from: SweepPosition = SWEEP_START;
  /** When the sweep is due that {@link alarmAt} returned last (ms). */
  #askedFor: number | null = null;
  /** Nothing is done before this (ms). */
  #againAt = 0;

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps;
  }

  /**
   * When the alarm is needed (ms); now or earlier: at once; null: not needed. Each sweep is returned once: each message
   * of a busy object moves the alarm, and moving it back each time would write a row for each message. A busy object
   * runs the sweep when it sends. Once it is quiet, {@link remind} makes this return the sweep again.
   */
  alarmAt(config: LoadedConfig): number | null {
    const sweepAt = this.#sweepAt();
    const isAskedFor = sweepAt !== null && sweepAt === this.#askedFor && sweepAt > this.#deps.clock();
    this.#askedFor = sweepAt;
    const at = earliest([isAskedFor ? null : sweepAt, this.#deps.heartbeatCheck.nextAt(config)]);
    return at === null ? null : Math.max(this.#againAt, at);
  }

  /** To be called when the alarm may have been moved since {@link alarmAt} returned it. */
  remind(): void {
    this.#askedFor = null;
  }

  /** Does what is due, in steps; other calls are served between the steps. Never throws. */
  async run(config: LoadedConfig): Promise<void> {
    await this.look(config);
    const { clock } = this.#deps;
    if (isDue(this.#sweepAt(), clock())) await this.#guarded(() => this.#sweep(config));
  }

  /** Only checks for silent sources. Never throws. */
  async look(config: LoadedConfig): Promise<void> {
    const { heartbeatCheck, clock } = this.#deps;
    if (isDue(heartbeatCheck.nextAt(config), clock())) await this.#guarded(() => heartbeatCheck.run(config));
  }

  async #guarded(work: () => Promise<void> | void): Promise<void> {
    const { account, clock } = this.#deps;
    if (clock() < this.#againAt) return;
    try {
      await work();
    } catch (thrown) {
      log('error', 'outbox.sweep.failed', { account: account(), error: describeError(thrown) });
      this.#againAt = clock() + AGAIN_MS;
    }
  }

  #sweepAt(): number | null {
    const now = this.#deps.clock();
    if (this.#from !== SWEEP_START) return now;
    if (!isAnythingStored(this.#deps.storage.sql)) return null;
    // 0: never. A time in the future comes from a clock that was ahead; it must not delay the sweep.
    const { sweptAt } = this.#deps.reuse;
    return sweptAt === 0 || sweptAt > now ? now : sweptAt + SWEEP_EACH_MS;
  }

  async #sweep(config: LoadedConfig): Promise<void> {
    const { storage, retentionMs, isSending, isRunDue, onSweep, onSwept, clock } = this.#deps;
    const now = clock();
    onSweep(config);
    const kept = retentionMs(config);
    const context = { sql: storage.sql, now, before: now - kept - Math.min(DAY, kept / 8), isSending };
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const next = storage.transactionSync(() => sweepStep(context, this.#from));
      this.#from = next ?? SWEEP_START;
      if (next === null) {
        await this.#swept(now, kept);
        break;
      }
      await scheduler.wait(0);
      if (step >= STEPS_WHILE_DUE && isRunDue()) break;
    }
    onSwept();
  }

  async #swept(now: number, retentionMs: number): Promise<void> {
    const { reuse, calls, wakeRegistry } = this.#deps;
    const before = reuse.sweptAt;
    reuse.swept(now, retentionMs);
    if (dayOf(before) === dayOf(now) || calls.left === 0) return;
    calls.spend();
    await wakeRegistry();
  }
}

const dayOf = (at: number): number => Math.floor(at / DAY);

const isDue = (at: number | null, now: number): boolean => at !== null && at <= now;

/** Whether there is anything that a sweep will have to delete. */
export const isAnythingStored = (sql: SqlStorage): boolean =>
  sql
    .exec(
      'SELECT 1 WHERE EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM messages) OR EXISTS (SELECT 1 FROM incidents)',
    )
    .toArray().length > 0;
