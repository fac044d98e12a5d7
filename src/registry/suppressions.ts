import type { Suppression } from './api-suppression.ts';
import { iso } from '../lib/iso.ts';

/** The maximum number of suppressions; all isolates read them. */
export const MAX_SUPPRESSIONS = 100_000;

/** A page of a list. */
export interface SuppressionPage {
  readonly items: readonly Suppression[];
  /** The number before which the next page begins; null if there is none. */
  readonly next: number | null;
}

interface Row extends Record<string, SqlStorageValue> {
  n: number;
  phone: string;
  at: number;
  by: string;
  reason: string;
  message: string | null;
}

/** Receivers who have opted out: a table of the registry, beside the versions. */
export class StoredSuppressions {
  readonly #sql: SqlStorage;
  /** The JSON as it was last read; null if the rows have changed since. */
  #json: string | undefined | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns all receivers as one JSON text, one on each line; undefined if there are none. */
  json(): string | undefined {
    if (this.#json !== null) return this.#json;
    const { phones } = this.#sql
      .exec<{ phones: string | null }>('SELECT group_concat(phone, char(10)) AS phones FROM suppressions')
      .one();
    return (this.#json = phones === null ? undefined : JSON.stringify(phones));
  }

  /** Adds one that is not there yet. Null if there are too many. */
  add({ phone, by, reason, message }: Omit<Suppression, 'at'>, now: number): Suppression | null {
    const { count } = this.#sql.exec<{ count: number }>('SELECT count(*) AS count FROM suppressions').one();
    if (count >= MAX_SUPPRESSIONS) return null;
    this.#sql.exec(
      'INSERT INTO suppressions (phone, at, by, reason, message) VALUES (?, ?, ?, ?, ?)',
      phone,
      now,
      by,
      reason,
      message ?? null,
    );
    this.#json = null;
    return this.find(phone);
  }

  /** Removes one, and returns its former value; null if there is none. */
  remove(phone: string): Suppression | null {
    const known = this.find(phone);
    if (known === null) return null;
    this.#sql.exec('DELETE FROM suppressions WHERE phone = ?', phone);
    this.#json = null;
    return known;
  }

  find(phone: string): Suppression | null {
    const [row] = this.#sql.exec<Row>('SELECT * FROM suppressions WHERE phone = ?', phone).toArray();
    return row === undefined ? null : shown(row);
  }

  /** Returns the newest first. `before`: only those with a lower number. */
  list(limit: number, before: number | null): SuppressionPage {
    const rows = this.#sql
      .exec<Row>(
        'SELECT * FROM suppressions WHERE n < ? ORDER BY n DESC LIMIT ?',
        before ?? Number.MAX_SAFE_INTEGER,
        limit + 1,
      )
      .toArray();
    const items = rows.slice(0, limit);
    return { items: items.map(shown), next: rows.length > limit ? (items.at(-1)?.n ?? null) : null };
  }
}

const shown = ({ phone, at, by, reason, message }: Row): Suppression => ({
  phone,
  at: iso(at),
  by,
  reason,
  ...(message !== null && { message }),
});
