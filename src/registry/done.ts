import { DAY } from '../lib/duration.ts';
import { iso } from '../lib/iso.ts';
import type { DoneCard } from './api-done.ts';

/** Each source and account has a few. */
const MAX_DONE = 1_000;
/** An older entry is forgotten. */
const KEPT_MS = 90 * DAY;

/** The cards that people are done with: a table of the registry. */
export class DoneCards {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  set(card: string, mark: number, by: string, now: number): DoneCard {
    this.#sql.exec('DELETE FROM done WHERE at < ?', now - KEPT_MS);
    this.#sql.exec(
      `DELETE FROM done WHERE card IN (SELECT card FROM done ORDER BY at DESC LIMIT -1 OFFSET ${MAX_DONE - 1})`,
    );
    this.#sql.exec(
      'INSERT OR REPLACE INTO done (card, mark, by, at) VALUES (?, ?, ?, ?)',
      card,
      mark,
      by,
      now,
    );
    return { card, mark, by, at: iso(now) };
  }

  /** False if nobody was done with it. */
  undo(card: string): boolean {
    return this.#sql.exec('DELETE FROM done WHERE card = ? RETURNING card', card).toArray().length > 0;
  }

  list(): readonly DoneCard[] {
    return this.#sql
      .exec<{ card: string; mark: number; by: string; at: number }>(
        'SELECT card, mark, by, at FROM done ORDER BY at DESC',
      )
      .toArray()
      .map(({ at, ...one }) => ({ ...one, at: iso(at) }));
  }
}
