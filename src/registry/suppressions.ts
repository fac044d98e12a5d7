import type { Suppression } from './api-suppression.ts';
import { DAY } from '../lib/duration.ts';
import { iso } from '../lib/iso.ts';

/** The maximum number of suppressions; all isolates read them. */
export const MAX_SUPPRESSIONS = 100_000;

/** The number of times that a receiver can opt in by a link in a day. */
const OPT_INS_A_DAY = 2;

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

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns all receivers as one JSON text, one on each line; undefined if there are none. */
  json(): string | undefined {
    const lines = this.#sql.exec<{ phones: string }>('SELECT phones FROM suppressed').toArray();
    return lines.length === 0 ? undefined : JSON.stringify(lines.map(({ phones }) => phones).join('\n'));
  }

  /** Adds one that is not there yet. Null if there are too many. */
  add({ phone, by, reason, message }: Omit<Suppression, 'at'>, now: number): Suppression | null {
    const { count } = this.#sql.exec<{ count: number }>('SELECT total(count) AS count FROM suppressed').one();
    if (count >= MAX_SUPPRESSIONS) return null;
    this.#sql.exec(
      'INSERT INTO suppressions (phone, at, by, reason, message) VALUES (?, ?, ?, ?, ?)',
      phone,
      now,
      by,
      reason,
      message ?? null,
    );
    return this.find(phone);
  }

  /** Removes one, and returns its former value; null if there is none. */
  remove(phone: string): Suppression | null {
    const known = this.find(phone);
    this.#sql.exec('DELETE FROM suppressions WHERE phone = ?', phone);
    return known;
  }

  /**
   * Notes that a receiver opts in by a link. If they have done so too often, returns the time from which they may (ms).
   * That also limits how often they opt out, which is never refused: so the last change of a day is an opt-out.
   */
  noteOptIn(phone: string, now: number): number | null {
    this.#sql.exec('DELETE FROM opt_ins WHERE at <= ?', now - DAY);
    const times = this.#sql
      .exec<{ at: number }>('SELECT at FROM opt_ins WHERE phone = ? ORDER BY at', phone)
      .toArray();
    const first = times.at(-OPT_INS_A_DAY);
    if (first !== undefined) return first.at + DAY;
    this.#sql.exec('INSERT INTO opt_ins (phone, at) VALUES (?, ?)', phone, now);
    return null;
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
