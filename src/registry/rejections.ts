import { DAY, HOUR, iso } from '../lib/time.ts';
import { parseOwnJson } from '../lib/json.ts';
import { holdsNumber } from '../lib/numbers.ts';
import { STRAYS } from '../lib/shares.ts';
import { Counts, type Totals } from '../counts/counts.ts';
import { newSeries, Series, type KeptSeries } from '../counts/series.ts';
import type { RejectionEntry } from './api-rejection.ts';
import { SpamBox, type NewSpam, type StoredSpam } from './spam.ts';
import { Tables } from './schema.ts';
import { replaceRow } from '../lib/store.ts';

/** Webhooks of a source over its limit, as one isolate counted them. */
export interface LimitedEntry extends RejectionEntry {
  readonly times: number;
}

/** Rejections for the same code are one row for this time. What any visitor can cause is one for a day. */
const foldedMs = ({ field, near }: RejectionEntry): number =>
  field === undefined && near === undefined ? HOUR : DAY;

export interface NumberedRejection {
  readonly n: number;
  readonly entry: RejectionEntry & Partial<StoredSpam>;
}

export interface RejectionFilter {
  readonly source?: string | undefined;
  /** True for spam only, false for everything else. */
  readonly isSpam?: boolean | undefined;
}

/** Without spam and unknown addresses; the oldest is overwritten. */
export const MAX_REJECTIONS = 200;

/** The slot with the sums of the newest spam, which is kept elsewhere. */
const SPAM_SLOT = MAX_REJECTIONS;

/** The slots of addresses that no source has: names like a source's, and others. */
const NEAR_SLOT = SPAM_SLOT + 1;
const FAR_SLOT = NEAR_SLOT + STRAYS.names;

/** The most pairs of source and code with their own counts: sources come and go, and a row has a limit. */
const MAX_SERIES = 1_000;

/** Used in place of a source or a code, since these cannot begin with `_`. */
export const OTHER = '_other';

const REJECTED = 'rejected';

/** The newest row has the sums of all there ever were, so they need no extra row. */
export class Rejections extends Tables {
  readonly spam: SpamBox;
  readonly #counts: Counts;
  readonly #series: Series;

  constructor(sql: SqlStorage) {
    super(sql);
    this.spam = new SpamBox(sql);
    const newest = sql
      .exec<{ totals: string; series: string }>(
        'SELECT totals, series FROM rejections ORDER BY n DESC LIMIT 1',
      )
      .toArray()[0];
    const kept = parseOwnJson<KeptSeries | null>(newest?.series ?? 'null');
    this.#series = new Series(sql, kept ?? newSeries(0));
    this.#counts = new Counts(parseOwnJson<Totals>(newest?.totals ?? '{}'));
  }

  totals(): Totals {
    return this.#counts.toJSON();
  }

  /** In steps, as {@link Series.read} returns them, and since when everything was counted. */
  readSeries(source: string | undefined, from: number, to: number) {
    return { from: this.#series.from, points: this.#series.read(REJECTED, source, from, to) };
  }

  record(entry: RejectionEntry, times = 1): void {
    this.#count(entry, times);
    if (!this.#fold(entry, times)) this.#list(times === 1 ? entry : { ...entry, times, first_at: entry.at });
  }

  /** Returns the id that the visitor gets: that of the same form from a moment ago, which is not recorded again. */
  recordSpam(spam: NewSpam): string {
    const { entry, event } = spam;
    const before = this.spam.same(spam);
    if (before !== null) return before;
    this.#count(entry, 1);
    const n = this.#nextNumber();
    this.#keep(SPAM_SLOT, n, entry);
    this.spam.add(n, spam);
    return event;
  }

  /** Counts webhooks that were over their sources' limits. A source that was listed for it is not listed again. */
  recordLimited(entries: readonly LimitedEntry[]): void {
    for (const { times, ...entry } of entries) this.record(entry, times);
  }

  /** Adds to the row of earlier ones with the same code, which gets a new number. False if there is no such row. */
  #fold(entry: RejectionEntry, times: number): boolean {
    const { source, code, status, at, field = null } = entry;
    const [row] = this.rows<{ slot: number; entry: string }>(
      `SELECT slot, entry FROM rejections WHERE slot <> ${SPAM_SLOT} AND entry ->> '$.source' = ? AND entry ->> '$.code' = ?
           AND entry ->> '$.status' = ? AND entry ->> '$.field' IS ? ORDER BY n DESC LIMIT 1`,
      source,
      code,
      status,
      field,
    );
    if (row === undefined) return false;
    const before = parseOwnJson<RejectionEntry>(row.entry);
    const first = before.first_at ?? before.at;
    if (Math.abs(Date.parse(at) - Date.parse(first)) >= foldedMs(entry)) return false;
    // It becomes the newest: lists begin with it, and a client that reads on from a number gets it.
    this.#keep(row.slot, this.#nextNumber(), {
      ...entry,
      times: (before.times ?? 1) + times,
      first_at: first,
    });
    return true;
  }

  /**
   * If there are enough, in place of the oldest; of unknown addresses, of a day's least frequent: random names replace
   * each other.
   */
  #list(entry: RejectionEntry): void {
    const { near } = entry;
    const [first, room, order] =
      near === undefined
        ? [0, MAX_REJECTIONS, 'n']
        : [
            near === null ? FAR_SLOT : NEAR_SLOT,
            STRAYS.names,
            `entry ->> '$.at' > '${iso(Date.parse(entry.at) - DAY)}', coalesce(entry ->> '$.times', 1), n`,
          ];
    const rows = `FROM rejections WHERE slot >= ${first} AND slot < ${first + room}`;
    const { used } = this.sql.exec<{ used: number }>(`SELECT count(*) AS used ${rows}`).one();
    const slot =
      used < room
        ? first + used
        : this.sql.exec<{ slot: number }>(`SELECT slot ${rows} ORDER BY ${order} LIMIT 1`).one().slot;
    this.#keep(slot, this.#nextNumber(), entry);
  }

  #nextNumber(): number {
    return this.sql.exec<{ next: number }>('SELECT coalesce(max(n), 0) + 1 AS next FROM rejections').one()
      .next;
  }

  #keep(slot: number, n: number, entry: RejectionEntry): void {
    replaceRow(this.sql, 'rejections', {
      slot,
      n,
      entry: JSON.stringify(entry),
      totals: JSON.stringify(this.#counts),
      series: JSON.stringify(this.#series.keep()),
    });
    this.#series.kept();
  }

  /** Those after a number, newest first; all, if it is of a later state, from which this object was restored. */
  listAfter(after: number): readonly NumberedRejection[] {
    const newest = this.#nextNumber() - 1;
    if (newest === after) return [];
    return this.list(MAX_REJECTIONS, null).filter(({ n }) => after > newest || n > after);
  }

  list(
    limit: number,
    before: number | null,
    { source, isSpam }: RejectionFilter = {},
  ): readonly NumberedRejection[] {
    const spam = isSpam === false ? [] : this.spam.list(limit, before, source ?? null);
    const others = isSpam === true ? [] : this.#others(limit, before, source ?? null);
    return [...spam, ...others].toSorted((one, other) => other.n - one.n).slice(0, limit);
  }

  /** The newest that contain a number with this end: spam in its form's content, others in their description. */
  find(end: string, limit: number): readonly NumberedRejection[] {
    const others = this.#others(MAX_REJECTIONS, null, null).filter(({ entry }) =>
      holdsNumber(`${entry.detail} ${entry.from ?? ''}`, end),
    );
    return [...this.spam.find(end, limit), ...others]
      .toSorted((one, other) => other.n - one.n)
      .slice(0, limit);
  }

  #others(limit: number, before: number | null, source: string | null): readonly NumberedRejection[] {
    return this.rows<{ n: number; entry: string }>(
      `SELECT n, entry FROM rejections
         WHERE n < ?1 AND slot <> ${SPAM_SLOT}
           AND (?2 IS NULL OR ?2 IN (entry ->> '$.source', entry ->> '$.near')) ORDER BY n DESC LIMIT ?3`,
      before ?? Number.MAX_SAFE_INTEGER,
      source,
      limit,
    ).map(({ n, entry }) => ({ n, entry: parseOwnJson<RejectionEntry>(entry) }));
  }

  #count({ source, code, at, near }: RejectionEntry, times: number): void {
    const hasSeries = this.#counts.size < MAX_SERIES || this.#counts.get('rejection', source, code) > 0;
    const label = hasSeries && near === undefined ? source : OTHER;
    this.#counts.add(times, 'rejection', label, hasSeries ? code : OTHER);
    this.#series.add(Date.parse(at), times, REJECTED, label);
  }
}
