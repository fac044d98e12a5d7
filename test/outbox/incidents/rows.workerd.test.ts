import '../../platform/facts.ts';
import { expect, it } from 'vitest';
import { countRows } from '../support.ts';
import { inStorage } from '../bare-outbox.ts';
import { IncidentsBench, item, route } from './bench.ts';

const MINUTE = 60_000;
const group = { by: ['{{ item.service }}'], wait: '30s', interval: '5m' };

const of = (name: string, isResolved = false) => item(name, { group: 'db', isResolved });

/** The rows that items of a reported group of N write in the tables of incidents. */
const rowsIn = (size: number): Promise<Readonly<Record<string, number>>> =>
  inStorage(async ({ storage }) => {
    const one = new IncidentsBench(storage, [route({ group })]);
    await one.take(...Array.from({ length: size }, (_, n) => of(`a${n}`)));
    await one.pass(MINUTE);
    const rows = countRows(storage.sql);
    const during = async (body: () => Promise<void>): Promise<number> => {
      rows.reset();
      await body();
      return rows.written();
    };
    return {
      joins: await during(() => one.take(of('late'))),
      'is reported': await during(() => one.pass(5 * MINUTE)),
      'fires again': await during(() => one.take(of('a1'))),
      ends: await during(() => one.take(of('a2', true))),
      'is reported as ended': await during(() => one.pass(5 * MINUTE)),
    };
  });

const quietFrom = (from: string) => [route({ quiet: { from, to: '07:00', timezone: 'UTC' } })];

it('the quiet hours of a receiver are written when they change, not for each item, publish or restart', () =>
  inStorage(async ({ storage }) => {
    const one = new IncidentsBench(storage, quietFrom('22:00'));
    await one.fire('a');
    const rows = countRows(storage.sql);
    const during = async (body: () => Promise<void>): Promise<number> => {
      rows.reset();
      await body();
      return rows.written();
    };
    expect(await during(() => one.crash())).toBe(0);
    expect(await during(() => one.fire('a'))).toBe(1);
    // A publish is a row itself.
    expect(await during(() => one.publish(quietFrom('22:00')))).toBe(1);
    expect(await during(() => one.publish(quietFrom('23:00')))).toBe(2);
  }));

it('an item of an open group writes three rows until it is reported, whatever the number of the others', async () => {
  const rows = await rowsIn(10);
  // The row and its place in the index of what is open; the row again when it is reported. The last message counts `a1`,
  // which came again, and moves `a2` in the index.
  expect(rows).toEqual({
    joins: 2,
    'is reported': 1,
    'fires again': 1,
    ends: 1,
    'is reported as ended': 3,
  });
  expect(await rowsIn(1_000)).toEqual(rows);
});
