import { earliest } from '../lib/iso.ts';
import type { LoadedConfig } from '../config/compiled/config.ts';
import { describeError, log } from '../lib/log.ts';
import { registry } from '../config/registry-client.ts';
import { DAY, MINUTE } from '../lib/duration.ts';
import type { Base } from './base.ts';
import { handingOf } from './hand-on/handings.ts';
import { watchedSources, type Heartbeat } from './notify/heartbeat.ts';
import type { StorageWatch } from './storage-watch.ts';
import { SWEEP_START, sweepStep, type SweepPosition } from './storage/retention.ts';

/** Each alarm costs a row written and a request, so a sweep may be late by this. */
export const SWEEP_EACH_MS = 60 * MINUTE;

/** The wait after a fault. */
const AGAIN_MS = 5 * MINUTE;

/** At 200 rows a step, more than a day of a busy account; the next alarm continues. */
const MAX_STEPS = 500;

/** While messages wait: as many rows as a run can send meanwhile, in a few tenths of a second. */
const STEPS_WHILE_DUE = 50;

/**
 * The work at the end of an outbox's alarm, after sending: deletes rows older than the account's `retention`, hourly,
 * and checks whether sources are silent. An object that stores nothing and watches nothing needs no alarm for this.
 */
export class Housekeeping {
  readonly #base: Base;
  readonly #storageWatch: StorageWatch;
  #from: SweepPosition = SWEEP_START;
  /** The time of the sweep that {@link alarmAt} returned last (ms). */
  #askedFor: number | null = null;
  /** Nothing is done before this (ms). */
  #againAt = 0;

  constructor(base: Base, storageWatch: StorageWatch) {
    this.#base = base;
    this.#storageWatch = storageWatch;
  }

  /**
   * Returns the time when the alarm is needed (ms); now or earlier: at once; null: not needed. Returns each sweep
   * once: each message of a busy object moves the alarm, and moving it back would write a row per message. A busy
   * object sweeps when it sends. Once it is quiet, {@link remind} makes this return the sweep again.
   */
  alarmAt(config: LoadedConfig): number | null {
    const sweepAt = this.#sweepAt();
    const isAskedFor = sweepAt !== null && sweepAt === this.#askedFor && sweepAt > this.#base.clock();
    this.#askedFor = sweepAt;
    const at = earliest([isAskedFor ? null : sweepAt, this.#checkAt(config)]);
    return at === null ? null : Math.max(this.#againAt, at);
  }

  /** To be called when the alarm may have been moved since {@link alarmAt} returned it. */
  remind(): void {
    this.#askedFor = null;
  }

  /** Does what is due, in steps; other calls are served between the steps. Never throws. */
  async run(config: LoadedConfig): Promise<void> {
    await this.look(config);
    if (isDue(this.#sweepAt(), this.#base.clock())) await this.#guarded(() => this.#sweep(config));
  }

  /** Only checks for silent sources. Never throws. */
  async look(config: LoadedConfig): Promise<void> {
    if (isDue(this.#checkAt(config), this.#base.clock())) await this.#guarded(() => this.#check(config));
  }

  /**
   * Returns the time of the next check for silent sources (ms): one is new, may be overdue, or is back; null if none
   * is.
   */
  #checkAt(config: LoadedConfig): number | null {
    return this.#base.heartbeats.nextAt(this.#beats(config), this.#base.clock());
  }

  #check(config: LoadedConfig): void {
    const { account, clock, heartbeats, owner } = this.#base;
    const changes = heartbeats.check(this.#beats(config), account(), clock());
    if (changes.length > 0) owner.silentSources(changes);
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
    const { sweptAt } = this.#base.reuse;
    return sweptAt === 0 || sweptAt > now ? now : sweptAt + SWEEP_EACH_MS;
  }

  async #sweep(config: LoadedConfig): Promise<void> {
    const { alarm, claims, clock, config: account, storage } = this.#base;
    const now = clock();
    this.#forgetSources(config);
    claims.keepForSweep();
    const { retentionMs: kept } = account.policyIn(config);
    const before = now - kept - Math.min(DAY, kept / 8);
    const isSending = (seq: number): boolean =>
      claims.flight.has(seq) || handingOf(storage.sql, seq) !== null;
    const context = { sql: storage.sql, now, before, isSending };
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const next = storage.transactionSync(() => sweepStep(context, this.#from));
      this.#from = next ?? SWEEP_START;
      if (next === null) {
        this.#swept(now, kept);
        break;
      }
      await scheduler.wait(0);
      // The alarm is due again already: a run waits for this one to end.
      if (step >= STEPS_WHILE_DUE && isDue(alarm.at, clock())) break;
    }
    this.#storageWatch.look();
  }

  #forgetSources({ sources }: LoadedConfig): void {
    const isConfigured = (source: string): boolean => sources.has(source);
    this.#base.claims.counters.forgetSources(isConfigured);
    this.#base.limits.forgetSources(isConfigured);
  }

  /**
   * The first sweep of each day makes sure that the registry has its alarm: the registry looks for lost alarms of
   * outboxes, and its own can be lost as well.
   */
  #swept(now: number, retentionMs: number): void {
    const { calls, env, reuse, waitUntil } = this.#base;
    const before = reuse.sweptAt;
    reuse.swept(now, retentionMs);
    if (dayOf(before) === dayOf(now) || calls.left === 0) return;
    calls.spend();
    // In the background: while an alarm runs, nothing is sent of what comes in.
    waitUntil(this.#guarded(() => registry(env).wake()));
  }
}

const dayOf = (at: number): number => Math.floor(at / DAY);

const isDue = (at: number | null, now: number): boolean => at !== null && at <= now;

/** True if there is anything that a sweep will have to delete. */
export const isAnythingStored = (sql: SqlStorage): boolean =>
  sql
    .exec(
      'SELECT 1 WHERE EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM messages) OR EXISTS (SELECT 1 FROM incidents)',
    )
    .toArray().length > 0;
