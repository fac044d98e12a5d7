import * as z from 'zod/mini';
import { recordOf } from '../schema/parts.ts';
import { parseOwnJson } from '../lib/own-json.ts';
import { Counts, type Totals } from '../counts/counts.ts';
import { newSeries, parseSeries, Series, type Point } from '../counts/series.ts';

/** One refused request, as the list of recent rejections shows it: never its body. */
export interface RejectionEntry {
  readonly at: string;
  readonly source: string;
  readonly status: number;
  readonly reason: string;
  readonly detail: string;
  /** Who sent it: an address, and what it calls itself. Absent: it was not asked. */
  readonly from?: string;
}

/** Webhooks of a source over its limit, as one isolate counted them. */
export interface LimitedEntry extends RejectionEntry {
  /** How many were refused. */
  readonly times: number;
}

/** A flood is listed once in this time (ms), however long it lasts. */
const LISTED_EACH_MS = 60_000;

/** A rejection and its number, by which a list continues. */
export interface NumberedRejection {
  readonly n: number;
  readonly entry: RejectionEntry;
}

/** How many rejections are kept; the oldest is overwritten. */
const MAX_REJECTIONS = 200;

/** How many pairs of source and reason have separate counts: sources come and go, and a row has a limit. */
const MAX_SERIES = 1_000;

/** Used in place of a source and of a reason, which cannot begin with `_`. */
const OTHER = '_other';

/** How many were recorded by time. `from`: since when all was counted (ms). */
export interface RejectionSeries {
  readonly from: number;
  readonly points: readonly Point[];
}

/** Their metric in the series. */
const REJECTED = 'rejected';

const totalsSchema = recordOf(z.number());

/** The recent rejections, and how many there ever were. The newest row has the sums, so they cost no extra row. */
export class Rejections {
  readonly #sql: SqlStorage;
  readonly #counts: Counts;
  /** How many were recorded by time, of each source. */
  readonly #series: Series;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const newest = sql
      .exec<{ totals: string; series: string }>(
        'SELECT totals, series FROM rejections ORDER BY n DESC LIMIT 1',
      )
      .toArray()[0];
    // Unreadable sums start again from 0: they must not make the whole registry fail.
    this.#series = new Series(sql, parseSeries(JSON.parse(newest?.series ?? 'null')) ?? newSeries(0));
    const totals = totalsSchema.safeParse(JSON.parse(newest?.totals ?? '{}'));
    this.#counts = new Counts(totals.success ? totals.data : {});
  }

  /** How many were recorded, by `rejection {source} {reason}`. */
  get totals(): Totals {
    return this.#counts.toJSON();
  }

  /** How many were recorded in each step of this time (ms), as {@link Series.read} gives it. */
  readSeries(source: string | undefined, from: number, to: number): RejectionSeries {
    return { from: this.#series.from, points: this.#series.read(REJECTED, source, from, to) };
  }

  /** Its number. */
  record(entry: RejectionEntry): number {
    this.#count(entry, 1);
    return this.#list(entry);
  }

  /**
   * Counts a flood, and lists it unless its source was listed for one within the minute. Its number; null: it is not
   * listed.
   */
  recordLimited({ times, ...entry }: LimitedEntry): number | null {
    this.#count(entry, times);
    if (!this.#isListed(entry)) return this.#list(entry);
    this.#sql.exec(
      'UPDATE rejections SET totals = ?, series = ? WHERE n = (SELECT max(n) FROM rejections)',
      JSON.stringify(this.#counts),
      JSON.stringify(this.#series.keep()),
    );
    this.#series.kept();
    return null;
  }

  #isListed({ source, reason, at }: RejectionEntry): boolean {
    const since = Date.parse(at) - LISTED_EACH_MS;
    for (const { entry } of this.list(MAX_REJECTIONS, null)) {
      const isSame = entry.source === source && entry.reason === reason;
      if (isSame && Date.parse(entry.at) > since) return true;
    }
    return false;
  }

  #list(entry: RejectionEntry): number {
    const { last } = this.#sql.exec<{ last: number | null }>('SELECT max(n) AS last FROM rejections').one();
    const n = (last ?? 0) + 1;
    this.#sql.exec(
      'INSERT OR REPLACE INTO rejections (slot, n, entry, totals, series) VALUES (?, ?, ?, ?, ?)',
      n % MAX_REJECTIONS,
      n,
      JSON.stringify(entry),
      JSON.stringify(this.#counts),
      JSON.stringify(this.#series.keep()),
    );
    this.#series.kept();
    return n;
  }

  /** Recent rejections, newest first. */
  list(limit: number, before: number | null): readonly NumberedRejection[] {
    return this.#sql
      .exec<{ n: number; entry: string }>(
        'SELECT n, entry FROM rejections WHERE n < ? ORDER BY n DESC LIMIT ?',
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .toArray()
      .map(({ n, entry }) => ({ n, entry: parseOwnJson<RejectionEntry>(entry) }));
  }

  #count({ source, reason, at }: RejectionEntry, times: number): void {
    const hasSeries = this.#counts.size < MAX_SERIES || this.#counts.get('rejection', source, reason) > 0;
    this.#counts.add(times, 'rejection', ...(hasSeries ? [source, reason] : [OTHER, OTHER]));
    this.#series.add(Date.parse(at), times, REJECTED, hasSeries ? source : OTHER);
  }
}
