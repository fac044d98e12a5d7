import type { LoadedConfig } from '../config/config.ts';
import { describeError, log } from '../lib/log.ts';
import type { Calls } from './state/calls.ts';
import type { HeartbeatCheck } from './notify/heartbeat-check.ts';
import { SWEEP_START, sweepStep, type SweepPosition } from './storage/retention.ts';
import { DAY, MINUTE } from '../lib/duration.ts';

/** An alarm is a row written and a request: nobody waits for a row that is too old by less than this. */
export const SWEEP_EACH_MS = 60 * MINUTE;

/** After a fault: another object of the account did not answer, say. */
const AGAIN_MS = 5 * MINUTE;

/** At 200 rows a step, more than a day's worth of a busy account; the next alarm goes on. */
const MAX_STEPS = 500;

/** While messages wait, a sweep still gets through as many rows as a run can send, within some tenths of a second. */
const STEPS_WHILE_WAITED_FOR = 50;

const SWEPT_AT = 'swept_at';

/** What housekeeping needs of its outbox. */
export interface HousekeepingDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  readonly heartbeatCheck: HeartbeatCheck;
  readonly calls: Calls;
  readonly isSending: (seq: number) => boolean;
  /** How long what is final is kept, in ms. */
  readonly retentionMs: (config: LoadedConfig) => number;
  /** Told before a sweep deletes anything, … */
  readonly onSweep: (config: LoadedConfig) => void;
  /** … and at its end. */
  readonly onSwept: () => void;
  /** Has the registry look after alarms that were lost; each day's first sweep does, so that its own is not either. */
  readonly wakeRegistry: () => Promise<void>;
  /** Whether the alarm is due again already: a run is waited for. */
  readonly isWaitedFor: () => boolean;
  /** The object's name. */
  readonly outbox: () => string;
  readonly clock: () => number;
}

/**
 * What an outbox does beside sending, at the end of its alarm: deletes what is older than the account's `retention`,
 * hourly, and has {@link HeartbeatCheck} look. An object that holds nothing and watches nothing needs no alarm for it.
 */
export class Housekeeping {
  readonly #deps: HousekeepingDeps;
  #sweptAt: number | null;
  #from: SweepPosition = SWEEP_START;
  /** The sweep that {@link alarmAt} has asked for (ms). */
  #askedFor: number | null = null;
  /** Nothing is done before this (ms). */
  #againAt = 0;

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps;
    const rows = deps.storage.sql.exec<{ value: string }>('SELECT value FROM meta WHERE key = ?', SWEPT_AT);
    const value = rows.toArray()[0]?.value;
    this.#sweptAt = value === undefined ? null : Number(value);
  }

  /**
   * When the alarm is needed (ms), now or earlier: at once; null: not. Each sweep is asked for once: a busy object's
   * alarm is moved with each message, and moving it back each time would be a row of each message. It finds the sweep
   * due when it sends, and once it is quiet {@link remind} has it asked for again.
   */
  alarmAt(config: LoadedConfig): number | null {
    const sweepAt = this.#sweepAt();
    const isAskedFor = sweepAt !== null && sweepAt === this.#askedFor && sweepAt > this.#deps.clock();
    this.#askedFor = sweepAt;
    const times = [isAskedFor ? null : sweepAt, this.#deps.heartbeatCheck.nextAt(config)].filter(
      (at) => at !== null,
    );
    return times.length === 0 ? null : Math.max(this.#againAt, Math.min(...times));
  }

  /** The alarm that was asked for may have been moved. */
  remind(): void {
    this.#askedFor = null;
  }

  /** Does what is due, in steps, between which others are served. Never throws. */
  async run(config: LoadedConfig): Promise<void> {
    await this.look(config);
    const { clock } = this.#deps;
    if (isDue(this.#sweepAt(), clock())) await this.#guarded(() => this.#sweep(config));
  }

  /** Only looks for silent sources. Never throws. */
  async look(config: LoadedConfig): Promise<void> {
    const { heartbeatCheck, clock } = this.#deps;
    if (isDue(heartbeatCheck.nextAt(config), clock())) await this.#guarded(() => heartbeatCheck.run(config));
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    const { outbox, clock } = this.#deps;
    if (clock() < this.#againAt) return;
    try {
      await work();
    } catch (thrown) {
      log('error', 'outbox.sweep.failed', { outbox: outbox(), error: describeError(thrown) });
      this.#againAt = clock() + AGAIN_MS;
    }
  }

  #sweepAt(): number | null {
    const now = this.#deps.clock();
    if (this.#from !== SWEEP_START) return now;
    if (!isAnythingStored(this.#deps.storage.sql)) return null;
    // A clock that was ahead must not put it off.
    return this.#sweptAt === null || this.#sweptAt > now ? now : this.#sweptAt + SWEEP_EACH_MS;
  }

  async #sweep(config: LoadedConfig): Promise<void> {
    const { storage, retentionMs, isSending, isWaitedFor, onSweep, onSwept, clock } = this.#deps;
    const now = clock();
    onSweep(config);
    const context = { sql: storage.sql, now, before: now - retentionMs(config), isSending };
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const next = storage.transactionSync(() => sweepStep(context, this.#from));
      this.#from = next ?? SWEEP_START;
      if (next === null) {
        await this.#swept(now);
        break;
      }
      await scheduler.wait(0);
      if (step >= STEPS_WHILE_WAITED_FOR && isWaitedFor()) break;
    }
    onSwept();
  }

  async #swept(now: number): Promise<void> {
    const { storage, calls, wakeRegistry } = this.#deps;
    const before = this.#sweptAt;
    this.#sweptAt = now;
    storage.sql.exec('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', SWEPT_AT, String(now));
    if (dayOf(before ?? 0) === dayOf(now) || !calls.isAnyLeft) return;
    calls.spend();
    await wakeRegistry();
  }
}

const dayOf = (at: number): number => Math.floor(at / DAY);

const isDue = (at: number | null, now: number): boolean => at !== null && at <= now;

/** Whether there is anything that grows old. */
export const isAnythingStored = (sql: SqlStorage): boolean =>
  sql
    .exec(
      'SELECT 1 WHERE EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM messages) OR EXISTS (SELECT 1 FROM dedupe_claims WHERE keeper IS NOT NULL)',
    )
    .toArray().length > 0;
