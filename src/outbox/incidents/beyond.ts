import { fnv } from '../../lib/text.ts';
import { DAY, MINUTE } from '../../lib/time.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { replaceRow } from '../../lib/store.ts';
import type { Standing } from '../../lib/shares.ts';
import { sharedBy, type Says, type SubscriberRef } from './entries.ts';

/** The maximum number of different keys that are counted. With more, a summary says “at least”. */
const MAX_KEYS = 8_192;

/** A storm is complete before it is summarized (ms), … */
const WAIT_MS = 30_000;

/** … and a receiver gets at most one summary of a source in this time (ms). */
const INTERVAL_MS = 60 * MINUTE;

/** … or in this one, if something urgent is in it (ms). */
const URGENT_MS = 5 * MINUTE;

export const MAX_NAMES = 3;

/** That something counted is heard of again is written this often at most (ms). */
const HEARD_MS = 10 * MINUTE;

/** What was summarized is open as far as is known until nothing of it was heard for so long (ms). */
const FORGOTTEN_MS = 7 * DAY;

/** The incidents that a receiver of a source is not notified of one by one, because too many are open. */
export interface BeyondOf {
  readonly source: string;
  readonly phone: string;
  /** The route of one of them, whose rules apply. */
  readonly route: string;
  readonly names: readonly string[];
  /** At least so many opened and, as far as is known, are open. */
  readonly count: number;
  /** At least so many ended since the receiver was notified, if none of them is open any more. */
  readonly ended: number;
  readonly since: number;
}

export type SaysBeyond = BeyondOf & { readonly form: 'beyond' };

/** A receiver of a route, and the group; the empty text if there is none. */
export type BeyondRef = SubscriberRef & { readonly grouped: string };

type Numbers = Record<'count' | 'ended' | 'since' | 'next_at' | 'free_at' | 'heard_at', number>;

/** A row: what is counted of a group, with the names and the hashes of its keys. */
export interface Counted extends BeyondRef, Numbers {
  readonly names: readonly string[];
  readonly keys: ReadonlySet<number>;
  readonly said: ReadonlySet<number>;
  /** 1: a message of the group has counted them; 2: its call is under way. */
  readonly told: 0 | 1 | 2;
}

type Row = Record<keyof BeyondRef | 'names', string> &
  Numbers & { keys: ArrayBuffer; said: ArrayBuffer; told: Counted['told'] };

/** So many groups of a receiver are counted one by one. The others are counted together, and with each. */
const MAX_GROUPS = 100;

/** Counted, in one row for each group of a receiver, and not in memory. A row stays while what it said may be open. */
export class Beyond {
  readonly #sql: SqlStorage;
  /** When there is something to do (ms); null: never; undefined: it is still to be read. */
  #nextAt: number | null | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  nextAt(): number | null {
    if (this.#nextAt === undefined)
      this.#nextAt = this.#sql.exec<{ at: number | null }>('SELECT min(next_at) AS at FROM beyond').one().at;
    return this.#nextAt;
  }

  /** In the caller's transaction. Null: of no incident. A key that was counted counts again once it was over. */
  add(ref: BeyondRef, keys: readonly (string | null)[], standing: Standing, now: number): void {
    const row = this.#rowOf(ref) ?? this.#newRow(ref, now);
    const unsaid = new Set(row.keys);
    const fresh: (string | null)[] = [];
    for (const key of keys) {
      const hash = key === null ? null : fnv(key);
      if (hash !== null) {
        if (unsaid.has(hash) || row.said.has(hash) || unsaid.size + row.said.size >= MAX_KEYS) continue;
        unsaid.add(hash);
      }
      fresh.push(key);
    }
    if (fresh.length === 0 && now - row.heard_at <= HEARD_MS) return;
    const isFirst = row.count === 0;
    const at = isFirst || standing === 'urgent' ? sayAt(row, standing, now) : row.next_at;
    this.#write({
      ...row,
      count: row.count + fresh.length,
      since: isFirst ? now : row.since,
      next_at: fresh.length === 0 ? row.next_at : isFirst ? at : Math.min(row.next_at, at),
      heard_at: now,
      names: [...row.names, ...fresh.filter((key) => key !== null)],
      keys: unsaid,
    });
  }

  /** Takes out what is over, or kept by itself; returns how many the receiver was not told of. `isTold`: will be. */
  end(ref: BeyondRef, keys: ReadonlySet<string>, isTold: boolean, now: number): number {
    let missed = 0;
    for (const row of this.#rowsOf(ref, [ref.grouped])) {
      const unsaid = new Set(row.keys);
      const said = new Set(row.said);
      const hashes = [...keys].map(fnv);
      const before = hashes.filter((hash) => unsaid.delete(hash)).length;
      const ended = hashes.filter((hash) => said.delete(hash)).length;
      if (before + ended === 0) continue;
      missed += before;
      const count = Math.max(0, row.count - before);
      const isOver = count === 0 && said.size === 0;
      const isOwed = isOver && !isTold && (row.ended + ended > 0 || row.told > 0);
      this.#write({
        ...row,
        count,
        ended: isOver ? (isOwed ? Math.max(1, row.ended + ended) : 0) : row.ended + ended,
        next_at: isOwed ? now : count === 0 ? row.free_at : row.next_at,
        names: row.names.filter((key) => !keys.has(key)),
        keys: unsaid,
        said,
      });
    }
    return missed;
  }

  /** A call with a message that may count them begins (`maybe`), or has ended: its receiver knows, or not. */
  tell(receiver: SubscriberRef, says: Says, knows: boolean | 'maybe'): void {
    if (says.counts !== true) return;
    for (const row of this.#rowsOf(receiver, says.groups.map(groupedIn))) {
      const told = knows === true || row.told === 1 ? 1 : knows === 'maybe' ? 2 : 0;
      if (told !== row.told) this.#write({ ...row, told });
    }
  }

  /** Has what is counted for one receiver of a group counted for another one, who joins. */
  join(ref: BeyondRef, phone: string, standing: Standing, now: number): void {
    const from = this.#rowOf(ref);
    const to = { ...ref, phone };
    if (from === null || this.#rowOf(to) !== null) return;
    const { names, since, heard_at } = from;
    const keys = new Set([...from.said, ...from.keys]);
    if (keys.size === 0) return;
    const row = { ...this.#newRow(to, now), since, heard_at };
    this.#write({ ...row, count: keys.size, next_at: sayAt(row, standing, now), names, keys });
  }

  /** Those of a receiver's groups that are open as far as is known: heard of since then (ms), and the others. */
  openOf(receiver: SubscriberRef, groups: readonly string[], since: number) {
    const numbers = { open: 0, unheard: 0 };
    for (const row of this.#rowsOf(receiver, groups.map(groupedIn)))
      numbers[row.heard_at < since ? 'unheard' : 'open'] += openIn(row);
    return numbers;
  }

  /** Returns all rows of the receivers of a source to whom something may be said now. */
  dueRows(now: number): readonly Counted[] {
    const at = this.nextAt();
    if (at === null || at > now) return [];
    return this.#rows('(source, phone) IN (SELECT source, phone FROM beyond WHERE next_at <= ?)', now);
  }

  /** Nothing is to be said of what is due in a row: it stays as long as something that was said may be open. */
  rest(row: Counted, now: number): void {
    const until = row.heard_at + FORGOTTEN_MS;
    if (openIn(row) + row.ended === 0 || until <= now) return this.drop(row);
    this.#exec(`UPDATE beyond SET next_at = max(free_at, ?) WHERE ${WHERE}`, until, ...keyOf(row));
  }

  /** Returns whose incidents are counted here, the first thousand, and the number of those that they were notified of. */
  receivers(): readonly (SubscriberRef & { readonly known: number })[] {
    if (this.nextAt() === null) return [];
    return this.#sql
      .exec<SubscriberRef & Record<string, SqlStorageValue> & { known: number }>(
        `SELECT source, route, phone, sum(length(said) + min(told, 1) * length(keys)) / 4 AS known FROM beyond
           WHERE length(said) + length(keys) > 0 GROUP BY source, route, phone LIMIT 1000`,
      )
      .toArray();
  }

  forget({ source, route, phone }: SubscriberRef): void {
    this.#exec('DELETE FROM beyond WHERE source = ? AND route = ? AND phone = ?', source, route, phone);
  }

  /** Records that a summary is on its way. To be called in its transaction. */
  summarized({ source, phone }: BeyondOf, now: number): void {
    const next_at = now + INTERVAL_MS;
    for (const row of this.#all(source, phone)) {
      const said = new Set([...row.said, ...row.keys]);
      this.#write({ ...row, ...NOTHING, said, next_at, free_at: next_at });
    }
  }

  postpone({ source, phone }: BeyondOf, at: number): void {
    this.#exec(`UPDATE beyond SET next_at = ? WHERE source = ? AND phone = ?`, at, source, phone);
  }

  drop(ref: BeyondRef): void {
    this.#exec(`DELETE FROM beyond WHERE ${WHERE}`, ...keyOf(ref));
  }

  /** Puts back a summary that has notified nobody: the next one includes it. */
  giveBack({ source, phone, route, names, count, ended }: BeyondOf, now: number): void {
    const rows = this.#all(source, phone);
    const some = rows.length > 0 ? rows : [this.#newRow({ source, phone, route, grouped: '' }, now)];
    const named = some.reduce((sum, { said }) => sum + said.size, 0);
    for (const [n, row] of some.entries()) {
      const { keys, said } = row;
      // Items of no incident have no key.
      const rest = n === 0 ? Math.max(0, count - named) : 0;
      this.#write({
        ...row,
        count: row.count + said.size + rest,
        ended: row.ended + (n === 0 ? ended : 0),
        next_at: Math.max(row.free_at, now + INTERVAL_MS),
        names: n === 0 ? [...names, ...row.names] : row.names,
        keys: new Set([...said, ...keys]),
        said: new Set(),
      });
    }
  }

  #rows(where: string, ...values: readonly SqlStorageValue[]): readonly Counted[] {
    const rows = this.#sql.exec<Row>(`SELECT * FROM beyond WHERE ${where}`, ...values).toArray();
    return rows.map(({ names, keys, said, ...row }) => ({
      ...row,
      names: parseOwnJson<readonly string[]>(names),
      keys: new Set(new Uint32Array(keys)),
      said: new Set(new Uint32Array(said)),
    }));
  }

  #all(source: string, phone: string): readonly Counted[] {
    return this.#rows('source = ? AND phone = ?', source, phone);
  }

  /** Returns the rows of groups, and that of the groups that are counted together. */
  #rowsOf({ source, route, phone }: SubscriberRef, grouped: readonly string[]): readonly Counted[] {
    if (grouped.length === 0 || this.nextAt() === null) return [];
    const where = 'source = ? AND route = ? AND phone = ? AND grouped IN (SELECT value FROM json_each(?))';
    return this.#rows(where, source, route, phone, JSON.stringify([...grouped, '']));
  }

  #rowOf(ref: BeyondRef): Counted | null {
    return this.#rowsOf(ref, [ref.grouped]).find(({ grouped }) => grouped === ref.grouped) ?? null;
  }

  #newRow({ source, route, phone, grouped }: BeyondRef, now: number): Counted {
    const others = this.nextAt() === null ? [] : this.#all(source, phone);
    const isOver = others.length >= MAX_GROUPS;
    const together = isOver ? others.find((row) => row.route === route && row.grouped === '') : undefined;
    const freeAt = others.reduce((at, row) => Math.max(at, row.free_at), 0);
    const times = { since: now, next_at: freeAt, free_at: freeAt, heard_at: now };
    const place = { source, route, phone, grouped: isOver ? '' : grouped };
    return together ?? { ...place, ...times, ...NOTHING, said: new Set() };
  }

  #write({ names, keys, said, ...row }: Counted): void {
    const some = JSON.stringify(names.slice(0, MAX_NAMES));
    replaceRow(this.#sql, 'beyond', { ...row, names: some, keys: bytesOf(keys), said: bytesOf(said) });
    this.#nextAt = undefined;
  }

  #exec(query: string, ...values: readonly SqlStorageValue[]): void {
    this.#sql.exec(query, ...values);
    this.#nextAt = undefined;
  }
}

const WHERE = 'source = ? AND route = ? AND phone = ? AND grouped = ?';

const keyOf = ({ source, route, phone, grouped }: BeyondRef) => [source, route, phone, grouped];

/** When what is counted from now on may be said (ms). */
const sayAt = ({ free_at }: Counted, standing: Standing, now: number): number =>
  Math.max(standing === 'urgent' ? free_at - INTERVAL_MS + URGENT_MS : free_at, now + WAIT_MS);

const NOTHING = { count: 0, ended: 0, told: 0, names: [], keys: new Set<number>() } as const;

const bytesOf = (hashes: ReadonlySet<number>): ArrayBuffer => Uint32Array.from(hashes).buffer;

export const openIn = ({ keys, said }: Counted): number => keys.size + said.size;

const groupedIn = (group: string): string => sharedBy({ name: group }) ?? '';
