import { describe, expect, it } from 'vitest';
import { DispatchLog, type Carried } from '../../../src/outbox/send/dispatch-log.ts';
import type { Claim } from '../../../src/outbox/send/log-rows.ts';
import { receiverKey } from '../../../src/outbox/send/receiver-history.ts';
import { countRows, HOUR, inStorage, MINUTE, START } from '../support.ts';

const claim = (at: number, over: Partial<Claim> = {}): Claim => ({
  at,
  cursor: 1,
  tokens: 4.25,
  newest: 9,
  flight: [{ seq: 1, n: 1, at, phone: '4915112345601' }],
  ...over,
});

/** The sends after `since`: when, and to whom. */
function sendsOf(
  log: DispatchLog,
  since: number,
): readonly (readonly [at: number, receiver: number | null])[] {
  const sends: [number, number | null][] = [];
  log.readSends(since, (at, receiver) => sends.push([at, receiver]));
  return sends;
}

const counters = (text: string, isDue = false): Carried => ({ text: () => text, isDue });

const count = (sql: SqlStorage): number =>
  sql.exec<{ n: number }>('SELECT count(*) AS n FROM dispatch_log').one().n;

describe('the dispatch log', () => {
  it('has neither a claim nor sends before the first', () =>
    inStorage(({ storage: { sql } }) => {
      const log = new DispatchLog(sql);
      expect(log.last()).toBeNull();
      expect(sendsOf(log, 0)).toEqual([]);
    }));

  it('gives a restarted object the newest claim as it was written', () =>
    inStorage(({ storage: { sql } }) => {
      const log = new DispatchLog(sql);
      const newest = claim(START + MINUTE, {
        cursor: 7,
        tokens: -0.25,
        flight: [
          { seq: 5, n: 2, at: START, phone: null },
          { seq: 7, n: 1, at: START + MINUTE, phone: '4915112345602' },
        ],
      });
      log.write(claim(START));
      log.write(newest);
      expect(new DispatchLog(sql).last()).toEqual(newest);
      expect(log.last()).toEqual(newest);
    }));

  it('counts each send once, with the claim that made it', () =>
    inStorage(({ storage: { sql } }) => {
      const log = new DispatchLog(sql);
      const first = { seq: 1, n: 1, at: START, phone: 'a' };
      const second = { seq: 2, n: 1, at: START + 5, phone: 'b' };
      log.write(claim(START, { flight: [first] }));
      log.write(claim(START + 5, { flight: [first, second] }));
      const sends = [
        [START, receiverKey('a')],
        [START + 5, receiverKey('b')],
      ];
      expect(sendsOf(log, 0)).toEqual(sends);
      expect(sendsOf(new DispatchLog(sql), 0)).toEqual(sends);
    }));

  it('gives the sends after a moment, and the newest claim however old', () =>
    inStorage(({ storage: { sql } }) => {
      const log = new DispatchLog(sql);
      for (const minute of [0, 30, 59]) log.write(claim(START + minute * MINUTE));
      const minutesAfter = (since: number) =>
        sendsOf(new DispatchLog(sql), since).map(([at]) => (at - START) / MINUTE);
      expect(minutesAfter(START - 1)).toEqual([0, 30, 59]);
      expect(minutesAfter(START)).toEqual([30, 59]);
      expect(new DispatchLog(sql).last()?.at).toBe(START + 59 * MINUTE);
    }));

  it('writes over rows that are older than an hour, so a quiet account has few', () =>
    inStorage(({ storage: { sql } }) => {
      const log = new DispatchLog(sql);
      for (let minute = 0; minute < 60; minute += 1) log.write(claim(START + minute * MINUTE));
      expect(count(sql)).toBe(60);
      for (let minute = 60; minute < 300; minute += 1) {
        log.write(claim(START + minute * MINUTE));
        expect(count(sql)).toBe(60);
        const restarted = new DispatchLog(sql);
        expect(restarted.last()?.at).toBe(START + minute * MINUTE);
        expect(sendsOf(restarted, START + (minute - 60) * MINUTE).map(([at]) => at)).toEqual(
          Array.from({ length: 60 }, (_, back) => START + (minute - 59 + back) * MINUTE),
        );
      }
    }));

  it('goes on writing over old rows after a restart', () =>
    inStorage(({ storage: { sql } }) => {
      for (let hour = 0; hour < 5; hour += 1) new DispatchLog(sql).write(claim(START + hour * HOUR));
      expect(count(sql)).toBe(1);
      expect(new DispatchLog(sql).last()?.at).toBe(START + 4 * HOUR);
    }));

  it('has a thousand rows however busy an hour is, and gives all of its sends after a restart', () =>
    inStorage(({ storage: { sql } }) => {
      const written: [number, number][] = [];
      let log = new DispatchLog(sql);
      for (let n = 0; n < 5_300; n += 1) {
        if (n % 777 === 0) log = new DispatchLog(sql);
        const phone = String(4_915_112_000_000 + n);
        log.write(claim(START + n, { flight: [{ seq: n, n: 1, at: START + n, phone }] }));
        written.push([START + n, receiverKey(phone)]);
      }
      expect(count(sql)).toBeLessThanOrEqual(1_001);
      expect(sendsOf(log, 0)).toEqual(written);
      expect(sendsOf(new DispatchLog(sql), 0)).toEqual(written);
      expect(new DispatchLog(sql).countSends()).toBe(5_300);
    }));

  it('costs one row a claim, also when it writes over an old one', () =>
    inStorage(({ storage: { sql } }) => {
      const rows = countRows(sql);
      const log = new DispatchLog(sql);
      const costOf = (at: number): number => {
        rows.reset();
        log.write(claim(at));
        return rows.written();
      };
      expect(costOf(START)).toBe(1);
      expect(costOf(START + 1)).toBe(1);
      expect(costOf(START + 2 * HOUR)).toBe(1);
      expect(costOf(START + 4 * HOUR)).toBe(1);
    }));

  it('writes over no row after a rollback: what newer code wrote there would count for the new claim', () =>
    inStorage(({ storage: { sql } }) => {
      new DispatchLog(sql).write(claim(START));
      sql.exec("ALTER TABLE dispatch_log ADD COLUMN added TEXT NOT NULL DEFAULT 'default'");
      sql.exec("UPDATE dispatch_log SET added = 'of the first claim'");
      sql.exec('UPDATE store_version SET version = version + 1');
      const log = new DispatchLog(sql);
      for (const hours of [2, 4, 6]) log.write(claim(START + hours * HOUR));
      expect(sql.exec('SELECT added, at FROM dispatch_log').toArray()).toEqual([
        { added: 'default', at: START + 6 * HOUR },
      ]);
      expect(new DispatchLog(sql).last()?.at).toBe(START + 6 * HOUR);
    }));

  it('is read from its new end: the old rows of a busy hour cost nothing', () =>
    inStorage(({ storage: { sql } }) => {
      const log = new DispatchLog(sql);
      for (let n = 0; n < 1_000; n += 1) log.write(claim(START + n), counters('[]'));
      log.write(claim(START + 3 * HOUR), counters('[]'));
      const rows = countRows(sql);
      expect(sendsOf(new DispatchLog(sql), START + 2 * HOUR)).toHaveLength(1);
      expect(rows.read()).toBeLessThan(16);
    }));
});

const carriedBy = (sql: SqlStorage) => new DispatchLog(sql).carried();

describe('the counters in the log', () => {
  const bare = { cursor: 0, tokens: 5, newest: 9, flight: [] };

  it('are none before the first', () =>
    inStorage(({ storage: { sql } }) => {
      expect(carriedBy(sql)).toEqual({ counters: null, claimed: [] });
      new DispatchLog(sql).write(claim(START));
      expect(carriedBy(sql)).toEqual({ counters: null, claimed: [] });
    }));

  it('go with a claim when they are due, or were not written for five seconds or 512 claims', () =>
    inStorage(({ storage: { sql } }) => {
      const log = new DispatchLog(sql);
      const written = (at: number, isDue = false): boolean => {
        let isWritten = false;
        log.write(claim(at), { text: () => String((isWritten = true)), isDue });
        return isWritten;
      };
      expect(written(START)).toBe(true);
      expect(written(START + 4_999)).toBe(false);
      expect(written(START + 5_000)).toBe(true);
      expect(written(START + 5_001, true)).toBe(true);
      expect(written(START + 5_000)).toBe(true);
      for (let claims = 1; claims < 512; claims += 1) expect(written(START + 5_001)).toBe(false);
      expect(written(START + 5_001)).toBe(true);
    }));

  it('go with each row that is written after claims in rows of messages: it stands for many', () =>
    inStorage(({ storage: { sql } }) => {
      const log = new DispatchLog(sql);
      log.write(claim(START), counters('first'));
      const entry = { seq: 8, n: 1, at: START + 1, phone: 'b' };
      log.tail.add([entry], { at: START + 1, cursor: 1, tokens: 3, newest: 8 });
      expect(log.carried()).toEqual({ counters: 'first', claimed: [entry] });
      log.write(claim(START + 2), counters('second'));
      expect(carriedBy(sql)).toEqual({ counters: 'second', claimed: [] });
      expect(sendsOf(new DispatchLog(sql), START)).toEqual([
        [START + 1, receiverKey('b')],
        [START + 2, receiverKey('4915112345601')],
      ]);
    }));

  it('are read back with all that was in flight in the claims after them', () =>
    inStorage(({ storage: { sql } }) => {
      const log = new DispatchLog(sql);
      const second = { seq: 2, n: 1, at: START + 1, phone: null };
      log.write(claim(START), counters('first'));
      log.write(claim(START + 1, { flight: [second] }), counters('not yet'));
      expect(log.carried()).toEqual({ counters: 'first', claimed: [second] });
      expect(carriedBy(sql)).toEqual({ counters: 'first', claimed: [second] });
    }));

  it('cost one row without a claim, in the newest one’s, which stays as it was', () =>
    inStorage(({ storage: { sql } }) => {
      const log = new DispatchLog(sql);
      log.write(claim(START), counters('first'));
      log.write(claim(START + 1), counters('not yet'));
      const before = [log.last(), sendsOf(log, 0)];
      const rows = countRows(sql);
      log.carry('second', { at: START + 2, ...bare });
      expect(rows.written()).toBe(1);
      expect(carriedBy(sql)).toEqual({ counters: 'second', claimed: [] });
      expect([log.last(), sendsOf(new DispatchLog(sql), 0)]).toEqual(before);
    }));

  it('of an outbox that has sent nothing yet make the first row, in which nothing is in flight', () =>
    inStorage(({ storage: { sql } }) => {
      const log = new DispatchLog(sql);
      log.carry('first', { at: START, ...bare });
      expect(carriedBy(sql).counters).toBe('first');
      expect(log.last()).toEqual({ at: START, ...bare });
      expect(sendsOf(log, 0)).toEqual([]);
      log.write(claim(START + 1));
      expect(count(sql)).toBe(2);
    }));

  it('outlive the row that has them', () =>
    inStorage(({ storage: { sql } }) => {
      const log = new DispatchLog(sql);
      log.write(claim(START), counters('first'));
      log.carry('second', { at: START + HOUR - 1, ...bare });
      // An hour old by now, and so the one that is written over.
      log.write(claim(START + HOUR), counters('third'));
      expect(count(sql)).toBe(1);
      expect(carriedBy(sql).counters).toBe('third');
    }));
});
