import fc from 'fast-check';
import { expect } from 'vitest';
import { contactAt, Contacts, MAX_CONTACTS } from '../../../src/outbox/send/contacts.ts';
import { Bench } from '../bench.ts';
import { it } from '../it.ts';
import { countOf, DAY, draft, MINUTE, rowOf, START, to } from '../support.ts';

/** The begin of the day after the one in which the tests begin, by UTC. */
const TOMORROW = (Math.floor(START / DAY) + 1) * DAY;

const TWO = { newContacts: { perDay: 2 } };

const calledBy = (rig: Bench) => rig.answerAll();

/** Lets the next day begin, and returns who is called then. */
async function nextDay(rig: Bench): Promise<readonly (string | null)[]> {
  await rig.pass((Math.floor(rig.now / DAY) + 1) * DAY - rig.now);
  await rig.wake();
  return calledBy(rig);
}

const rows = (sql: SqlStorage): number => countOf(sql, 'contacts');

it('first messages go to so many new receivers a day, in order', async ({ storage, sql }) => {
  const rig = new Bench(storage, TWO);
  await rig.accept(...to('a', 'b', 'c', 'd', 'e', 'e'));
  expect(await calledBy(rig)).toEqual(['a', 'b']);
  const waits = [3, 4, 5, 6].map((seq) => rig.timing.waitOf(rowOf(sql, seq), rig.policy, rig.now));
  const days = [TOMORROW, TOMORROW, TOMORROW + DAY, TOMORROW + DAY];
  expect(waits).toEqual(days.map((until) => ({ for: 'contact', until, per_day: 2 })));
  expect(rig.nextRun).toBe(TOMORROW);
  expect(await nextDay(rig)).toEqual(['c', 'd']);
  expect(await nextDay(rig)).toEqual(['e', 'e']);
});

it('first messages hold up neither who is known nor the second message to them', async ({ storage }) => {
  const rig = new Bench(storage, TWO);
  await rig.accept(...to('a', 'b', 'c', 'a'));
  expect(await calledBy(rig)).toEqual(['a', 'b', 'a']);
  await rig.acceptFrom('other', ...to('b', 'd'));
  expect(await calledBy(rig)).toEqual(['b']);
});

it('first messages that are urgent go at once, and count', async ({ storage, sql }) => {
  const rig = new Bench(storage, TWO);
  await rig.accept(...to('a', 'b', 'c'));
  await calledBy(rig);
  await rig.accept(...['c', 'd'].map((phone) => draft({ phone, priority: 'high' })));
  await rig.wake();
  // The normal one follows, now that its receiver is known.
  expect((await calledBy(rig)).join('')).toMatch(/^(cdc|dcc|ccd)$/);
  expect(new Contacts(sql).left('signed', 2, [], rig.now)).toBe(-2);
});

it('first messages count while their calls are under way, and after a restart', async ({ storage, sql }) => {
  const rig = new Bench(storage, TWO);
  await rig.accept(...to('a', 'b', 'c'));
  expect(rig.calling).toEqual([1, 2]);
  rig.restart();
  await rig.wake();
  await calledBy(rig);
  expect(rows(sql)).toBe(2);
  expect(await nextDay(rig)).toContain('c');
});

it('first messages go at once when more may be, or any', async ({ storage, sql }) => {
  const rig = new Bench(storage, TWO);
  await rig.accept(...to('a', 'b', 'c', 'd'));
  await calledBy(rig);
  for (const [newContacts, phone] of [
    [{ perDay: 3 }, 'c'],
    [null, 'd'],
  ] as const) {
    rig.policy = { ...rig.policy, newContacts };
    await rig.wake();
    expect(await calledBy(rig)).toEqual([phone]);
  }
  rig.policy = { ...rig.policy, ...TWO };
  await rig.accept(...to('d', 'e'));
  expect(await calledBy(rig)).toEqual(['d']);
  expect(rows(sql)).toBe(4);
});

it('receivers of messages from before the limit are known', async ({ rig, sql }) => {
  await rig.accept(...to('a', 'b', 'c'));
  await calledBy(rig);
  expect(rows(sql)).toBe(0);
  rig.policy = { ...rig.policy, ...TWO };
  await rig.accept(...to('a', 'b', 'c', 'd', 'e', 'f'));
  expect(await calledBy(rig)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('first messages wait no longer than a day when the clock was ahead', async ({ storage }) => {
  const rig = new Bench(storage, TWO);
  rig.now += 400 * DAY;
  await rig.accept(...to('a', 'b', 'c'));
  expect(await calledBy(rig)).toEqual(['a', 'b']);
  rig.now = START + MINUTE;
  await rig.wake();
  expect(await calledBy(rig)).toEqual([]);
  expect(await nextDay(rig)).toEqual(['c']);
});

it('known receivers cost one row each, and the oldest of very many are forgotten', ({ sql }) => {
  const contacts = new Contacts(sql);
  contacts.use(true, START);
  for (const times of [1, 1]) {
    contacts.called('a', false, START);
    expect(rows(sql)).toBe(times);
  }
  sql.exec(
    `INSERT INTO contacts (phone, day, open) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT 'p' || i, i, 0 FROM n`,
    MAX_CONTACTS,
  );
  const later = new Contacts(sql);
  later.use(true, (MAX_CONTACTS + 1) * DAY);
  later.called('new', false, (MAX_CONTACTS + 1) * DAY);
  expect(rows(sql)).toBeLessThanOrEqual(MAX_CONTACTS);
  expect([later.isKnown('new'), later.isKnown('p1')]).toEqual([true, false]);
});

it('the day of a receiver has as many before it as may be each day', () => {
  const perDays = fc.integer({ min: 1, max: 50 });
  fc.assert(
    fc.property(perDays, fc.nat(50), fc.nat(500), (perDay, used, waiting) => {
      const left = perDay - Math.min(used, perDay);
      const days = Array.from({ length: waiting }, (_, ahead) => contactAt(perDay, left, ahead, START));
      expect(days).toEqual(days.toSorted((one, other) => one - other));
      for (const [day, all] of Map.groupBy(days, (day) => day))
        expect(all.length).toBeLessThanOrEqual(day === START ? left : perDay);
    }),
  );
});
