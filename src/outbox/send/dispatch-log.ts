import * as z from 'zod/mini';
import { PACE_MEMORY_MS } from './pace.ts';
import { receiverKey } from './receiver-history.ts';
import { SendBlocks, type ReadSends } from './send-blocks.ts';

/** A message in flight: its number, the attempt's number, when it was claimed (ms), and its receiver. */
export interface InFlight {
  readonly seq: number;
  readonly n: number;
  readonly at: number;
  readonly phone: string | null;
}

/** What a claim writes before its calls go out. After a crash this row says which calls were made. */
export interface Claim {
  readonly at: number;
  /** No fresh message up to this number waits. */
  readonly cursor: number;
  /** How many tokens the account's bucket had after the claim. */
  readonly tokens: number;
  /** All that is in flight: this claim's messages (their `at` is the claim's), and those of earlier claims. */
  readonly flight: readonly InFlight[];
}

const flightSchema = z.array(z.tuple([z.number(), z.number(), z.number(), z.nullable(z.string())]));

/** Counters that may be written with a claim; see `counters.ts`. */
export interface Carried {
  readonly text: () => string;
  /** Whether they must be written now. */
  readonly isDue: boolean;
}

/** How long after the last time a claim writes the counters again (ms) … */
const CARRY_EVERY_MS = 5_000;
/** … or after how many claims, so that a restart counts the rest in a few milliseconds. */
const CARRY_EVERY_CLAIMS = 512;

const SELECT_CLAIM = 'SELECT id, at, cursor, tokens, flight FROM dispatch_log';

/** How many claims are read at once. */
const SLICE = 500;

interface LogRow extends Record<string, SqlStorageValue> {
  id: number;
  at: number;
  cursor: number;
  tokens: number;
  flight: string;
}

/**
 * The claims. The newest says what is in flight; the sends of older ones are collected in `send-blocks.ts`. A row that
 * is not needed any more is overwritten, so that a claim costs one row written, and nothing has to be deleted.
 */
export class DispatchLog {
  readonly #sql: SqlStorage;
  readonly #blocks: SendBlocks;
  #nextId: number;
  /** `at` is read when it is needed. */
  #oldest: { readonly id: number; at: number | null } | null;
  /** The row with the newest counters, and when they were written. */
  #carried: { id: number; at: number } | null;
  #isOpenRead = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const edges = sql
      .exec<{ first: number | null; last: number | null }>(
        // Two subqueries, since SQLite reads the whole table for `min(id), max(id)` in one.
        'SELECT (SELECT min(id) FROM dispatch_log) AS first, (SELECT max(id) FROM dispatch_log) AS last',
      )
      .one();
    this.#nextId = (edges.last ?? 0) + 1;
    this.#oldest = edges.first === null ? null : { id: edges.first, at: null };
    this.#carried = this.#findCarried();
    this.#blocks = new SendBlocks(sql, PACE_MEMORY_MS);
  }

  /** The newest claim; null before the first. */
  last(): Claim | null {
    const [row] = this.#sql.exec<LogRow>(`${SELECT_CLAIM} WHERE id = ?`, this.#nextId - 1).toArray();
    return row === undefined ? null : readRow(row);
  }

  /** The sends claimed after `since` (ms), in order; see {@link ReadSends}. */
  readonly readSends: ReadSends = (since, onSend) => {
    this.#readOpen();
    this.#blocks.read(since, onSend);
  };

  /** How many sends {@link readSends} gives at most. */
  countSends(): number {
    this.#readOpen();
    return this.#blocks.count;
  }

  write(claim: Claim, carried?: Carried): void {
    this.#readOpen();
    const flight = JSON.stringify(claim.flight.map(({ seq, n, at, phone }) => [seq, n, at, phone]));
    const id = this.#nextId;
    this.#nextId += 1;
    const { at, cursor, tokens } = claim;
    const counters = carried !== undefined && this.#mustCarry(id, at, carried) ? carried.text() : null;
    const values = [id, at, cursor, tokens, flight, counters];
    if (!this.#overwriteOldest(at, values)) {
      this.#sql.exec(
        'INSERT INTO dispatch_log (id, at, cursor, tokens, flight, counters) VALUES (?, ?, ?, ?, ?, ?)',
        ...values,
      );
      this.#oldest ??= { id, at };
    }
    if (counters !== null) this.#carried = { id, at };
    this.#addSends(id, claim);
  }

  /** False: no row is free. */
  #overwriteOldest(at: number, values: readonly SqlStorageValue[]): boolean {
    const oldest = this.#oldest;
    if (oldest === null || !this.#isFree(oldest, at)) return false;
    // Rows are overwritten in the order of their numbers, which have no gap.
    this.#oldest = { id: oldest.id + 1, at: null };
    const sql =
      'UPDATE dispatch_log SET id = ?, at = ?, cursor = ?, tokens = ?, flight = ?, counters = ? WHERE id = ?';
    return this.#sql.exec(sql, ...values, oldest.id).rowsWritten > 0;
  }

  /** Writes counters without a claim, into the newest row. `bare`: for the first row, when there is none. */
  carry(counters: string, bare: Omit<Claim, 'flight'>): void {
    const id = this.#nextId - 1;
    if (id === 0) {
      this.write({ ...bare, flight: [] }, { text: () => counters, isDue: true });
      return;
    }
    this.#sql.exec('UPDATE dispatch_log SET counters = ? WHERE id = ?', counters, id);
    this.#carried = { id, at: bare.at };
  }

  /** The newest counters, and everything in flight in the claims after them; null: none were ever written. */
  carried(): { readonly counters: string; readonly flight: readonly InFlight[] } | null {
    if (this.#carried === null) return null;
    const { id } = this.#carried;
    const row = this.#sql
      .exec<{ counters: string }>('SELECT counters FROM dispatch_log WHERE id = ?', id)
      .one();
    const later = this.#sql.exec<LogRow>(`${SELECT_CLAIM} WHERE id > ?`, id).toArray();
    return { counters: row.counters, flight: later.flatMap((claim) => readRow(claim).flight) };
  }

  /**
   * Reads the sends that are in no block yet, once. For an object from before there were blocks, these are a whole
   * hour's.
   */
  #readOpen(): void {
    if (this.#isOpenRead) return;
    this.#isOpenRead = true;
    const last = this.last();
    if (last === null) return;
    let from = Math.max(this.#blocks.claimTo, this.#lastBefore(last.at - PACE_MEMORY_MS));
    for (let rows = this.#slice(from); rows.length > 0; rows = this.#slice(from))
      for (const row of rows) {
        this.#addSends(row.id, readRow(row));
        from = row.id;
      }
  }

  #slice(from: number): readonly LogRow[] {
    return this.#sql.exec<LogRow>(`${SELECT_CLAIM} WHERE id > ? ORDER BY id LIMIT ${SLICE}`, from).toArray();
  }

  /** Searches from the newest row back, so that the many old rows of a busy hour are not read. */
  #lastBefore(at: number): number {
    const [row] = this.#sql
      .exec<{ id: number }>('SELECT id FROM dispatch_log WHERE at <= ? ORDER BY id DESC LIMIT 1', at)
      .toArray();
    return row?.id ?? 0;
  }

  #addSends(id: number, { at, flight }: Claim): void {
    const receivers = flight
      .filter((entry) => entry.at === at)
      .map(({ phone }) => (phone === null ? null : receiverKey(phone)));
    this.#blocks.add(id, at, receivers);
  }

  #isFree(oldest: { readonly id: number; at: number | null }, at: number): boolean {
    if (oldest.id <= this.#blocks.claimTo) return true;
    oldest.at ??= this.#atOf(oldest.id);
    return oldest.at <= at - PACE_MEMORY_MS;
  }

  #mustCarry(id: number, at: number, { isDue }: Carried): boolean {
    if (isDue || this.#carried === null) return true;
    const { id: lastId, at: lastAt } = this.#carried;
    if (at >= lastAt + CARRY_EVERY_MS || at < lastAt || id >= lastId + CARRY_EVERY_CLAIMS) return true;
    // The row that has them is about to be overwritten.
    return this.#oldest?.id === lastId && this.#isFree(this.#oldest, at);
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

  #atOf(id: number): number {
    return this.#sql.exec<{ at: number }>('SELECT at FROM dispatch_log WHERE id = ?', id).one().at;
  }
}

function readRow(row: LogRow): Claim {
  const flight = flightSchema
    .parse(JSON.parse(row.flight))
    .map(([seq, n, at, phone]) => ({ seq, n, at, phone }));
  return { at: row.at, cursor: row.cursor, tokens: row.tokens, flight };
}
