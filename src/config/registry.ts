import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../env.ts';
import type { FieldError } from '../lib/problem.ts';
import { parseOwnJson } from '../lib/own-json.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { applyChange, describeChange, type Change } from './change.ts';
import { compileConfig } from './compile.ts';
import { KvCopy, publishedJson } from './kv-copy.ts';
import { MAX_SET_BYTES } from './limits.ts';
import { Pairings, type Pairing } from './pairing.ts';
import { EMPTY_SET, type ConfigSet } from './schema.ts';
import { secretErrors } from './secrets.ts';
import { shardErrors } from './shard-change.ts';

/** A version that was published, without its documents. */
export interface VersionInfo {
  readonly version: number;
  readonly published_at: string;
  readonly by: string;
  readonly note: string;
  readonly active: boolean;
}

/** Why a publish was refused: `status` as the admin API answers it. Nothing was changed. */
export interface PublishRefusal {
  readonly status: 404 | 409 | 413 | 422;
  readonly detail: string;
  readonly errors: readonly FieldError[];
}

export interface PublishReceipt {
  readonly version: number;
  /** The `Published` of `load.ts` as JSON: documents of any shape do not cross an RPC with their types. */
  readonly published: string;
  readonly warnings: readonly FieldError[];
}

/** One refused request, as the list of recent rejections shows it: never its body. */
export interface RejectionEntry {
  readonly at: string;
  readonly source: string;
  readonly status: number;
  readonly reason: string;
  readonly detail: string;
}

/** A rejection and where it stands in the list, to go on from there. */
export interface NumberedRejection {
  readonly n: number;
  readonly entry: RejectionEntry;
}

/** A person mends the first few and tries again; a thousand would be a wall. */
const MAX_ERRORS = 100;

/** How many rejections are kept; the oldest is written over. */
const MAX_REJECTIONS = 200;

/**
 * What a deployment has one of: the configuration's versions, the recent rejections, and the pairing windows. KV has no
 * compare-and-set and is eventually consistent, so two publishes at once could lose one; here they stand in line. KV
 * gets a copy.
 */
export class Registry extends DurableObject<Env> {
  readonly #copy: KvCopy;
  readonly #pairings: Pairings;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS versions (
         version INTEGER PRIMARY KEY, published_at INTEGER NOT NULL, by TEXT NOT NULL, note TEXT NOT NULL, documents TEXT NOT NULL
       )`,
    );
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS active (one INTEGER PRIMARY KEY CHECK (one = 1), activation INTEGER NOT NULL, version INTEGER NOT NULL)',
    );
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS rejections (slot INTEGER PRIMARY KEY, n INTEGER NOT NULL, entry TEXT NOT NULL)',
    );
    this.#pairings = new Pairings(ctx.storage.sql);
    // Nobody may ever ask for a key that came in, and it must not stay for that.
    this.#pairings.sweep(Date.now());
    this.#copy = new KvCopy({
      storage: ctx.storage,
      kv: env.CONFIG,
      active: () => this.#active(),
      documents: (version) => this.read(version)?.documents ?? null,
      clock: Date.now,
    });
  }

  /**
   * Checks the changed set as a whole and puts it in force, or says what is wrong with it and changes nothing. It is
   * in force once it is committed here: when KV cannot be written just now, the alarm brings it there.
   */
  async publish(change: Change, by: string, now: number): Promise<Result<PublishReceipt, PublishRefusal>> {
    const plan = this.#plan(change);
    if (!plan.ok) return plan;
    const documents = JSON.stringify(plan.value.set);
    const version = this.ctx.storage.transactionSync(() => {
      const added = this.#addVersion(documents, describeChange(change), by, now);
      this.#setActive(added);
      return added;
    });
    return ok(await this.#putInForce(version, documents, plan.value.warnings));
  }

  /** What {@link publish} would say, without doing it. */
  check(change: Change): Result<readonly FieldError[], PublishRefusal> {
    const plan = this.#plan(change);
    return plan.ok ? ok(plan.value.warnings) : plan;
  }

  /** Puts an earlier version in force again, checked as of today: its secrets may be gone. */
  async activate(version: number): Promise<Result<PublishReceipt, PublishRefusal>> {
    const stored = this.read(version);
    if (stored === null) return err({ status: 404, detail: `There is no version ${version}.`, errors: [] });
    const checked = this.#checkSet(parseOwnJson<ConfigSet>(stored.documents));
    if (!checked.ok) return checked;
    this.#setActive(version);
    return ok(await this.#putInForce(version, stored.documents, checked.value));
  }

  /** Never throws: the platform gives an alarm up after a few failures. */
  override alarm(): Promise<void> {
    return this.#copy.run();
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
    const { sql } = this.ctx.storage;
    const { last } = sql.exec<{ last: number | null }>('SELECT max(n) AS last FROM rejections').one();
    const n = (last ?? 0) + 1;
    sql.exec(
      'INSERT OR REPLACE INTO rejections (slot, n, entry) VALUES (?, ?, ?)',
      n % MAX_REJECTIONS,
      n,
      JSON.stringify(entry),
    );
  }

  /** Recent rejections, newest first. */
  rejections(limit: number, before: number | null): readonly NumberedRejection[] {
    return this.ctx.storage.sql
      .exec<{ n: number; entry: string }>(
        'SELECT n, entry FROM rejections WHERE n < ? ORDER BY n DESC LIMIT ?',
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .toArray()
      .map(({ n, entry }) => ({ n, entry: parseOwnJson<RejectionEntry>(entry) }));
  }

  /** Lets the source's provider hand over its key, once and for a while. */
  openPairing(source: string, now: number): Pairing {
    return this.#pairings.open(source, now);
  }

  /** How the source's pairing stands; a key that came in is shown by this call and by no other. */
  takePairing(source: string, now: number): Pairing {
    return this.#pairings.take(source, now);
  }

  closePairing(source: string): void {
    this.#pairings.close(source);
  }

  /** Whether a key that a provider hands over may be answered. */
  capturePairing(source: string, key: string, now: number): Promise<boolean> {
    return this.#pairings.capture(source, key, now);
  }

  #plan(change: Change): Result<{ set: ConfigSet; warnings: readonly FieldError[] }, PublishRefusal> {
    const changed = applyChange(this.#inForce(), change);
    if (!changed.ok) return changed;
    const checked = this.#checkSet(changed.value);
    return checked.ok ? ok({ set: changed.value, warnings: checked.value }) : checked;
  }

  #checkSet(set: ConfigSet): Result<readonly FieldError[], PublishRefusal> {
    if (new TextEncoder().encode(JSON.stringify(set)).byteLength > MAX_SET_BYTES) {
      return err({
        status: 413,
        detail: `The whole set must not be larger than ${MAX_SET_BYTES} bytes as JSON.`,
        errors: [],
      });
    }
    const { config, errors, warnings } = compileConfig(set, 0);
    const inForce = compileConfig(this.#inForce(), 0).config;
    const all = [...errors, ...secretErrors(config, this.env), ...shardErrors(inForce, config)];
    if (all.length === 0) return ok(warnings);
    const shown =
      all.length > MAX_ERRORS ? ` The first ${MAX_ERRORS} of ${all.length} errors are listed.` : '';
    const detail = `The configuration is not valid; nothing was changed.${shown}`;
    return err({ status: 422, detail, errors: all.slice(0, MAX_ERRORS) });
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
  async #putInForce(
    version: number,
    documents: string,
    warnings: readonly FieldError[],
  ): Promise<PublishReceipt> {
    const published = publishedJson(this.#active(), documents);
    this.#copy.arm();
    await this.#copy.run();
    return { version, published, warnings };
  }

  #active(): { activation: number; version: number } {
    return (
      this.ctx.storage.sql
        .exec<{ activation: number; version: number }>('SELECT activation, version FROM active')
        .toArray()[0] ?? { activation: 0, version: 0 }
    );
  }
}
