import { HOUR, MINUTE } from '../lib/time.ts';
import { parseOwnJson } from '../lib/json.ts';
import { replaceRow } from '../lib/store.ts';

export const STEP_MS = 5 * MINUTE;

/** The number of hours that have rows. A new hour overwrites the oldest one, so nothing has to be deleted. */
const KEPT_HOURS = 8 * 24;

/** The counts of an hour: a list of numbers, one for each step, for each metric and label. */
type Hour = Record<string, number[]>;

/** Counts that have no rows of their own yet. */
export interface KeptSeries {
  /** The time from which on everything was counted (ms). */
  readonly from: number;
  readonly closed: number;
  readonly hours: Readonly<Record<string, Hour>>;
}

/** A series that begins now, or has counted from the beginning of its object (0). */
export const newSeries = (from: number): KeptSeries => ({ from, closed: 0, hours: {} });

/** The sum of one step. `at`: the beginning of the step (ms). */
export interface Point {
  readonly at: number;
  readonly value: number;
}

export const SERIES_TABLE =
  'CREATE TABLE series (slot INTEGER PRIMARY KEY, hour INTEGER NOT NULL, counts TEXT NOT NULL)';

/** The open hour is part of a row that is written anyway. Each past hour costs one row, however many counts it has. */
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

  /** Returns the time at which it was counted: if that hour is already closed, the next hour. */
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

  get isHourOver(): boolean {
    return this.#hours.size > 1;
  }

  /** Writes the rows of past hours. The returned state belongs in the same commit; call {@link kept} after it. */
  keep(): KeptSeries {
    const open = this.#openHour;
    for (const [hour, counts] of this.#hours) {
      if (hour === open) continue;
      replaceRow(this.#sql, 'series', { slot: hour % KEPT_HOURS, hour, counts: JSON.stringify(counts) });
    }
    const hours = Object.fromEntries([...this.#hours].filter(([hour]) => hour === open));
    return { from: this.from, closed: this.#lastClosed(open), hours };
  }

  /** Forgets the past hours, which have their rows now. */
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

  /** The steps with counts that begin at or after `from` and before `to` (ms). `label` undefined: of all labels. */
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
    const query = 'SELECT hour, counts FROM series WHERE hour > ? AND hour < ? AND hour <= ?';
    const bounds = [from / HOUR - 1, to / HOUR, this.#closed];
    const rows = this.#sql.exec<{ hour: number; counts: string }>(query, ...bounds).toArray();
    return [...rows.map(({ hour, counts }) => [hour, parseOwnJson<Hour>(counts)] as const), ...this.#hours];
  }
}
