import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newSeries, Series, STEP_MS, type KeptSeries } from '../../src/counts/series.ts';
import { HOUR } from '../../src/lib/time.ts';
import { parseOwnJson } from '../../src/lib/json.ts';
import { countRows } from '../outbox/support.ts';
import { inStorage } from '../outbox/in-storage.ts';

/** As a commit that stands does it. */
function keep(series: Series): KeptSeries {
  const kept = series.keep();
  series.kept();
  return kept;
}

const T = 500_000 * HOUR;
const END = 10 ** 14;

const inTable = (body: (sql: SqlStorage) => void): Promise<void> =>
  inStorage(({ storage: { sql } }) => {
    sql.exec('DELETE FROM series');
    body(sql);
  });

/** The same as after a restart: what was kept, as its row has it. */
const again = (sql: SqlStorage, series: Series): Series =>
  new Series(sql, parseOwnJson<KeptSeries>(JSON.stringify(keep(series))));

const all = (series: Series, metric = 'sent', label?: string) =>
  series
    .read(metric, label, 0, END)
    .map(({ at, value }) => [at, value])
    .toSorted(([one = 0], [other = 0]) => one - other);

/** Each step that has a value, from `T` on, and the value. */
const steps = (series: Series) => all(series).flatMap(([at = 0, value]) => [at - T, value]);

it('a series sums up what was counted in each step, by metric and label', () =>
  inTable((sql) => {
    const series = new Series(sql, newSeries(0));
    series.add(T, 1, 'sent', 'shop');
    series.add(T + STEP_MS - 1, 2, 'sent', 'form');
    series.add(T + 3 * STEP_MS, 4, 'sent', 'shop');
    series.add(T, 8, 'failed', 'shop');
    expect(steps(series)).toEqual([0, 3, 3 * STEP_MS, 4]);
    expect(all(series, 'sent', 'form')).toEqual([[T, 2]]);
    expect(all(series, 'failed')).toEqual([[T, 8]]);
    expect(series.read('sent', undefined, T + 1, T + 3 * STEP_MS)).toEqual([]);
  }));

it('a series takes one row for an hour that is over, and none for the open one', () =>
  inTable((sql) => {
    const rows = countRows(sql);
    const series = new Series(sql, newSeries(0));
    for (let n = 0; n < 50; n += 1) {
      series.add(T + n, 1, 'sent', 'shop');
      keep(series);
    }
    expect(rows.written()).toBe(0);
    series.add(T + HOUR, 1, 'sent', 'shop');
    keep(series);
    keep(series);
    expect(rows.written()).toBe(1);
    expect(steps(series)).toEqual([0, 50, HOUR, 1]);
  }));

it('a series overwrites rows of eight days ago, so that none is ever deleted', () =>
  inTable((sql) => {
    const rows = countRows(sql);
    let series = new Series(sql, newSeries(0));
    for (let hour = 0; hour < 400; hour += 1) {
      series.add(T + hour * HOUR, 1, 'sent', 'shop');
      series = again(sql, series);
    }
    expect(rows.written()).toBe(399);
    expect(sql.exec('SELECT count(*) AS n FROM series').one()).toEqual({ n: 192 });
    expect(all(series)).toHaveLength(193);
    expect(all(series).at(-1)).toEqual([T + 399 * HOUR, 1]);
  }));

it('a series counts what is late for an hour that has its row as of the next', () =>
  inTable((sql) => {
    const series = new Series(sql, newSeries(0));
    series.add(T, 1, 'sent', 'shop');
    series.add(T + 2 * HOUR, 1, 'sent', 'shop');
    series.add(T + 2, 1, 'sent', 'shop');
    keep(series);
    series.add(T + 3, 1, 'sent', 'shop');
    expect(steps(series)).toEqual([0, 2, HOUR, 1, 2 * HOUR, 1]);
  }));

it('a series is the same after a restart, wherever it was kept, and loses nothing', () =>
  inTable((sql) => {
    const one = fc.record({ at: fc.nat({ max: 20 * HOUR }), restart: fc.boolean() });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 40 }), (events) => {
        sql.exec('DELETE FROM series');
        let series = new Series(sql, newSeries(0));
        const ordered = events.toSorted((a, b) => a.at - b.at);
        for (const { at, restart } of ordered) {
          series.add(T + at, 1, 'sent', 'shop');
          if (restart) series = again(sql, series);
        }
        const wanted = Map.groupBy(ordered, ({ at }) => T + at - (at % STEP_MS));
        expect(all(series)).toEqual([...wanted].map(([at, group]) => [at, group.length]));
      }),
    );
  }));

it('a series does not count an hour twice whose row was written, when the commit with it was not made', () =>
  inTable((sql) => {
    const series = new Series(sql, newSeries(0));
    series.add(T, 1, 'sent', 'shop');
    const kept = parseOwnJson<KeptSeries>(JSON.stringify(keep(series)));
    series.add(T + HOUR, 1, 'sent', 'shop');
    keep(series);
    const restarted = new Series(sql, kept);
    expect(all(restarted)).toEqual([[T, 1]]);
  }));
