import { HOUR, MINUTE } from '../lib/duration.ts';
import { parseOwnJson } from '../lib/own-json.ts';

/** The shortest step of a series (ms). */
export const STEP_MS = 5 * MINUTE;

/** The number of hours that have rows. The oldest is overwritten, so that nothing has to be deleted. */
const KEPT_HOURS = 8 * 24;

/** The counts of an hour: a number for each step, by a metric and its label. */
type Hour = Record<string, number[]>;

/** Counts without rows of their own yet. */
export interface KeptSeries {
  /** The time since which everything was counted (ms). */
  readonly from: number;
  /** Hours up to this have their rows. */
  readonly closed: number;
  readonly hours: Readonly<Record<string, Hour>>;
}

/** A series that begins now, or when its object was made (0). */
export const newSeries = (from: number): KeptSeries => ({ from, closed: 0, hours: {} });

/** One step's sum. `at`: when the step begins (ms). */
export interface Point {
  readonly at: number;
  readonly value: number;
}

export const SERIES_TABLE = `CREATE TABLE series (
  slot INTEGER PRIMARY KEY,
  hour INTEGER NOT NULL,
  counts TEXT NOT NULL
)`;

/**
 * Counters by time. The open hour is kept in a row that is written anyway. An hour that is over costs one row, however
 * much happened in it.
 */
export class Series {
  readonly #sql: SqlStorage;
  readonly from: number;
  readonly #hours: Map<number, Hour>;
  #closed: number;

  /** The table must exist. */
  constructor(sql: SqlStorage, { from, closed, hours }: KeptSeries) {
    this.#sql = sql;
    this.from = from;
    this.#closed = closed;
    this.#hours = new Map(Object.entries(hours).map(([hour, counts]) => [Number(hour), counts]));
  }

  /** Counts what happened at a time (ms). Returns the time for which it counts: if the hour is closed already, the next one. */
  add(at: number, amount: number, metric: string, label: string): number {
    const within = Math.max(at, (this.#closed + 1) * HOUR);
    const hour = Math.floor(within / HOUR);
    const counts = this.#hours.get(hour) ?? {};
    this.#hours.set(hour, counts);
    const values = (counts[`${metric} ${label}`] ??= []);
    const step = Math.floor((within % HOUR) / STEP_MS);
    while (values.length <= step) values.push(0);
    values[step] = (values[step] ?? 0) + amount;
    return within;
  }

  /** True if the row of a past hour is still to be written. */
  get isHourOver(): boolean {
    return this.#hours.size > 1;
  }

  /**
   * Writes the rows of hours that are over, and returns what is to be kept in the same commit. {@link kept} is to be
   * called once that stands.
   */
  keep(): KeptSeries {
    const open = this.#openHour;
    for (const [hour, counts] of this.#hours) {
      if (hour === open) continue;
      this.#sql.exec(
        'INSERT OR REPLACE INTO series (slot, hour, counts) VALUES (?, ?, ?)',
        hour % KEPT_HOURS,
        hour,
        JSON.stringify(counts),
      );
    }
    const hours = Object.fromEntries([...this.#hours].filter(([hour]) => hour === open));
    return { from: this.from, closed: this.#lastClosed(open), hours };
  }

  /** The hours that are over have their rows. */
  kept(): void {
    const open = this.#openHour;
    this.#closed = this.#lastClosed(open);
    for (const hour of this.#hours.keys()) if (hour !== open) this.#hours.delete(hour);
  }

  get #openHour(): number {
    return Math.max(...this.#hours.keys());
  }

  #lastClosed(open: number): number {
    return Math.max(this.#closed, ...[...this.#hours.keys()].filter((hour) => hour !== open));
  }

  /** The steps that begin from `from` on and before `to` (ms), where there was something. `label` undefined: of all. */
  read(metric: string, label: string | undefined, from: number, to: number): readonly Point[] {
    const sums = new Map<number, number>();
    for (const [hour, counts] of this.#read(from, to))
      for (const [key, values] of Object.entries(counts)) {
        const [ofMetric, ofLabel] = key.split(' ');
        if (ofMetric !== metric || (label !== undefined && ofLabel !== label)) continue;
        for (const [step, value] of values.entries()) {
          const at = hour * HOUR + step * STEP_MS;
          if (value > 0 && at >= from && at < to) sums.set(at, (sums.get(at) ?? 0) + value);
        }
      }
    return [...sums].map(([at, value]) => ({ at, value }));
  }

  #read(from: number, to: number): readonly (readonly [hour: number, counts: Hour])[] {
    const rows = this.#sql
      .exec<{ hour: number; counts: string }>(
        'SELECT hour, counts FROM series WHERE hour > ? AND hour < ? AND hour <= ?',
        from / HOUR - 1,
        to / HOUR,
        this.#closed,
      )
      .toArray();
    return [...rows.map(({ hour, counts }) => [hour, parseOwnJson<Hour>(counts)] as const), ...this.#hours];
  }
}
