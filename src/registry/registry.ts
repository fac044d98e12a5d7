import { DurableObject } from 'cloudflare:workers';
import { callEach, type Called, type OutboxCall } from '../outbox/many-outboxes.ts';
import { outboxNames } from '../outbox/outboxes.ts';
import { secretValues, variable } from '../lib/secret.ts';
import { hideFromLogs } from '../lib/log.ts';
import type { FieldError } from '../lib/problem.ts';
import { parseOwnJson } from '../lib/own-json.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Totals } from '../counts/counts.ts';
import type { TailBatch } from '../outbox/tail/frame.ts';
import { accountOf } from '../outbox/state/shards.ts';
import { readWatcher, TailHub } from './tail-hub.ts';
import { watchOutboxes } from './watch-outboxes.ts';
import { applyChange, describeChange, type Change } from './change.ts';
import { compileConfig } from '../config/compile.ts';
import type { Config } from '../config/config.ts';
import { lazyConfig } from '../config/lazy-config.ts';
import { KvCopy, publishedJson } from './kv-copy.ts';
import { MAX_SET_BYTES } from './limits.ts';
import { Pairings, type Captured, type Offer, type Pairing, type Taking } from './pairing.ts';
import { placedAccounts } from '../config/placed-accounts.ts';
import type { Holds, Placements } from '../config/placement.ts';
import { StoredPlacements, type SetChange } from './placements.ts';
import type { PublishReceipt, PublishRefusal } from './published.ts';
import { holds, type Precondition } from './precondition.ts';
import { outboxesPerRun, Rounds } from './rounds.ts';
import { Rejections, type LimitedEntry, type NumberedRejection, type RejectionEntry } from './rejections.ts';
import { EMPTY_SET, type ConfigSet } from '../config/schema.ts';
import { secretNameErrors } from '../config/secret-names.ts';
import { secretErrors } from '../config/secrets.ts';
import { secretValueErrors } from '../config/secret-values.ts';
import { shardWarnings, waitingWarnings } from './shard-change.ts';

/** A version that was published, without its documents. */
export interface VersionInfo {
  readonly version: number;
  readonly published_at: string;
  readonly by: string;
  readonly note: string;
  readonly active: boolean;
}

/** An alarm that starts an object is called well within this after the constructor. */
const ALARM_COMES_MS = 100;

/** What came of checking a set. */
interface Checked {
  readonly warnings: readonly FieldError[];
  readonly change: SetChange;
}

/** What a publisher is told whose set is in force and not yet where webhooks read it. */
const NOT_COPIED: FieldError = {
  path: '',
  message:
    'KV could not be written (1,000 writes a day on the free plan). It is tried again within ten minutes; until then webhooks find the set before',
};

/** A person mends the first few and tries again; a thousand would be a wall. */
const MAX_ERRORS = 100;

/**
 * What a deployment has one of: the configuration's versions, the recent rejections, the pairing windows, and the
 * sockets of the live view; and it looks after alarms that outboxes have lost. KV has no compare-and-set and is eventually consistent, so two publishes at once could lose
 * one; here they stand in line. KV gets a copy.
 */
export class Registry extends DurableObject<Env> {
  readonly #copy: KvCopy;
  readonly #placements: StoredPlacements;
  readonly #pairings: Pairings;
  readonly #rejections: Rejections;
  readonly #tail: TailHub;
  readonly #rounds: Rounds;
  /** When the copy in KV goes on (ms); null: it has everything, or nothing was tried since the object started. */
  #copyAt: number | null = null;
  /** The time of the pending alarm; null when there is none or it is running. */
  #armedAt: number | null = null;
  #isInAlarm = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    hideFromLogs(() => secretValues(env));
    ctx.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS versions (
         version INTEGER PRIMARY KEY, published_at INTEGER NOT NULL, by TEXT NOT NULL, note TEXT NOT NULL, documents TEXT NOT NULL
       )`,
    );
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS active (one INTEGER PRIMARY KEY CHECK (one = 1), activation INTEGER NOT NULL, version INTEGER NOT NULL)',
    );
    this.#placements = new StoredPlacements(ctx.storage.sql);
    this.#rejections = new Rejections(ctx.storage.sql);
    this.#pairings = new Pairings(ctx.storage.sql);
    // Nobody may ever ask for a key that came in, and it must not stay for that.
    this.#pairings.sweep(Date.now());
    this.#copy = new KvCopy({
      sql: ctx.storage.sql,
      kv: env.CONFIG,
      active: () => this.#active(),
      documents: (version) => this.read(version)?.documents ?? null,
      wakeAt: (at) => {
        this.#copyAt = at;
        this.#arm();
      },
      clock: Date.now,
    });
    this.#rounds = new Rounds({
      sql: ctx.storage.sql,
      names: () => outboxNames(env),
      look: (name) => env.OUTBOX.getByName(name).look(),
      portion: outboxesPerRun(variable(env, 'CALLS_PER_RUN')),
      clock: () => Date.now(),
    });
    this.#tail = new TailHub({
      ctx,
      version: () => this.#active().version,
      watch: () => this.#watchOutboxes(),
      clock: Date.now,
    });
    void ctx.blockConcurrencyWhile(async () => {
      this.#armedAt = await ctx.storage.getAlarm();
      // Not at once: what starts the object may be its alarm, which does not stand any more.
      setTimeout(() => this.#armLost(), ALARM_COMES_MS);
    });
  }

  /** A client of the live view. Only the admin API calls this, once it knows who it is. */
  override fetch(request: Request): Promise<Response> {
    return this.#tail.join(readWatcher(new URL(request.url).searchParams));
  }

  /** What comes and is no `ping`, which the platform answers, means nothing here. */
  override webSocketMessage(): void {}

  /** A close is answered by one (RFC 6455 §7.1.1), with a code: proxies take none for a broken connection. */
  override webSocketClose(socket: WebSocket): void {
    socket.close(1000);
  }

  /** What an outbox tells the live view; false: nobody watches any more. */
  report({ frames, dropped }: TailBatch): boolean {
    return this.#tail.show(frames, dropped);
  }

  /**
   * Checks the changed set as a whole and puts it in force, or says what is wrong with it and changes nothing. It is
   * in force once it is committed here: when KV cannot be written just now, the alarm brings it there. What must be in
   * force for it is looked at in the same step as the commit.
   */
  async publish(
    change: Change,
    by: string,
    now: number,
    condition?: Precondition,
  ): Promise<Result<PublishReceipt, PublishRefusal>> {
    const plan = this.#plan(change, condition);
    if (!plan.ok) return plan;
    const documents = JSON.stringify(plan.value.set);
    const version = this.ctx.storage.transactionSync(() => {
      const added = this.#addVersion(documents, describeChange(change), by, now);
      this.#setActive(added);
      this.#placements.change(plan.value.change, now);
      return added;
    });
    return ok(await this.#putInForce(version, documents, plan.value));
  }

  /** What {@link publish} would say, without doing it. */
  async check(
    change: Change,
    condition?: Precondition,
  ): Promise<Result<readonly FieldError[], PublishRefusal>> {
    const plan = this.#plan(change, condition);
    return plan.ok ? ok(await this.#warnings(plan.value)) : plan;
  }

  /** Puts an earlier version in force again, checked as of today: its secrets may be gone. */
  async activate(version: number, condition?: Precondition): Promise<Result<PublishReceipt, PublishRefusal>> {
    const stored = this.read(version);
    if (stored === null) return err({ status: 404, detail: `There is no version ${version}.`, errors: [] });
    const overtaken = this.#overtaken(condition);
    if (overtaken !== null) return err(overtaken);
    const checked = this.#checkSet(parseOwnJson<ConfigSet>(stored.documents));
    if (!checked.ok) return checked;
    this.ctx.storage.transactionSync(() => {
      this.#setActive(version);
      this.#placements.change(checked.value.change, Date.now());
    });
    return ok(await this.#putInForce(version, stored.documents, checked.value));
  }

  /** What an outbox holds that takes no new messages. If that changes anything, it is in force like a publish. */
  async reportHeld(outbox: string, held: Holds): Promise<void> {
    const { accounts } = lazyConfig(this.#inForce(), 0);
    const shards = accounts.get(accountOf(outbox))?.shards ?? 0;
    const isNew = this.ctx.storage.transactionSync(() => {
      if (!this.#placements.report(outbox, held, { now: Date.now(), shards })) return false;
      this.#setActive(this.#active().version);
      return true;
    });
    if (!isNew) return;
    this.#copy.arm();
    await this.#copy.run();
  }

  /** Makes calls of outboxes for a request, which may make fewer; see `many-outboxes.ts`. */
  callOutboxes(calls: readonly OutboxCall[]): Promise<readonly Called[]> {
    return callEach(this.env, calls);
  }

  /** Never throws: the platform gives an alarm up after a few failures. */
  override async alarm(): Promise<void> {
    this.#armedAt = null;
    this.#isInAlarm = true;
    await this.#copy.run();
    if (this.#isPublished) await this.#rounds.run();
    this.#isInAlarm = false;
    this.#arm();
  }

  /** An outbox asks daily, so that this object's alarm is not lost for ever either. */
  async wake(): Promise<void> {
    const armedAt = await this.ctx.storage.getAlarm();
    if (this.#isInAlarm) return;
    this.#armedAt = armedAt;
    this.#armLost();
  }

  get #isPublished(): boolean {
    return this.#active().activation > 0;
  }

  #armLost(): void {
    if (this.#isInAlarm || !this.#isPublished) return;
    const at = this.#copy.isBehind ? this.#copy.retryAt : this.#rounds.nextAt();
    if (this.#armedAt === null || this.#armedAt > at) this.#armFor(at);
  }

  /** For the copy or the next look at outboxes, whichever comes first. Within an alarm only the copy's, until its end. */
  #arm(): void {
    const roundsAt = this.#isInAlarm || !this.#isPublished ? null : this.#rounds.nextAt();
    const times = [this.#copyAt, roundsAt].filter((at) => at !== null);
    if (times.length > 0) this.#armFor(Math.min(...times));
  }

  #armFor(at: number): void {
    if (this.#armedAt === at) return;
    this.#armedAt = at;
    // Not awaited: the write is part of the surrounding commit, which the platform's output gate waits for.
    void this.ctx.storage.setAlarm(at);
  }

  /** The set in force, or an earlier version, as JSON; null when there is no such version. */
  read(version?: number): { readonly version: number; readonly documents: string } | null {
    const wanted = version ?? this.#active().version;
    if (wanted === 0 && version === undefined) return { version: 0, documents: JSON.stringify(EMPTY_SET) };
    const row = this.ctx.storage.sql
      .exec<{ documents: string }>('SELECT documents FROM versions WHERE version = ?', wanted)
      .toArray()[0];
    return row === undefined ? null : { version: wanted, documents: row.documents };
  }

  /** What KV has a copy of under its current key, for who cannot read KV; null: its version is gone. */
  published(): string | null {
    const stored = this.read();
    return stored === null ? null : publishedJson(this.#active(), stored.documents);
  }

  #inForce(): ConfigSet {
    const stored = this.read();
    return stored === null ? EMPTY_SET : parseOwnJson<ConfigSet>(stored.documents);
  }

  /** Versions, newest first. */
  versions(limit: number, before: number | null): readonly VersionInfo[] {
    const active = this.#active().version;
    return this.ctx.storage.sql
      .exec<{ version: number; published_at: number; by: string; note: string }>(
        'SELECT version, published_at, by, note FROM versions WHERE version < ? ORDER BY version DESC LIMIT ?',
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .toArray()
      .map(({ version, published_at, by, note }) => ({
        version,
        published_at: new Date(published_at).toISOString(),
        by,
        note,
        active: version === active,
      }));
  }

  recordRejection(entry: RejectionEntry): void {
    this.#rejections.record(entry);
    const { at, source, status, reason } = entry;
    this.#tail.show([{ type: 'rejection', at, source, status, reason }]);
  }

  /** What sources sent beyond their limits. */
  recordLimited(entries: readonly LimitedEntry[]): void {
    for (const entry of entries) {
      if (!this.#rejections.recordLimited(entry)) continue;
      const { at, source, status, reason } = entry;
      this.#tail.show([{ type: 'rejection', at, source, status, reason }]);
    }
  }

  /** Recent rejections, newest first. */
  rejections(limit: number, before: number | null): readonly NumberedRejection[] {
    return this.#rejections.list(limit, before);
  }

  /** How many requests were refused and recorded, ever. */
  rejectionTotals(): Totals {
    return this.#rejections.totals;
  }

  /** Lets the source's provider hand over its key, once and for a while. */
  openPairing(source: string, now: number): Pairing {
    return this.#pairings.open(source, now);
  }

  /** How the source's pairing stands. Changes nothing. */
  lookAtPairing(source: string, now: number): Pairing {
    return this.#pairings.look(source, now);
  }

  /** A key that came in is shown by this call and by no other. */
  takePairing(source: string, now: number): Taking {
    return this.#pairings.take(source, now);
  }

  closePairing(source: string): void {
    this.#pairings.close(source);
  }

  /** Whether a key that somebody hands over may be answered. */
  capturePairing(source: string, key: string, offer: Offer): Promise<Captured> {
    return this.#pairings.capture(source, key, offer);
  }

  #plan(
    change: Change,
    condition: Precondition | undefined,
  ): Result<Checked & { readonly set: ConfigSet }, PublishRefusal> {
    const overtaken = this.#overtaken(condition);
    if (overtaken !== null) return err(overtaken);
    const changed = applyChange(this.#inForce(), change);
    if (!changed.ok) return changed;
    const checked = this.#checkSet(changed.value);
    return checked.ok ? ok({ set: changed.value, ...checked.value }) : checked;
  }

  #checkSet(set: ConfigSet): Result<Checked, PublishRefusal> {
    if (new TextEncoder().encode(JSON.stringify(set)).byteLength > MAX_SET_BYTES) {
      return err({
        status: 413,
        detail: `The whole set must not be larger than ${MAX_SET_BYTES} bytes as JSON.`,
        errors: [],
      });
    }
    const values = secretValueErrors(set, this.env);
    if (values.length > 0) return err(invalid(values));
    const { config, errors, warnings } = compileConfig(set, 0);
    const all = [...errors, ...secretNameErrors(config), ...secretErrors(config, this.env)];
    return all.length === 0 ? ok({ warnings, change: this.#changeTo(config) }) : err(invalid(all));
  }

  #changeTo(after: Config): SetChange {
    const inForce = this.#inForce();
    const { config } = compileConfig(inForce, 0);
    // Before the first publish there is no account that anything could wait in.
    const before = this.#active().version === 0 ? { ...config, accounts: new Map() } : config;
    return { before, after, documents: inForce.accounts };
  }

  async #warnings({ warnings, change }: Checked): Promise<readonly FieldError[]> {
    const waiting = await waitingWarnings(change, (account, policy) =>
      this.#placements.objectNames(account, policy).map((name) => this.env.OUTBOX.getByName(name)),
    );
    return [...warnings, ...shardWarnings(change), ...waiting];
  }

  /** Why a change that was meant for another version is not made; null: it was meant for this one, or for any. */
  #overtaken(condition: Precondition | undefined): PublishRefusal | null {
    const { version } = this.#active();
    if (holds(condition, version)) return null;
    const [info] = this.versions(1, version + 1);
    const origin =
      info === undefined ? ', the empty set,' : `, published by ${info.by} at ${info.published_at},`;
    const detail = `Version ${version}${origin} is in force, which is none of those in \`If-Match\`; nothing was changed. Look at it, and say \`If-Match: "${version}"\` if your change still stands.`;
    return { status: 412, detail, errors: [], inForce: version };
  }

  /** Adds the next version and gives its number. */
  #addVersion(documents: string, note: string, by: string, now: number): number {
    const { sql } = this.ctx.storage;
    const { last } = sql.exec<{ last: number | null }>('SELECT max(version) AS last FROM versions').one();
    const version = (last ?? 0) + 1;
    sql.exec(
      'INSERT INTO versions (version, published_at, by, note, documents) VALUES (?, ?, ?, ?, ?)',
      version,
      now,
      by,
      note,
      documents,
    );
    return version;
  }

  #setActive(version: number): void {
    this.ctx.storage.sql.exec(
      'INSERT OR REPLACE INTO active (one, activation, version) VALUES (1, ?, ?)',
      this.#active().activation + 1,
      version,
    );
  }

  /** Follows a change of what is active without an await between them. */
  async #putInForce(version: number, documents: string, checked: Checked): Promise<PublishReceipt> {
    const published = publishedJson(this.#active(), documents);
    this.#copy.arm();
    // Accounts may have come.
    if (this.#tail.isWatched) this.ctx.waitUntil(this.#watchOutboxes());
    await this.#copy.run();
    const warnings = await this.#warnings(checked);
    return { version, published, warnings: this.#copy.isBehind ? [NOT_COPIED, ...warnings] : warnings };
  }

  #watchOutboxes(): Promise<void> {
    const { accounts } = lazyConfig(this.#inForce(), 0);
    const placements = parseOwnJson<Placements>(this.#placements.json() ?? '{}');
    return watchOutboxes(this.env, { accounts: placedAccounts(accounts, placements) });
  }

  #active(): { activation: number; version: number; placements: string | undefined } {
    const [active = { activation: 0, version: 0 }] = this.ctx.storage.sql
      .exec<{ activation: number; version: number }>('SELECT activation, version FROM active')
      .toArray();
    return { ...active, placements: this.#placements.json() };
  }
}

function invalid(errors: readonly FieldError[]): PublishRefusal {
  const shown =
    errors.length > MAX_ERRORS ? ` The first ${MAX_ERRORS} of ${errors.length} errors are listed.` : '';
  const detail = `The configuration is not valid; nothing was changed.${shown}`;
  return { status: 422, detail, errors: errors.slice(0, MAX_ERRORS) };
}
