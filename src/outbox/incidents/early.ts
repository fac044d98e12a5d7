import { DAY, HOUR } from '../../lib/time.ts';
import type { IncidentParts } from './entries.ts';
import { incidentId } from './incident-id.ts';
import { newestOf, type Told } from './told.ts';

/** What comes before its opening is remembered for so long (ms). */
const REMEMBERED_MS = DAY;

/** The number of ends and of holders that are remembered for a source. What is beyond is forgotten at once. */
const MAX_OF_SOURCE = 10_000;

/** What is known of an incident by the sender's clock (ms). */
export interface Known {
  readonly told: Told | null;
  /**
   * What was said of its holder before it opened (null: nothing), and when that came; a null `by`: they have it no
   * longer.
   */
  readonly holder: { readonly at: number; readonly by: string | null; readonly heardAt: number } | null;
}

/**
 * What senders said before the opening that it is about: webhooks may overtake each other. One row an incident for its
 * end, and one for who has it; `sweep.ts` deletes them.
 */
export class Early {
  readonly #sql: SqlStorage;
  /** The number of rows of a source, and the time when it was counted (ms). */
  readonly #counts = new Map<string, { rows: number; readonly at: number }>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns what is known of an incident by its rows, or was said before it opened. */
  of(incident: IncidentParts, now: number): Known {
    const { source, route, key } = incident;
    const rows = this.#sql
      .exec<{ at: number; is_end: number; by: string | null; heard_at: number | null }>(
        `SELECT state ->> '$.told.at' AS at, state ->> '$.told.isEnd' AS is_end, NULL AS by, NULL AS heard_at
           FROM incidents WHERE id = ?5 AND state ->> '$.told.at' IS NOT NULL
         UNION ALL SELECT at, is_end, by, until - ${REMEMBERED_MS}
           FROM early WHERE source = ?1 AND route = ?2 AND key = ?3 AND until > ?4`,
        source,
        route,
        key,
        now,
        incidentId(this.#sql, incident),
      )
      .toArray();
    const told: Told[] = [];
    let holder: Known['holder'] = null;
    for (const { at, is_end: isEnd, by, heard_at: heardAt } of rows)
      if (heardAt !== null && isEnd === 0) holder = { at, by, heardAt };
      else told.push({ at, isEnd: isEnd === 1 });
    return { told: newestOf(told), holder };
  }

  /** Remembers an end (`holder` is null), or who has the incident, unless something newer is remembered. */
  remember(
    { source, route, key }: IncidentParts,
    { at, isEnd, by }: Told & { readonly by: string | null },
    now: number,
  ): void {
    const count = this.#countOf(source, now);
    if (count.rows >= MAX_OF_SOURCE) return;
    count.rows += 1;
    this.#sql.exec(
      `INSERT INTO early (source, route, key, is_end, at, by, until) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET at = excluded.at, by = excluded.by, until = excluded.until WHERE excluded.at >= at`,
      source,
      route,
      key,
      isEnd ? 1 : 0,
      at,
      by,
      now + REMEMBERED_MS,
    );
  }

  /** Counted anew each hour, since old rows are deleted. */
  #countOf(source: string, now: number): { rows: number } {
    const known = this.#counts.get(source);
    if (known !== undefined && now - known.at < HOUR) return known;
    const { rows } = this.#sql
      .exec<{ rows: number }>('SELECT count(*) AS rows FROM early WHERE source = ?', source)
      .one();
    const count = { rows, at: now };
    this.#counts.set(source, count);
    return count;
  }
}

/** Deletes what nobody has to remember any more. */
export const sweepEarly = (sql: SqlStorage, now: number): void => {
  sql.exec('DELETE FROM early WHERE until <= ?', now);
};
