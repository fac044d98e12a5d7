import { minTime, DAY, MINUTE } from '../lib/time.ts';
import type { LoadedConfig } from '../config/compiled/config.ts';
import { describeError, log } from '../lib/log.ts';
import { registry } from '../config/load.ts';
import { isAny } from '../lib/store.ts';
import type { Base } from './base.ts';
import { watchedSources, type Heartbeat } from './notify/heartbeat.ts';
import { readFact, writeFact } from './state/meta.ts';
import { SWEEP_START, sweepStep, type SweepPosition } from './storage/sweep.ts';

/** Each alarm costs a row written and a request, so a sweep may be late by this. */
export const SWEEP_EACH_MS = 60 * MINUTE;

const AGAIN_MS = 5 * MINUTE;

/** The wait if no space could be freed: waiting messages must end first, and each attempt reads all rows. */
const FREE_AGAIN_MS = MINUTE;

/** At 50 events a step, more than a day of a busy account; the next alarm continues. */
const MAX_STEPS = 2_000;

/** While messages wait: as many events as a run can send meanwhile, in a few tenths of a second. */
const STEPS_WHILE_DUE = 200;

const SWEPT_AT = 'swept_at';

/**
 * The work at the end of an outbox's alarm, in steps between which other calls are served: deletes rows older than
 * `retention`, hourly, and checks whether sources are silent. A nearly full outbox deletes what is finished at once.
 */
export class Housekeeping {
  readonly #base: Base;
  #from: SweepPosition = SWEEP_START;
  /** The time when the last complete sweep began (ms); 0 if there was none. */
  #sweptAt: number;
  /** The time of the sweep that {@link alarmAt} returned last (ms). */
  #askedFor: number | null = null;
  #againAt = 0;
  #isFreeing = false;
  #freeAt = 0;

  constructor(base: Base) {
    this.#base = base;
    this.#sweptAt = Number(readFact(base.sql, SWEPT_AT) ?? 0);
  }

  /**
   * The time when the alarm is needed (ms); null: it is not. Each sweep is returned once: each message of a busy object
   * moves the alarm, and moving it back would write a row per message. A busy object sweeps when it sends; once it is
   * quiet, {@link remind} makes this return the sweep again.
   */
  alarmAt(config: LoadedConfig): number | null {
    const sweepAt = this.#sweepAt();
    const isAskedFor = sweepAt !== null && sweepAt === this.#askedFor && sweepAt > this.#base.clock();
    this.#askedFor = sweepAt;
    const at = minTime([isAskedFor ? null : sweepAt, this.#checkAt(config)]);
    return at === null ? null : Math.max(this.#againAt, at);
  }

  remind(): void {
    this.#askedFor = null;
  }

  async run(config: LoadedConfig): Promise<void> {
    await this.look(config);
    if (isDue(this.#sweepAt(), this.#base.clock())) await this.#guarded(() => this.#sweep(config));
  }

  /** Only checks for silent sources. Never throws. */
  async look(config: LoadedConfig): Promise<void> {
    const { clock, heartbeats, owner } = this.#base;
    if (!isDue(this.#checkAt(config), clock())) return;
    await this.#guarded(() => {
      for (const change of heartbeats.check(this.#beats(config), clock())) owner.heartbeat(change);
    });
  }

  /** Returns when a source is new, may be overdue, or is back (ms); null if none is. */
  #checkAt(config: LoadedConfig): number | null {
    return this.#base.heartbeats.nextAt(this.#beats(config), this.#base.clock());
  }

  #beats(config: LoadedConfig): readonly Heartbeat[] {
    const { account, claims } = this.#base;
    return watchedSources(config, account()).map((one) => ({
      ...one,
      lastAt: claims.counters.lastEventAt(one.source),
    }));
  }

  async #guarded(work: () => Promise<void> | void): Promise<void> {
    const { account, clock } = this.#base;
    if (clock() < this.#againAt) return;
    try {
      await work();
    } catch (thrown) {
      log('error', 'outbox.sweep.failed', { account: account(), error: describeError(thrown) });
      this.#againAt = clock() + AGAIN_MS;
    }
  }

  #sweepAt(): number | null {
    const now = this.#base.clock();
    if (this.#from !== SWEEP_START) return now;
    if (!isAnythingStored(this.#base.sql)) return null;
    // 0: never. A time in the future comes from a clock that was ahead; it must not delay the sweep.
    return this.#sweptAt === 0 || this.#sweptAt > now ? now : this.#sweptAt + SWEEP_EACH_MS;
  }

  async #sweep(config: LoadedConfig): Promise<void> {
    const { alarm, clock, config: account } = this.#base;
    const now = clock();
    this.#forgetSources(config);
    const before = now - account.policyIn(config).retentionMs;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      if (this.#sweepStep(before)) {
        this.#swept(now);
        break;
      }
      await scheduler.wait(0);
      // The alarm is due again already: a run waits for this one to end.
      if (step >= STEPS_WHILE_DUE && isDue(alarm.at, clock())) break;
    }
    this.lookAtDisk();
  }

  /** True at the end. */
  #sweepStep(before: number | null): boolean {
    const { claims, clock, storage } = this.#base;
    const context = { sql: storage.sql, now: clock(), before, flight: claims.flight.seqs() };
    const next = storage.transactionSync(() => sweepStep(context, this.#from));
    this.#from = next ?? SWEEP_START;
    return next === null;
  }

  /** Notifies the owner of an outbox that is nearly full, and then frees space in the background. */
  lookAtDisk(): void {
    const { clock, disk, owner, storage, waitUntil } = this.#base;
    const level = disk.measure();
    if (disk.isChanged) storage.transactionSync(() => disk.note((change) => owner.storage(change, level)));
    if (disk.level.state === 'ok' || this.#isFreeing || clock() < this.#freeAt) return;
    this.#isFreeing = true;
    waitUntil(this.#guarded(() => this.#free()).finally(() => (this.#isFreeing = false)));
  }

  async #free(): Promise<void> {
    const { clock, disk } = this.#base;
    for (let isWhole = this.#from === SWEEP_START; disk.measure().state !== 'ok';) {
      const isOver = this.#sweepStep(null);
      if (isOver && isWhole) {
        this.#freeAt = clock() + FREE_AGAIN_MS;
        break;
      }
      isWhole ||= isOver;
      await scheduler.wait(0);
    }
    this.lookAtDisk();
  }

  #forgetSources({ sources }: LoadedConfig): void {
    const isConfigured = (source: string): boolean => sources.has(source);
    this.#base.claims.counters.forgetSources(isConfigured);
    this.#base.limits.forgetSources(isConfigured);
  }

  /** The first sweep of a day sees to the registry's alarm: that looks for lost ones, and can be lost as well. */
  #swept(now: number): void {
    const { calls, env, sql, waitUntil } = this.#base;
    const before = this.#sweptAt;
    writeFact(sql, SWEPT_AT, String(now));
    this.#sweptAt = now;
    if (dayOf(before) === dayOf(now) || calls.left === 0) return;
    calls.spend();
    // In the background: while an alarm runs, nothing is sent of what comes in.
    waitUntil(this.#guarded(() => registry(env).wake()));
  }
}

const dayOf = (at: number): number => Math.floor(at / DAY);

const isDue = (at: number | null, now: number): boolean => at !== null && at <= now;

export const isAnythingStored = (sql: SqlStorage): boolean =>
  ['events', 'messages', 'incidents'].some((table) => isAny(sql, `SELECT 1 FROM ${table} LIMIT 1`));
