import * as z from 'zod/mini';
import { PACE_MEMORY_MS, type PastSend } from './pace.ts';

/** A message that a claim put in flight: its number, the attempt's number, when it was claimed, and its receiver. */
export interface InFlight {
  readonly seq: number;
  readonly n: number;
  readonly at: number;
  readonly phone: string | null;
}

/** What a claim writes, before its calls go out: the one row that makes them known after a crash. */
export interface Claim {
  readonly at: number;
  /** No fresh message up to this number is waiting for its turn. */
  readonly cursor: number;
  /** What the account's token bucket held after the claim. */
  readonly tokens: number;
  /** All that is in flight: this claim's messages (their `at` is the claim's) and those of claims before. */
  readonly flight: readonly InFlight[];
}

const flightSchema = z.array(z.tuple([z.number(), z.number(), z.number(), z.nullable(z.string())]));

/** Counters that may be written with a claim; see `counters.ts`. */
export interface Carried {
  readonly text: () => string;
  /** They have to be written now, whenever that was done last. */
  readonly isDue: boolean;
}

/** Counters go with a claim so long after the last (ms) … */
const CARRY_EVERY_MS = 5_000;
/** … or so many claims: what a restart then counts again stays a few milliseconds' work. */
const CARRY_EVERY_CLAIMS = 512;

interface LogRow extends Record<string, SqlStorageValue> {
  id: number;
  at: number;
  cursor: number;
  tokens: number;
  flight: string;
}

/**
 * The claims of the last hour, which is as far back as the pace looks. Older rows are written over, so that the log
 * costs one row a claim and nothing to clean.
 */
export class DispatchLog {
  readonly #sql: SqlStorage;
  #nextId: number;
  #oldest: { id: number; at: number } | null;
  /** The row with the newest counters, and when they were written. */
  #carried: { id: number; at: number } | null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const edges = sql
      .exec<{ first: number | null; last: number | null }>(
        // Two queries in one: asked for both ends at once, SQLite reads all that is between.
        'SELECT (SELECT min(id) FROM dispatch_log) AS first, (SELECT max(id) FROM dispatch_log) AS last',
      )
      .one();
    this.#nextId = (edges.last ?? 0) + 1;
    this.#oldest = edges.first === null ? null : this.#find(edges.first);
    this.#carried = this.#findCarried();
  }

  /** The newest claim, null before the first, and the sends that the pace must still count. */
  read(now: number): { last: Claim | null; sends: readonly PastSend[] } {
    // Looked up from the newest back, so that the many old rows that a busy hour leaves behind are not read.
    const claims = this.#sql
      .exec<LogRow>(
        `SELECT id, at, cursor, tokens, flight FROM dispatch_log WHERE id >= min(?, coalesce(
           (SELECT id + 1 FROM dispatch_log WHERE at <= ? ORDER BY id DESC LIMIT 1), 0)) ORDER BY id`,
        this.#nextId - 1,
        now - PACE_MEMORY_MS,
      )
      .toArray()
      .map(readRow);
    const sends = claims.flatMap((claim) => claim.flight.filter((entry) => entry.at === claim.at));
    return { last: claims.at(-1) ?? null, sends };
  }

  write(claim: Claim, carried?: Carried): void {
    const flight = JSON.stringify(claim.flight.map(({ seq, n, at, phone }) => [seq, n, at, phone]));
    const id = this.#nextId;
    this.#nextId += 1;
    const { at, cursor, tokens } = claim;
    const counters = carried !== undefined && this.#mustCarry(id, at, carried) ? carried.text() : null;
    if (this.#isOldestFree(at) && this.#oldest !== null) {
      const sql =
        'UPDATE dispatch_log SET id = ?, at = ?, cursor = ?, tokens = ?, flight = ?, counters = ? WHERE id = ?';
      this.#sql.exec(sql, id, at, cursor, tokens, flight, counters, this.#oldest.id);
      this.#oldest = this.#find(this.#oldest.id + 1) ?? { id, at };
    } else {
      this.#sql.exec(
        'INSERT INTO dispatch_log (id, at, cursor, tokens, flight, counters) VALUES (?, ?, ?, ?, ?, ?)',
        id,
        at,
        cursor,
        tokens,
        flight,
        counters,
      );
      this.#oldest ??= { id, at };
    }
    if (counters !== null) this.#carried = { id, at };
  }

  /** Writes counters without a claim, into the row of the newest one. `bare`: what a first row holds beside them. */
  carry(counters: string, bare: Omit<Claim, 'flight'>): void {
    const id = this.#nextId - 1;
    if (id === 0) {
      this.write({ ...bare, flight: [] }, { text: () => counters, isDue: true });
      return;
    }
    this.#sql.exec('UPDATE dispatch_log SET counters = ? WHERE id = ?', counters, id);
    this.#carried = { id, at: bare.at };
  }

  /** The newest counters, and all that was in flight in the claims after them; null: none were ever written. */
  carried(): { readonly counters: string; readonly flight: readonly InFlight[] } | null {
    if (this.#carried === null) return null;
    const { id } = this.#carried;
    const row = this.#sql
      .exec<{ counters: string }>('SELECT counters FROM dispatch_log WHERE id = ?', id)
      .one();
    const later = this.#sql
      .exec<LogRow>('SELECT id, at, cursor, tokens, flight FROM dispatch_log WHERE id > ?', id)
      .toArray();
    return { counters: row.counters, flight: later.flatMap((claim) => readRow(claim).flight) };
  }

  #isOldestFree(at: number): boolean {
    return this.#oldest !== null && this.#oldest.at <= at - PACE_MEMORY_MS;
  }

  #mustCarry(id: number, at: number, { isDue }: Carried): boolean {
    if (isDue || this.#carried === null) return true;
    const { id: lastId, at: lastAt } = this.#carried;
    if (at >= lastAt + CARRY_EVERY_MS || at < lastAt || id >= lastId + CARRY_EVERY_CLAIMS) return true;
    // The row that has them is about to be written over.
    return this.#isOldestFree(at) && this.#oldest?.id === lastId;
  }

  #findCarried(): { id: number; at: number } | null {
    return (
      this.#sql
        .exec<{ id: number; at: number }>(
          'SELECT id, at FROM dispatch_log WHERE id > ? AND counters IS NOT NULL ORDER BY id DESC LIMIT 1',
          this.#nextId - 1 - CARRY_EVERY_CLAIMS,
        )
        .toArray()[0] ?? null
    );
  }

  #find(id: number): { id: number; at: number } | null {
    return (
      this.#sql
        .exec<{ id: number; at: number }>('SELECT id, at FROM dispatch_log WHERE id = ?', id)
        .toArray()[0] ?? null
    );
  }
}

function readRow(row: LogRow): Claim {
  const flight = flightSchema
    .parse(JSON.parse(row.flight))
    .map(([seq, n, at, phone]) => ({ seq, n, at, phone }));
  return { at: row.at, cursor: row.cursor, tokens: row.tokens, flight };
}
