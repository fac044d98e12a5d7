import { describe, expect, it } from 'vitest';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, route } from './bench.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const phoneOf = (n: number): string => `49151${String(n).padStart(8, '0')}`;
const PHONES = Array.from({ length: 50 }, (_, n) => phoneOf(n));

describe('receivers in memory', () => {
  it('are those of whom something is open: what others were sent is in their rows', () =>
    inStorage(async ({ storage }) => {
      const one = new IncidentsBench(storage, [
        route({ to: '{{ item.phone }}', throttle: { max: 1, per: '1h' } }),
      ]);
      for (const [n, phone] of PHONES.entries()) {
        await one.take(item(`a${n}`, { phones: [phone] }));
        await one.take(item(`a${n}`, { phones: [phone], isResolved: true }));
        await one.pass(1_000);
        expect(one.incidents.open.subscribers.size).toBe(0);
      }
      const before = one.sent.length;
      expect(before).toBe(2 * PHONES.length);
      await one.take(item('b', { phones: PHONES }));
      // The throttle knows them all the same.
      expect(one.sent).toHaveLength(before);
      expect(one.incidents.open.subscribers.size).toBe(PHONES.length);
      await one.pass(HOUR);
      expect(one.sent).toHaveLength(before + PHONES.length);
    }));

  it('are read again as they were after a restart', () =>
    inStorage(async ({ storage }) => {
      const one = new IncidentsBench(storage, [
        route({ to: '{{ item.phone }}', throttle: { max: 1, per: '1h' } }),
      ]);
      await one.take(item('a', { phones: PHONES }));
      await one.take(item('a', { phones: PHONES, isResolved: true }));
      await one.crash();
      expect(one.incidents.open.subscribers.size).toBe(0);
      const before = one.sent.length;
      await one.take(item('b', { phones: PHONES }));
      expect(one.sent).toHaveLength(before);
    }));
});

describe('a start in quiet hours', () => {
  it('reads what closed in them once, and not for each receiver', () =>
    inStorage(async ({ storage }) => {
      const quiet = { from: '11:00', to: '18:00', timezone: 'UTC', do: 'hold' };
      const one = new IncidentsBench(storage, [route({ to: '{{ item.phone }}', quiet })]);
      const { sql } = storage;
      await one.take(item('open', { phones: PHONES }));
      for (const [n, phone] of PHONES.entries())
        for (let nth = 0; nth <= n % 3; nth += 1) {
          await one.take(item(`a${n}-${nth}`, { phones: [phone] }));
          await one.take(item(`a${n}-${nth}`, { phones: [phone], isResolved: true }));
        }
      const exec = sql.exec.bind(sql);
      let reads = 0;
      sql.exec = <Row extends Record<string, SqlStorageValue>>(query: string, ...values: unknown[]) => {
        if (query.includes('closed_at >= ?')) reads += 1;
        return exec<Row>(query, ...values);
      };
      await one.crash();
      expect(reads).toBe(1);
      expect([...one.incidents.open.subscribers.values()].map(({ missed }) => missed.resolved)).toEqual(
        PHONES.map((_, n) => (n % 3) + 1),
      );
      await one.pass(7 * HOUR);
      expect(one.sent).toHaveLength(PHONES.length);
    }));
});
