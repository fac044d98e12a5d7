import { fnv } from '../../lib/fnv.ts';
import { MINUTE } from '../../lib/duration.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import type { MessageRow } from '../state/message.ts';
import type { Says } from './entries.ts';

/** The number of different keys that are counted until a summary goes out. With more, it says “at least”. */
const MAX_KEYS = 8_192;

/** A storm is complete before it is summarized (ms), … */
const WAIT_MS = 30_000;

/** … and a receiver gets at most one summary of a source in this time (ms). */
const INTERVAL_MS = 60 * MINUTE;

/** The number of summaries that one look sends. */
const MOST_AT_ONCE = 100;

/** The incidents that a receiver of a source is not notified of one by one, because too many are open. */
export interface BeyondOf {
  readonly source: string;
  readonly phone: string;
  /** The route of the newest one, whose rules apply. */
  readonly route: string;
  /** The minimum number that opened. Resolutions are not counted: nobody was notified of any of these incidents. */
  readonly count: number;
  /** The time when the first of them came (ms). */
  readonly since: number;
}

/** The content of a summary, in its row. */
export interface SaysBeyond extends BeyondOf {
  readonly form: 'beyond';
}

/** Items of one event for one receiver of a source. A null key is an item that belongs to no incident. */
export interface ItemsBeyond {
  readonly source: string;
  readonly phone: string;
  readonly route: string;
  readonly keys: readonly (string | null)[];
}

/**
 * The incidents beyond the bounds. They are counted, in one row for each receiver of a source, and are not in memory. A
 * row has the time when the receiver may be notified next; after a summary it stays for an hour with nothing to say.
 */
export class Beyond {
  readonly #sql: SqlStorage;
  /** The earliest time when a summary may be due (ms); null if there is none; undefined if it is still to be read. */
  #nextAt: number | null | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns the time of the next look (ms); null if there is nothing beyond the bounds. */
  nextAt(): number | null {
    return (this.#nextAt ??= this.#sql
      .exec<{ at: number | null }>('SELECT min(next_at) AS at FROM beyond')
      .one().at);
  }

  /**
   * Counts items, in the caller's transaction. An item whose key has come since the last summary is not counted again.
   */
  add({ source, phone, route, keys }: ItemsBeyond, now: number): void {
    const [row] = this.#sql
      .exec<{ count: number; since: number; next_at: number; keys: ArrayBuffer }>(
        `SELECT count, since, next_at, keys FROM beyond ${WHERE}`,
        source,
        phone,
      )
      .toArray();
    const known = new Set(row === undefined ? [] : new Uint32Array(row.keys));
    const before = known.size;
    for (const key of keys) if (key !== null && known.size < MAX_KEYS) known.add(fnv(`${route}\n${key}`));
    const lone = keys.filter((key) => key === null).length;
    const count = (row?.count ?? 0) + known.size - before + lone;
    if (row !== undefined && count === row.count) return;
    const isFirst = row === undefined || row.count === 0;
    const at = Math.max(row?.next_at ?? 0, now + WAIT_MS);
    this.#write(
      `INSERT INTO beyond (source, phone, route, count, since, next_at, keys) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT DO UPDATE SET route = ?3, count = ?4, since = ?5, next_at = ?6, keys = ?7`,
      source,
      phone,
      route,
      count,
      isFirst ? now : row.since,
      isFirst ? at : row.next_at,
      Uint32Array.from(known).buffer,
    );
  }

  /** Returns the rows that may be summarized now. */
  due(now: number): readonly BeyondOf[] {
    const at = this.nextAt();
    if (at === null || at > now) return [];
    this.#write('DELETE FROM beyond WHERE next_at <= ? AND count = 0', now);
    return this.#sql
      .exec<BeyondOf & Record<string, SqlStorageValue>>(
        `SELECT source, phone, route, count, since FROM beyond WHERE next_at <= ? LIMIT ${MOST_AT_ONCE}`,
        now,
      )
      .toArray();
  }

  /** Records that a summary is on its way. To be called in its transaction. */
  summarized({ source, phone }: BeyondOf, now: number): void {
    const nextAt = now + INTERVAL_MS;
    this.#write(`UPDATE beyond SET count = 0, next_at = ?, keys = x'' ${WHERE}`, nextAt, source, phone);
  }

  /** Postpones the next look until then (ms). */
  postpone({ source, phone }: BeyondOf, at: number): void {
    this.#write(`UPDATE beyond SET next_at = ? ${WHERE}`, at, source, phone);
  }

  /** Removes somebody who is not a receiver any more. */
  drop({ source, phone }: BeyondOf): void {
    this.#write(`DELETE FROM beyond ${WHERE}`, source, phone);
  }

  /** Puts back a summary that has notified nobody: the next one includes it. */
  giveBack({ source, phone, route, count, since }: BeyondOf, now: number): void {
    this.#write(
      `INSERT INTO beyond (source, phone, route, count, since, next_at, keys) VALUES (?, ?, ?, ?, ?, ?, x'')
         ON CONFLICT DO UPDATE SET count = count + excluded.count, since = min(since, excluded.since)`,
      source,
      phone,
      route,
      count,
      since,
      now + INTERVAL_MS,
    );
  }

  #write(query: string, ...values: readonly SqlStorageValue[]): void {
    this.#sql.exec(query, ...values);
    this.#nextAt = undefined;
  }
}

const WHERE = 'WHERE source = ? AND phone = ?';

/** Returns the content of a message about incidents beyond the bounds; null if it is about something else. */
export function beyondIn({ says }: Pick<MessageRow, 'says'>): BeyondOf | null {
  const said = parseOwnJson<SaysBeyond | Says | null>(says ?? 'null');
  return said?.form === 'beyond' ? said : null;
}
