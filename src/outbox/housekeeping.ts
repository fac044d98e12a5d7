import type { LoadedConfig } from '../config/compiled/config.ts';
import { registry } from '../config/load.ts';
import { eventIdFloor } from '../lib/id.ts';
import { parseOwnJson } from '../lib/json.ts';
import { describeError, log } from '../lib/log.ts';
import { isAny } from '../lib/store.ts';
import { minTime, DAY, MINUTE } from '../lib/time.ts';
import type { Base } from './base.ts';
import { sweepEarly, sweepIncidents } from './incidents/store.ts';
import { watchedSources, type Heartbeat } from './notify/heartbeat.ts';
import { claimKey, itemClaimKey } from './state/event.ts';
import { sweepHandedClaims } from './state/fallback.ts';
import { DUE_SQL, WAITING_SQL, newestSeq } from './state/message.ts';
import { readFact, writeFact } from './state/meta.ts';

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

/** The work at the end of an alarm, in steps between which other calls are served. A full outbox sweeps at once. */
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
    const { counters } = this.#base.claims;
    const watched = watchedSources(config, this.#base.account());
    return watched.map((one) => ({ ...one, lastAt: counters.lastEventAt(one.source) }));
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
    const { alarm, claims, clock, config: account, limits } = this.#base;
    const now = clock();
    const isConfigured = (source: string): boolean => config.sources.has(source);
    claims.counters.forgetSources(isConfigured);
    limits.forgetSources(isConfigured);
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
    storage.transactionSync(() => disk.note((change) => owner.storage(change, level)));
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

/** `more`: tables that are looked at besides those that are swept. */
export const isAnythingStored = (sql: SqlStorage, ...more: readonly string[]): boolean =>
  ['events', 'messages', 'incidents', ...more].some((from) => isAny(sql, `SELECT 1 FROM ${from} LIMIT 1`));

/** True if nothing needs the outbox. A fallback that came again after that would be refused. */
export const isEmpty = (sql: SqlStorage): boolean =>
  !isAnythingStored(sql, 'beyond', 'notices', 'handings', "dedupe_claims WHERE key NOT LIKE '@%'");

/** The number of events, or of messages, of one step: even with payloads of a MiB each, it takes some milliseconds. */
const STEP = 50;

/** The position of a sweep. It looks at all events, and then at the messages that belong to none of these. */
export interface SweepPosition {
  readonly eventId: string | null;
  readonly seq: number;
}

export const SWEEP_START: SweepPosition = { eventId: '', seq: 0 };

export interface SweepContext {
  readonly sql: SqlStorage;
  readonly now: number;
  /** Older rows may be deleted (ms). Null if there is no space: then whatever is finished. */
  readonly before: number | null;
  readonly flight: readonly number[];
}

/**
 * Deletes the oldest events and messages, and returns where the next step continues; null at the end. An event goes with
 * all its messages once none of them waits to be sent, or is with another account; if there is no space, also those that
 * wait for a person stay. One whose claim is in force stays without its payload, so that duplicates are recognized.
 */
export function sweepStep(context: SweepContext, from: SweepPosition): SweepPosition | null {
  const { before, sql, now } = context;
  if (from === SWEEP_START) {
    sweepHandedClaims(sql, now);
    sweepEarly(sql, now);
  }
  const newest = newestSeq(sql);
  const next = from.eventId === null ? sweepMessages(context, from.seq) : sweepEvents(context, from.eventId);
  if (newest > newestSeq(sql)) writeFact(sql, SWEPT_KEY, String(newest));
  const isMore = before !== null && sweepIncidents(sql, before);
  return next === null && isMore ? { eventId: null, seq: Number.MAX_SAFE_INTEGER } : next;
}

const AFTER_ALL = '\uffff';

type OldEvent = { dedupe_key: string | null } & Record<'id' | 'source' | 'item_keys', string> &
  Record<'first_message' | 'message_count' | 'is_open' | 'is_claimed', number>;

const isKeptSql = ({ before, flight }: SweepContext): string =>
  `(state IN ${before === null ? WAITING_SQL : DUE_SQL} OR seq IN (${flight.join()}) OR seq IN (SELECT seq FROM handings))`;

function sweepEvents(context: SweepContext, from: string): SweepPosition {
  const { sql, now, before } = context;
  const rows = sql
    .exec<OldEvent>(
      `SELECT id, source, dedupe_key, item_keys, first_message, message_count,
         EXISTS (SELECT 1 FROM messages
           WHERE seq >= first_message AND seq < first_message + message_count AND ${isKeptSql(context)}) AS is_open,
         EXISTS (SELECT 1 FROM dedupe_claims WHERE event_id = events.id AND expires_at > ?1 AND key IN (
           SELECT source || char(10) || dedupe_key
           UNION ALL SELECT '#' || source || char(10) || value FROM json_each(item_keys))) AS is_claimed
         FROM events WHERE id > ?2 AND id < ?3 ORDER BY id LIMIT ${STEP}`,
      now,
      from,
      before === null ? AFTER_ALL : eventIdFloor(before),
    )
    .toArray();
  for (const event of rows) if (event.is_open === 0) deleteEvent(sql, event);
  const last = rows.at(-1);
  return { eventId: rows.length < STEP || last === undefined ? null : last.id, seq: 0 };
}

/** Deletes an event with its messages, and with its claims unless one is in force, or another event has its key by now. */
function deleteEvent(sql: SqlStorage, event: OldEvent): void {
  const { id, source, dedupe_key, item_keys, first_message: first, message_count: count } = event;
  sql.exec('DELETE FROM messages WHERE seq >= ? AND seq < ?', first, first + count);
  if (event.is_claimed === 1) {
    sql.exec(
      "UPDATE events SET payload = 'null', headers = 'null', query = 'null', subject = NULL, stored = 0 WHERE id = ? AND stored = 1",
      id,
    );
    return;
  }
  const keys = parseOwnJson<readonly string[]>(item_keys).map((key) => itemClaimKey(source, key));
  for (const key of dedupe_key === null ? keys : [claimKey(source, dedupe_key), ...keys])
    sql.exec('DELETE FROM dedupe_claims WHERE key = ? AND event_id = ?', key, id);
  sql.exec('DELETE FROM events WHERE id = ?', id);
}

/** Deletes messages that no event has: sent by hand, fallbacks, notifications of incidents, or those of a deleted event. */
function sweepMessages(context: SweepContext, from: number): SweepPosition | null {
  const { sql, before } = context;
  // Messages are numbered in the order of acceptance: after the first one that is too young, all are.
  const { last, count } = sql
    .exec<{ last: number | null; count: number }>(
      `SELECT max(seq) AS last, count(*) AS count FROM
         (SELECT seq, created_at FROM messages WHERE seq > ? ORDER BY seq LIMIT ${STEP}) WHERE created_at < ?`,
      from,
      before ?? Infinity,
    )
    .one();
  if (last === null) return null;
  sql.exec(
    `DELETE FROM messages WHERE seq > ? AND seq <= ? AND NOT ${isKeptSql(context)} AND NOT EXISTS (
       SELECT 1 FROM events WHERE id = event_id AND seq >= first_message AND seq < first_message + message_count)`,
    from,
    last,
  );
  return count < STEP ? null : { eventId: null, seq: last };
}

const SWEPT_KEY = 'last_swept_seq';

/** The highest number ever deleted. New ones are higher: an old id would otherwise name another event's message. */
export const lastSweptSeq = (sql: SqlStorage): number => Number(readFact(sql, SWEPT_KEY) ?? 0);
