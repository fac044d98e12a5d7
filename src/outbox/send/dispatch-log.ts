import { mayOverwrite } from '../state/schema.ts';
import { ClaimTail } from './claim-tail.ts';
import type { InFlight } from './in-flight.ts';
import { anchorOf, flightText, readRow, SELECT_CLAIM, sendsOf, type Claim, type LogRow } from './log-rows.ts';
import { PACE_MEMORY_MS } from './pace.ts';
import { receiverKey } from './receiver-history.ts';
import { SendBlocks, type ReadSends } from './send-blocks.ts';

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

/**
 * The claims. The newest row, and the claims after it in rows of messages (`claim-tail.ts`), say what is in flight; the
 * sends of older ones are collected in `send-blocks.ts`. A row that is not needed any more is overwritten, so that it
 * costs one row written, and nothing has to be deleted.
 */
export class DispatchLog {
  readonly #sql: SqlStorage;
  readonly #blocks: SendBlocks;
  readonly tail: ClaimTail;
  #nextId: number;
  /** `at` is read when it is needed. */
  #oldest: { readonly id: number; at: number | null } | null;
  /** The row with the newest counters, and when they were written. */
  #carried: { id: number; at: number } | null;
  #isOpenRead = false;
  readonly #mayOverwrite: boolean;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#mayOverwrite = mayOverwrite(sql);
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
    this.tail = new ClaimTail(sql, anchorOf(this.#lastRow()));
  }

  /**
   * The newest claim; null before the first. With a tail, `flight` also has what is recorded by now, and the cursor may
   * be lower than it was.
   */
  last(): Claim | null {
    const row = this.#lastRow();
    const { after, entries } = this.tail;
    const last = row === null ? null : readRow(row);
    if (after === null) return last;
    const cursor = Math.max(after.cursor, last?.cursor ?? 0);
    return { ...after, cursor, flight: [...(last?.flight ?? []), ...entries] };
  }

  #lastRow(): LogRow | null {
    return this.#sql.exec<LogRow>(`${SELECT_CLAIM} WHERE id = ?`, this.#nextId - 1).toArray()[0] ?? null;
  }

  /** The sends claimed after `since` (ms), in order; see {@link ReadSends}. */
  readonly readSends: ReadSends = (since, onSend) => {
    this.#readOpen();
    this.#blocks.read(since, onSend);
    for (const { at, phone } of this.tail.entries) if (at > since) onSend(at, keyOf(phone));
  };

  /** How many sends {@link readSends} gives at most. */
  countSends(): number {
    this.#readOpen();
    return this.#blocks.count + this.tail.entries.length;
  }

  write(claim: Claim, carried?: Carried): void {
    this.#readOpen();
    const id = this.#nextId;
    const { at, cursor, tokens, newest, flight } = claim;
    const claimed = flight.filter((entry) => entry.at === at && !this.tail.has(entry));
    const sends = [...this.tail.entries, ...claimed];
    const counters = carried !== undefined && this.#mustCarry(id, at, carried) ? carried.text() : null;
    const values = [id, at, cursor, tokens, newest, flightText(flight), flightText(sends), counters];
    if (!this.#overwriteOldest(at, values)) {
      this.#sql.exec(
        'INSERT INTO dispatch_log (id, at, cursor, tokens, newest, flight, sends, counters) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        ...values,
      );
      this.#oldest ??= { id, at };
    }
    this.#nextId = id + 1;
    if (counters !== null) this.#carried = { id, at };
    this.tail.anchored({ id, newest, flight });
    this.#addSends(id, at, sends);
  }

  /** False: no row is free. */
  #overwriteOldest(at: number, values: readonly SqlStorageValue[]): boolean {
    const oldest = this.#oldest;
    if (oldest === null || !this.#isFree(oldest, at)) return false;
    // Rows are overwritten in the order of their numbers, which have no gap.
    this.#oldest = { id: oldest.id + 1, at: null };
    if (!this.#mayOverwrite) {
      this.#sql.exec('DELETE FROM dispatch_log WHERE id = ?', oldest.id);
      return false;
    }
    const sql =
      'UPDATE dispatch_log SET id = ?, at = ?, cursor = ?, tokens = ?, newest = ?, flight = ?, sends = ?, counters = ? WHERE id = ?';
    return this.#sql.exec(sql, ...values, oldest.id).rowsWritten > 0;
  }

  /**
   * Writes counters without a claim: into the newest row, or into another one, `bare`, when that row is not the newest
   * claim.
   */
  carry(counters: string, bare: Claim): void {
    const id = this.#nextId - 1;
    if (id === 0 || this.tail.after !== null) {
      this.write(bare, { text: () => counters, isDue: true });
      return;
    }
    const { at, newest, flight } = bare;
    this.#sql.exec('UPDATE dispatch_log SET counters = ?, newest = ? WHERE id = ?', counters, newest, id);
    this.#carried = { id, at };
    this.tail.anchored({ id, newest, flight });
  }

  /** The newest counters (null: none were ever written), and all that was claimed after them. */
  carried(): { readonly counters: string | null; readonly claimed: readonly InFlight[] } {
    if (this.#carried === null) return { counters: null, claimed: this.tail.entries };
    const { id } = this.#carried;
    const row = this.#sql
      .exec<{ counters: string }>('SELECT counters FROM dispatch_log WHERE id = ?', id)
      .one();
    const later = this.#sql.exec<LogRow>(`${SELECT_CLAIM} WHERE id > ?`, id).toArray();
    return { counters: row.counters, claimed: [...later.flatMap(sendsOf), ...this.tail.entries] };
  }

  /** Reads the sends that are in no block yet, once. */
  #readOpen(): void {
    if (this.#isOpenRead) return;
    this.#isOpenRead = true;
    const last = this.#lastRow();
    if (last === null) return;
    const from = Math.max(this.#blocks.claimTo, this.#lastBefore(last.at - PACE_MEMORY_MS));
    for (const row of this.#sql.exec<LogRow>(`${SELECT_CLAIM} WHERE id > ? ORDER BY id`, from).toArray())
      this.#addSends(row.id, row.at, sendsOf(row));
  }

  /** Searches from the newest row back, so that the many old rows of a busy hour are not read. */
  #lastBefore(at: number): number {
    const [row] = this.#sql
      .exec<{ id: number }>('SELECT id FROM dispatch_log WHERE at <= ? ORDER BY id DESC LIMIT 1', at)
      .toArray();
    return row?.id ?? 0;
  }

  #addSends(id: number, at: number, sends: readonly InFlight[]): void {
    this.#blocks.add(
      id,
      at,
      sends.map((send) => [send.at, keyOf(send.phone)]),
    );
  }

  #isFree(oldest: { readonly id: number; at: number | null }, at: number): boolean {
    if (oldest.id <= this.#blocks.claimTo) return true;
    oldest.at ??= this.#atOf(oldest.id);
    return oldest.at <= at - PACE_MEMORY_MS;
  }

  #mustCarry(id: number, at: number, { isDue }: Carried): boolean {
    // A tail has many claims for one number.
    if (isDue || this.#carried === null || this.tail.after !== null) return true;
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
    // A commit that failed may have taken its row with it.
    const [row] = this.#sql.exec<{ at: number }>('SELECT at FROM dispatch_log WHERE id = ?', id).toArray();
    return row?.at ?? 0;
  }
}

const keyOf = (phone: string | null): number | null => (phone === null ? null : receiverKey(phone));
