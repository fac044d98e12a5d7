import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contactAt, Contacts, MAX_CONTACTS } from '../../../src/outbox/send/contacts.ts';
import type { Wait } from '../../../src/outbox/send/timing.ts';
import { Bench } from '../bench.ts';
import { draft, HOUR, MINUTE, rowOf, START } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const DAY = 24 * HOUR;
/** The begin of the day after the one in which the tests begin, by UTC. */
const TOMORROW = (Math.floor(START / DAY) + 1) * DAY;

const TWO = { newContacts: { perDay: 2 } };
const to = (...phones: readonly string[]) => phones.map((phone) => draft({ phone }));

/** The receivers whose calls are under way; each is answered. */
async function calledBy(bench: Bench, sql: SqlStorage): Promise<readonly (string | null)[]> {
  const called: (string | null)[] = [];
  for (let [call] = bench.open; call !== undefined; [call] = bench.open) {
    called.push(rowOf(sql, call.seq).phone);
    await bench.answer(call.seq, 'sent');
  }
  return called;
}

/** Lets the next day begin, and returns who is called then. */
async function nextDay(bench: Bench, sql: SqlStorage): Promise<readonly (string | null)[]> {
  const today = Math.floor(bench.now / DAY);
  await bench.pass((today + 1) * DAY - bench.now);
  await bench.wake();
  return calledBy(bench, sql);
}

const waitOf = (bench: Bench, sql: SqlStorage, seq: number): Wait =>
  bench.timing.waitOf(rowOf(sql, seq), bench.policy, bench.now);

const rows = (sql: SqlStorage): number =>
  sql.exec<{ n: number }>('SELECT count(*) AS n FROM contacts').one().n;

describe('first messages to new receivers', () => {
  it('go to as many in a day as may be, and to the others on later days, in order', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, TWO);
      await bench.accept(...to('a', 'b', 'c', 'd', 'e'));
      expect(await calledBy(bench, sql)).toEqual(['a', 'b']);
      expect(await nextDay(bench, sql)).toEqual(['c', 'd']);
      expect(await nextDay(bench, sql)).toEqual(['e']);
    }));

  it('say what they wait for, and the day on which they go', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, TWO);
      await bench.accept(...to('a', 'b', 'c', 'd', 'e', 'e'));
      await calledBy(bench, sql);
      for (const [seq, day] of [
        [3, 0],
        [4, 0],
        [5, 1],
        [6, 1],
      ] as const)
        expect(waitOf(bench, sql, seq)).toEqual({
          for: 'contact',
          until: TOMORROW + day * DAY,
          per_day: 2,
        });
      expect(bench.timing.nextRunAt(bench.policy)).toBe(TOMORROW);
    }));

  it('hold up neither who is known nor the second message to them', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, TWO);
      await bench.accept(...to('a', 'b', 'c', 'a'));
      expect(await calledBy(bench, sql)).toEqual(['a', 'b', 'a']);
      await bench.acceptFrom('other', ...to('b', 'd'));
      expect(await calledBy(bench, sql)).toEqual(['b']);
    }));

  it('that are urgent go at once, and count', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, TWO);
      await bench.accept(...to('a', 'b', 'c'));
      await calledBy(bench, sql);
      await bench.accept(draft({ phone: 'c', priority: 'high' }), draft({ phone: 'd', priority: 'high' }));
      await bench.wake();
      // The normal one follows, now that its receiver is known.
      expect((await calledBy(bench, sql)).join('')).toMatch(/^(cdc|dcc|ccd)$/);
      expect(new Contacts(sql).left(2, [], bench.now)).toBe(-2);
    }));

  it('count while their calls are under way, and after a restart', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, TWO);
      await bench.accept(...to('a', 'b', 'c'));
      expect(bench.open.map(({ seq }) => rowOf(sql, seq).phone)).toEqual(['a', 'b']);
      bench.restart();
      await bench.wake();
      await calledBy(bench, sql);
      expect(rows(sql)).toBe(2);
      expect(await nextDay(bench, sql)).toContain('c');
    }));

  it('go at once when more may be, or any', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, TWO);
      await bench.accept(...to('a', 'b', 'c', 'd'));
      await calledBy(bench, sql);
      bench.policy = { ...bench.policy, newContacts: { perDay: 3 } };
      await bench.wake();
      expect(await calledBy(bench, sql)).toEqual(['c']);
      bench.policy = { ...bench.policy, newContacts: null };
      await bench.wake();
      expect(await calledBy(bench, sql)).toEqual(['d']);
      // The receiver who was called meanwhile is known when the limit comes back.
      bench.policy = { ...bench.policy, ...TWO };
      await bench.accept(...to('d', 'e'));
      expect(await calledBy(bench, sql)).toEqual(['d']);
      expect(rows(sql)).toBe(4);
    }));

  it('are not to receivers of messages from before the limit', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(...to('a', 'b', 'c'));
      await calledBy(bench, sql);
      expect(rows(sql)).toBe(0);
      bench.policy = { ...bench.policy, ...TWO };
      await bench.accept(...to('a', 'b', 'c', 'd', 'e', 'f'));
      expect(await calledBy(bench, sql)).toEqual(['a', 'b', 'c', 'd', 'e']);
    }));

  it('wait a day, and no longer, when the clock was ahead and is set back', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, TWO);
      bench.now += 400 * DAY;
      await bench.accept(...to('a', 'b', 'c'));
      expect(await calledBy(bench, sql)).toEqual(['a', 'b']);
      bench.now = START + MINUTE;
      await bench.wake();
      expect(await calledBy(bench, sql)).toEqual([]);
      expect(await nextDay(bench, sql)).toEqual(['c']);
    }));
});

describe('the receivers that are known', () => {
  it('cost one row each, with the record of the first call, and none without the limit', () =>
    inStorage(({ storage: { sql } }) => {
      const contacts = new Contacts(sql);
      contacts.use(false, START);
      contacts.use(true, START);
      const written = (work: () => void): number => {
        const before = rows(sql);
        work();
        return rows(sql) - before;
      };
      expect(written(() => contacts.called('a', START))).toBe(1);
      expect(written(() => contacts.called('a', START))).toBe(0);
    }));

  it('are bounded: the oldest are forgotten', () =>
    inStorage(({ storage: { sql } }) => {
      sql.exec(
        `INSERT INTO contacts (phone, day) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
           SELECT 'p' || i, i FROM n`,
        MAX_CONTACTS,
      );
      const contacts = new Contacts(sql);
      contacts.use(true, (MAX_CONTACTS + 1) * DAY);
      contacts.called('new', (MAX_CONTACTS + 1) * DAY);
      expect(rows(sql)).toBeLessThanOrEqual(MAX_CONTACTS);
      expect(contacts.isKnown('new')).toBe(true);
      expect(contacts.isKnown('p1')).toBe(false);
    }));
});

describe('the day of a receiver', () => {
  it('has as many before it as may be each day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 0, max: 500 }),
        (perDay, used, waiting) => {
          const left = perDay - Math.min(used, perDay);
          const days = Array.from({ length: waiting }, (_, ahead) => contactAt(perDay, left, ahead, START));
          expect(days).toEqual(days.toSorted((one, other) => one - other));
          const counts = [...Map.groupBy(days, (day) => day).entries()];
          for (const [day, all] of counts)
            expect(all.length).toBeLessThanOrEqual(day === START ? left : perDay);
        },
      ),
    );
  });
});
