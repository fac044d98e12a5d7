import { equalsInConstantTime } from '../lib/constant-time.ts';

/** How long a pairing window is open, and how long a key that came in waits to be fetched. */
export const PAIRING_MS = 10 * 60_000;

/** How a source's pairing stands. The secret is there once: the answer that carries it is its last trace here. */
export type Pairing =
  | { readonly state: 'closed' }
  | { readonly state: 'open'; readonly expiresAt: number }
  | { readonly state: 'captured'; readonly secret: string };

interface Row extends Record<string, SqlStorageValue> {
  expires_at: number;
  secret: string | null;
}

/**
 * The windows in which a provider may hand over the key of its signatures, one row for each that is open or holds a
 * key. Each method is one step of the object's own thread, so of two that race only the first wins.
 */
export class Pairings {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      'CREATE TABLE IF NOT EXISTS pairings (source TEXT PRIMARY KEY, expires_at INTEGER NOT NULL, secret TEXT) WITHOUT ROWID',
    );
  }

  /** Opens the window anew; a key that nobody fetched is dropped. */
  open(source: string, now: number): Pairing {
    this.sweep(now);
    const expiresAt = now + PAIRING_MS;
    this.#sql.exec('INSERT OR REPLACE INTO pairings (source, expires_at) VALUES (?, ?)', source, expiresAt);
    return { state: 'open', expiresAt };
  }

  /** How it stands. A key is given out and forgotten in the same step. */
  take(source: string, now: number): Pairing {
    const row = this.#row(source, now);
    if (row === null) return { state: 'closed' };
    if (row.secret === null) return { state: 'open', expiresAt: row.expires_at };
    this.close(source);
    return { state: 'captured', secret: row.secret };
  }

  close(source: string): void {
    this.#sql.exec('DELETE FROM pairings WHERE source = ?', source);
  }

  /**
   * Whether `key` may be answered: it was the first in an open window, and is now kept, or it is the one that was
   * kept: a provider whose answer got lost asks again.
   */
  async capture(source: string, key: string, now: number): Promise<boolean> {
    const row = this.#row(source, now);
    if (row === null) return false;
    if (row.secret !== null) return equalsInConstantTime(key, row.secret);
    this.#sql.exec(
      'UPDATE pairings SET secret = ?, expires_at = ? WHERE source = ?',
      key,
      now + PAIRING_MS,
      source,
    );
    return true;
  }

  /** Removes what has expired. */
  sweep(now: number): void {
    this.#sql.exec('DELETE FROM pairings WHERE expires_at <= ?', now);
  }

  #row(source: string, now: number): Row | null {
    this.sweep(now);
    return (
      this.#sql.exec<Row>('SELECT expires_at, secret FROM pairings WHERE source = ?', source).toArray()[0] ??
      null
    );
  }
}
