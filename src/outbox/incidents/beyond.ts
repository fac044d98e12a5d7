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

/** The incidents of which a receiver of a source is not notified one by one, since too much is open. */
export interface BeyondOf {
  readonly source: string;
  readonly phone: string;
  /** Of the newest of it: whose rules hold. */
  readonly route: string;
  /** The number that opened at least. Resolutions are not looked for: nobody was notified of any of it. */
  readonly count: number;
  /** When the first of them came (ms). */
  readonly since: number;
}

/** The content of a summary, in its row. */
export interface SaysBeyond extends BeyondOf {
  readonly form: 'beyond';
}

/** Items of one event for one receiver of a source; a key of null is an item that belongs to no incident. */
export interface ItemsBeyond {
  readonly source: string;
  readonly phone: string;
  readonly route: string;
  readonly keys: readonly (string | null)[];
}

/**
 * The incidents beyond the bounds: counted, in one row for each receiver of a source, and in no memory. A row says when the receiver may be
 * notified next, with nothing to say for an hour after a summary.
 */
export class Beyond {
  readonly #sql: SqlStorage;
  /** When the first summary may be due (ms), or before; null: there is none; undefined: to be read. */
  #nextAt: number | null | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** When to look (ms); null: there is nothing beyond. */
  nextAt(): number | null {
    return (this.#nextAt ??= this.#sql
      .exec<{ at: number | null }>('SELECT min(next_at) AS at FROM beyond')
      .one().at);
  }

  /** Counts items, in the caller's transaction. An item whose key has come since the last summary is not counted again. */
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

  /** The rows that may be summarized now. */
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

  /** A summary is on its way. To be called in its transaction. */
  summarized({ source, phone }: BeyondOf, now: number): void {
    const nextAt = now + INTERVAL_MS;
    this.#write(`UPDATE beyond SET count = 0, next_at = ?, keys = x'' ${WHERE}`, nextAt, source, phone);
  }

  /** It is looked at again then (ms). */
  postpone({ source, phone }: BeyondOf, at: number): void {
    this.#write(`UPDATE beyond SET next_at = ? ${WHERE}`, at, source, phone);
  }

  /** The receiver is none any more. */
  drop({ source, phone }: BeyondOf): void {
    this.#write(`DELETE FROM beyond ${WHERE}`, source, phone);
  }

  /** A summary has notified nobody: the next one says it. */
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

/** The content of a message about incidents beyond the bounds; null: it is about others. */
export function beyondIn({ says }: Pick<MessageRow, 'says'>): BeyondOf | null {
  const said = parseOwnJson<SaysBeyond | Says | null>(says ?? 'null');
  return said?.form === 'beyond' ? said : null;
}
