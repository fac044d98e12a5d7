import { fnv } from '../../lib/fnv.ts';
import { DAY, MINUTE } from '../../lib/duration.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import type { MessageRow } from '../state/message.ts';
import type { Says } from './entries.ts';

/** The maximum number of different keys that are counted. With more, a summary says “at least”. */
const MAX_KEYS = 8_192;

/** A storm is complete before it is summarized (ms), … */
const WAIT_MS = 30_000;

/** … and a receiver gets at most one summary of a source in this time (ms). */
const INTERVAL_MS = 60 * MINUTE;

/** That something counted is heard of again is written this often at most (ms). */
const HEARD_MS = 10 * MINUTE;

/** What was summarized is open as far as is known until nothing of it was heard for so long (ms). */
const FORGOTTEN_MS = 7 * DAY;

/** The number of summaries that one look sends. */
const MOST_AT_ONCE = 100;

/** The incidents that a receiver of a source is not notified of one by one, because too many are open. */
export interface BeyondOf {
  readonly source: string;
  readonly phone: string;
  /** The route of the newest one, whose rules apply. */
  readonly route: string;
  /** The minimum number that opened and, as far as is known, are open. */
  readonly count: number;
  /** The time when the first of them came (ms). */
  readonly since: number;
}

/** The content of a summary, in its row. */
export interface SaysBeyond extends BeyondOf {
  readonly form: 'beyond';
}

/** The items of one event for one receiver of a source that are only counted, and those that are not any more. */
interface ItemsBeyond {
  readonly source: string;
  readonly phone: string;
  /** The route of the newest item. */
  readonly route: string;
  /** A null key is an item that belongs to no incident. */
  readonly keys: readonly (Key | null)[];
  /** They are over, or are kept one by one by now. */
  readonly over?: readonly Key[];
}

/** An incident of a source. */
export interface Key {
  readonly route: string;
  readonly key: string;
}

interface Row extends Record<string, SqlStorageValue> {
  count: number;
  since: number;
  next_at: number;
  free_at: number;
  heard_at: number;
  keys: ArrayBuffer;
  said: ArrayBuffer;
}

/**
 * The incidents beyond the bounds. They are counted, in one row for each receiver of a source, and are not in memory. A
 * row has the time when the receiver may be notified next. After a summary it stays while what it said may be open.
 */
export class Beyond {
  readonly #sql: SqlStorage;
  /** The earliest time when there is something to do (ms); null if there is none; undefined if it is still to be read. */
  #nextAt: number | null | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns the time of the next look (ms); null if there is nothing beyond the bounds. */
  nextAt(): number | null {
    if (this.#nextAt === undefined)
      this.#nextAt = this.#sql.exec<{ at: number | null }>('SELECT min(next_at) AS at FROM beyond').one().at;
    return this.#nextAt;
  }

  /**
   * Counts items, in the caller's transaction. An item whose key was counted before is not counted again, unless it was
   * over meanwhile.
   */
  add({ source, phone, route, keys, over = [] }: ItemsBeyond, now: number): void {
    const row = this.#row(source, phone);
    if (row === null && keys.length === 0) return;
    const unsaid = new Set(row === null ? [] : new Uint32Array(row.keys));
    const said = new Set(row === null ? [] : new Uint32Array(row.said));
    let count = row?.count ?? 0;
    let isChanged = false;
    for (const hash of over.map(hashOf)) {
      if (unsaid.delete(hash)) count = Math.max(0, count - 1);
      else if (!said.delete(hash)) continue;
      isChanged = true;
    }
    for (const key of keys) {
      const hash = key === null ? null : hashOf(key);
      if (hash !== null && (unsaid.has(hash) || said.has(hash) || unsaid.size + said.size >= MAX_KEYS))
        continue;
      if (hash !== null) unsaid.add(hash);
      count += 1;
      isChanged = true;
    }
    const isHeard = keys.length > 0 && now - (row?.heard_at ?? 0) > HEARD_MS;
    if (!isChanged && !isHeard) return;
    const isFirst = row === null || row.count === 0;
    const freeAt = row?.free_at ?? 0;
    const nextAt = count === 0 ? freeAt : isFirst ? Math.max(freeAt, now + WAIT_MS) : row.next_at;
    this.#write(
      `INSERT INTO beyond (source, phone, route, count, since, next_at, free_at, heard_at, keys, said)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO UPDATE
         SET route = ?3, count = ?4, since = ?5, next_at = ?6, heard_at = ?8, keys = ?9, said = ?10`,
      source,
      phone,
      keys.length === 0 && row !== null ? row.route : route,
      count,
      isFirst ? now : row.since,
      nextAt,
      freeAt,
      keys.length > 0 || row === null ? now : row.heard_at,
      Uint32Array.from(unsaid).buffer,
      Uint32Array.from(said).buffer,
    );
  }

  #row(source: string, phone: string): (Row & { readonly route: string }) | null {
    if (this.nextAt() === null) return null;
    return (
      this.#sql.exec<Row & { route: string }>(`SELECT * FROM beyond ${WHERE}`, source, phone).toArray()[0] ??
      null
    );
  }

  /** Returns the minimum number of those that are open as far as is known, of which something was heard since then (ms). */
  openOf({ source, phone }: Pick<BeyondOf, 'source' | 'phone'>, since: number): number {
    const row = this.#row(source, phone);
    if (row === null || row.heard_at < since) return 0;
    return (row.keys.byteLength + row.said.byteLength) / Uint32Array.BYTES_PER_ELEMENT;
  }

  /** Returns the rows that may be summarized now. */
  due(now: number): readonly BeyondOf[] {
    const at = this.nextAt();
    if (at === null || at > now) return [];
    this.#write(
      `DELETE FROM beyond WHERE next_at <= ?1 AND count = 0 AND (length(said) = 0 OR heard_at <= ?1 - ${FORGOTTEN_MS})`,
      now,
    );
    this.#write(
      `UPDATE beyond SET next_at = max(free_at, heard_at + ${FORGOTTEN_MS}) WHERE next_at <= ? AND count = 0`,
      now,
    );
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
    const all = this.#all(source, phone);
    const change = "count = 0, next_at = ?, free_at = ?, said = ?, keys = x''";
    this.#write(`UPDATE beyond SET ${change} ${WHERE}`, nextAt, nextAt, all, source, phone);
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
      `INSERT INTO beyond (source, phone, route, count, since, next_at, free_at, heard_at, keys, said)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8, x'') ON CONFLICT DO UPDATE SET count = count + excluded.count,
         since = min(since, excluded.since), next_at = max(free_at, ?7), keys = excluded.keys, said = x''`,
      source,
      phone,
      route,
      count,
      since,
      now + INTERVAL_MS,
      now,
      this.#all(source, phone),
    );
  }

  /** Returns the hashes of all that were counted and may be open. */
  #all(source: string, phone: string): ArrayBuffer {
    const row = this.#row(source, phone);
    const hashes = row === null ? [] : [...new Uint32Array(row.said), ...new Uint32Array(row.keys)];
    return Uint32Array.from(hashes).buffer;
  }

  #write(query: string, ...values: readonly SqlStorageValue[]): void {
    this.#sql.exec(query, ...values);
    this.#nextAt = undefined;
  }
}

const WHERE = 'WHERE source = ? AND phone = ?';

const hashOf = ({ route, key }: Key): number => fnv(`${route}\n${key}`);

/** Returns the content of a message about incidents beyond the bounds; null if it is about something else. */
export function beyondIn({ says }: Pick<MessageRow, 'says'>): BeyondOf | null {
  const said = parseOwnJson<SaysBeyond | Says | null>(says ?? 'null');
  return said?.form === 'beyond' ? said : null;
}
