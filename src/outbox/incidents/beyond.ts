import { DAY, iso, MINUTE } from '../../lib/time.ts';
import type { IncidentRef, SubscriberRef } from './entries.ts';
import { NEW, type Incident } from './incident.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { readIncident, writeItem } from './store.ts';

/** A storm is complete before it is summarized (ms), … */
export const WAIT_MS = 30_000;

/** … and a receiver gets at most one summary of a source in this time (ms) … */
export const INTERVAL_MS = 60 * MINUTE;

/** … or in this one, if something urgent is in it (ms). */
export const URGENT_MS = 5 * MINUTE;

/** The number of keys that a summary names. */
const MAX_NAMES = 3;

/** The maximum number of rows of a source. With more, a summary says “at least”. */
const MAX_OF_SOURCE = 30_000;

/** That something counted is heard of again is written this often at most (ms). */
const HEARD_MS = 10 * MINUTE;

/** What is counted is open as far as is known until nothing of it was heard for so long (ms). */
const FORGOTTEN_MS = 7 * DAY;

/** What a receiver of a route is notified of in one group; the empty text if it has no group. */
export interface BeyondRef extends SubscriberRef {
  readonly grouped: string;
}

/** Who gets the summaries of a source. */
type OfSource = Pick<SubscriberRef, 'source' | 'phone'>;

/**
 * What a receiver knows of something counted: nothing; its number, from a message of its group, so that a summary is
 * still to come; what a summary said.
 */
const UNKNOWN = 0;
const NUMBERED = 1;
const SUMMARIZED = 2;

/**
 * The incidents beyond the bounds. They are only counted, in one row for each key, receiver and group, until they are
 * over. A lone item of the source has its receiver notified of them: see {@link settle}.
 */
export class Beyond {
  readonly #sql: SqlStorage;
  /** The number of rows of each source; null if it is to be read. */
  #rows: Map<string, number> | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** A transaction was undone. */
  forgetMemory(): void {
    this.#rows = null;
  }

  /** True if something of a source is counted: in most accounts, nothing is. */
  isAny(source: string): boolean {
    return this.#ofSource(source) > 0;
  }

  /** Counts an incident, or an item that belongs to none. False: it was counted already, or there are too many. */
  add(ref: BeyondRef, { key, isLone }: { key: string; isLone: boolean }, now: number): boolean {
    return this.#insert(
      ref.source,
      `VALUES (?, ?, ?, ?, ?, ?, ${UNKNOWN}, ?, ?)
         ON CONFLICT DO UPDATE SET heard_at = excluded.heard_at WHERE heard_at < excluded.heard_at - ${HEARD_MS}`,
      [...placeOf(ref), key, isLone ? 1 : 0, now, now],
    );
  }

  /** Has what is counted for one receiver of a group counted for another one, who joins. */
  join(ref: BeyondRef, phone: string, now: number): boolean {
    return this.#insert(
      ref.source,
      `SELECT source, ?, route, grouped, key, 0, ${UNKNOWN}, ?, heard_at FROM beyond
         WHERE ${PLACE} AND is_lone = 0 ON CONFLICT DO NOTHING`,
      [phone, now, ...placeOf(ref)],
    );
  }

  #insert(source: string, query: string, values: readonly SqlStorageValue[]): boolean {
    const rows = this.#ofSource(source);
    if (rows >= MAX_OF_SOURCE) return false;
    const written = this.#sql
      .exec<{ isNew: number }>(
        `INSERT INTO beyond (source, phone, route, grouped, key, is_lone, told, since, heard_at) ${query}
           RETURNING told = ${UNKNOWN} AND since >= heard_at AS isNew`,
        ...values,
      )
      .toArray();
    const added = written.filter(({ isNew }) => isNew === 1).length;
    this.#rows?.set(source, rows + added);
    return added > 0;
  }

  /** It is over, or kept one by one by now. Returns whether its receiver knew of it; null if it was not counted. */
  end(ref: BeyondRef, key: string): 'known' | 'unknown' | null {
    const [ended] = this.#remove(`${PLACE} AND key = ?`, [...placeOf(ref), key]);
    if (ended === undefined) return null;
    return ended.told === UNKNOWN ? 'unknown' : 'known';
  }

  /** Returns whose incidents are counted here, the first thousand, and the number of those that they know of. */
  receivers(): readonly (SubscriberRef & { readonly known: number })[] {
    return this.#sql
      .exec<SubscriberRef & Record<string, SqlStorageValue> & { known: number }>(
        `SELECT source, route, phone, sum(told <> ${UNKNOWN}) AS known FROM beyond
           GROUP BY source, phone, route LIMIT 1000`,
      )
      .toArray();
  }

  /** Forgets what is counted for a receiver of a route. */
  forget({ source, route, phone }: SubscriberRef): void {
    this.#remove('source = ? AND phone = ? AND route = ?', [source, phone, route]);
  }

  /** A summary said what had come by then (ms). An item of no incident is over with that. */
  summarized({ source, phone }: OfSource, until: number): void {
    const which = `source = ? AND phone = ? AND told <> ${SUMMARIZED} AND since <= ?`;
    this.#remove(`${which} AND is_lone = 1`, [source, phone, until]);
    this.#sql.exec(`UPDATE beyond SET told = ${SUMMARIZED} WHERE ${which}`, source, phone, until);
  }

  /** Nobody is notified of what was not heard of since then (ms). Returns the number of those. */
  giveUp({ source, route, phone }: SubscriberRef, since: number): number {
    return this.#sql
      .exec(
        `UPDATE beyond SET told = ${SUMMARIZED} WHERE (source, phone, route) = (?, ?, ?) AND told <> ${SUMMARIZED}
           AND heard_at <= ? RETURNING 1`,
        source,
        phone,
        route,
        since,
      )
      .toArray().length;
  }

  /** A message about the group has their number. */
  numbered(ref: BeyondRef): void {
    this.#sql.exec(
      `UPDATE beyond SET told = ${NUMBERED} WHERE ${PLACE} AND told = ${UNKNOWN}`,
      ...placeOf(ref),
    );
  }

  /** Returns the number of those of a group of which something was heard since then (ms), and of the others. */
  openOf(ref: BeyondRef, since: number): { readonly open: number; readonly unheard: number } {
    if (!this.isAny(ref.source)) return { open: 0, unheard: 0 };
    return this.#sql
      .exec<{ open: number; unheard: number }>(
        `SELECT count(*) FILTER (WHERE heard_at >= ?1) AS open, count(*) FILTER (WHERE heard_at < ?1) AS unheard
           FROM beyond WHERE (source, phone, route, grouped) = (?2, ?3, ?4, ?5) AND is_lone = 0`,
        since,
        ...placeOf(ref),
      )
      .one();
  }

  /** Returns the routes of what is counted for a receiver, those with something that is to be summarized first. */
  routesOf({ source, phone }: OfSource): readonly string[] {
    return this.#sql
      .exec<{ route: string }>(
        'SELECT route FROM beyond WHERE source = ? AND phone = ? GROUP BY route ORDER BY min(told)',
        source,
        phone,
      )
      .toArray()
      .map(({ route }) => route);
  }

  /** Returns the number of those that are to be summarized, and since when they are (ms); and of those that were. */
  numbersOf({ source, phone }: OfSource) {
    return this.#sql
      .exec<{ count: number; since: number | null; said: number }>(
        `SELECT count(*) FILTER (WHERE told <> ${SUMMARIZED}) AS count, count(*) FILTER (WHERE told = ${SUMMARIZED}) AS said,
           min(since) FILTER (WHERE told <> ${SUMMARIZED}) AS since FROM beyond WHERE source = ? AND phone = ?`,
        source,
        phone,
      )
      .one();
  }

  /** Returns the keys of the first few that are to be summarized, those of a route before the others. */
  namesOf({ source, phone }: OfSource, route: string): readonly string[] {
    return this.#sql
      .exec<{ key: string }>(
        `SELECT key FROM beyond WHERE source = ? AND phone = ? AND told <> ${SUMMARIZED} AND is_lone = 0
           GROUP BY key ORDER BY min(route <> ?), min(since) LIMIT ${MAX_NAMES}`,
        source,
        phone,
        route,
      )
      .toArray()
      .map(({ key }) => key);
  }

  #remove(where: string, values: readonly SqlStorageValue[]): readonly { readonly told: number }[] {
    const removed = this.#sql
      .exec<{ source: string; told: number }>(
        `DELETE FROM beyond WHERE ${where} RETURNING source, told`,
        ...values,
      )
      .toArray();
    for (const { source } of removed) this.#rows?.set(source, this.#ofSource(source) - 1);
    return removed;
  }

  #ofSource(source: string): number {
    this.#rows ??= new Map(
      this.#sql
        .exec<{ source: string; rows: number }>('SELECT source, count(*) AS rows FROM beyond GROUP BY source')
        .toArray()
        .map((of) => [of.source, of.rows]),
    );
    return this.#rows.get(source) ?? 0;
  }
}

const PLACE = '(source, phone, route, grouped) = (?, ?, ?, ?)';

const placeOf = ({ source, phone, route, grouped }: BeyondRef) => [source, phone, route, grouped] as const;

/** Deletes what nothing was heard of for long. */
export const sweepBeyond = (sql: SqlStorage, now: number): void => {
  sql.exec('DELETE FROM beyond WHERE heard_at < ?', now - FORGOTTEN_MS);
};

/**
 * The lone item by which a receiver is notified of what is counted: it fires as long as anything does. It is of the whole
 * source, so it has no route.
 */
const summaryRef = ({ source, phone }: OfSource): IncidentRef => ({ source, phone, route: '', key: '' });

/** True of the receiver of a source's summaries. */
export const isOfSummaries = ({ route }: Pick<SubscriberRef, 'route'>): boolean => route === '';

/**
 * Has a receiver notified of what is counted by now, or that all of it is over. `isTold`: of the latter, another message
 * about the same group notifies them.
 */
export function settle(
  { sql, open, beyond, now }: { sql: SqlStorage; open: OpenIncidents; beyond: Beyond; now: number },
  of: OfSource,
  isTold = false,
): void {
  const ref = summaryRef(of);
  const known = open.get(ref)?.incident ?? readIncident(sql, ref);
  const { count, said } = beyond.numbersOf(of);
  const before = known ?? { ...NEW, isLone: true };
  const isOver = count + said === 0;
  const believed =
    before.believed === 'closed' || (isOver && isTold) ? 'closed' : count > 0 ? 'either' : 'open';
  const isOpen = count > 0 || (said > 0 && believed !== 'closed');
  const incident: Incident = {
    ...before,
    ...(isOpen && before.resolvedAt !== null && { openedAt: now, heardAt: now }),
    resolvedAt: isOpen ? null : (before.resolvedAt ?? now),
    // While its call is under way, they may or may not know.
    ...(before.before === null && { believed }),
  };
  const event = { id: '', type: null, source: of.source, received_at: iso(now), dedupe_key: null };
  const content = { grouped: null, inhibitedBy: [], event, value: 'null', stored: false };
  if (JSON.stringify(incident) !== JSON.stringify(before))
    writeItem(sql, ref, { known, incident, now }, content);
  const subscriber = open.subscriber(ref);
  // Another route may be the most urgent one.
  subscriber.rules = null;
  open.put(ref, incident, content, now);
  open.subscribers.forgetIdle(subscriber);
}
