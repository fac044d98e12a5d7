import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { Rejections } from '../../src/registry/rejections.ts';
import type { RejectionEntry } from '../../src/registry/api-rejection.ts';
import { countRows } from '../outbox/support.ts';

const entry = (over: Partial<RejectionEntry> = {}): RejectionEntry => ({
  at: new Date().toISOString(),
  source: 'shop',
  status: 401,
  reason: 'mismatch',
  detail: 'no signature matches',
  ...over,
});

/** A time, in seconds. */
const at = (second: number): string => new Date(second * 1_000).toISOString();

/** Runs `body` on a registry's own storage. */
const inRegistry = (body: (sql: SqlStorage) => void): Promise<void> =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), (_, { storage: { sql } }) => {
    body(sql);
  });

describe('recorded rejections', () => {
  it('are counted by source and reason, also when they are not listed any more', () =>
    inRegistry((sql) => {
      const rejections = new Rejections(sql);
      for (let n = 0; n < 300; n += 1) rejections.record(entry({ reason: `r${n}` }));
      rejections.record(entry({ source: 'form' }));
      expect(rejections.list(999, null)).toHaveLength(200);
      expect(rejections.totals).toMatchObject({
        'rejection shop r0': 1,
        'rejection shop r299': 1,
        'rejection form mismatch': 1,
      });
    }));

  it('are still known after a restart', () =>
    inRegistry((sql) => {
      for (let n = 0; n < 205; n += 1) new Rejections(sql).record(entry());
      expect(new Rejections(sql).totals).toEqual({ 'rejection shop mismatch': 205 });
    }));

  it('cost one row each', () =>
    inRegistry((sql) => {
      const rejections = new Rejections(sql);
      const rows = countRows(sql);
      for (let n = 0; n < 10; n += 1) rejections.record(entry());
      expect(rows.written()).toBe(10);
    }));

  it('for the same reason are one row of the list, which says how many and since when', () =>
    inRegistry((sql) => {
      const rejections = new Rejections(sql);
      for (let n = 0; n < 6; n += 1) rejections.record(entry({ source: 'other', at: at(1_000 + n) }));
      for (let n = 0; n < 24; n += 1)
        rejections.record(entry({ at: at(1_010 + n), detail: `${n} s old`, from: `192.0.2.${n}` }));
      expect(rejections.list(999, null).map((one) => one.entry)).toMatchObject([
        {
          source: 'shop',
          times: 24,
          first_at: at(1_010),
          at: at(1_033),
          detail: '23 s old',
          from: '192.0.2.23',
        },
        { source: 'other', times: 6 },
      ]);
      // An old row goes on, and the sums stay right.
      expect(rejections.record(entry({ source: 'other', at: at(1_040) }))).toBe(31);
      expect(rejections.list(1, null).map((one) => one.entry.source)).toEqual(['other']);
      expect(new Rejections(sql).totals).toEqual({
        'rejection other mismatch': 7,
        'rejection shop mismatch': 24,
      });
    }));

  it('for another status, and after an hour, are a row of their own', () =>
    inRegistry((sql) => {
      const rejections = new Rejections(sql);
      rejections.record(entry({ at: at(0) }));
      rejections.record(entry({ at: at(3_599) }));
      rejections.record(entry({ at: at(3_599), status: 400 }));
      rejections.record(entry({ at: at(3_600) }));
      expect(rejections.list(999, null).map((one) => one.entry.times ?? 1)).toEqual([1, 1, 2]);
    }));

  it('of very many sources are counted together from some point on', () =>
    inRegistry((sql) => {
      const rejections = new Rejections(sql);
      for (let n = 0; n < 1_010; n += 1) rejections.record(entry({ source: `source-${n}` }));
      rejections.record(entry({ source: 'source-0' }));
      expect(rejections.totals).toMatchObject({
        'rejection _other _other': 10,
        'rejection source-0 mismatch': 2,
      });
    }));
});

const limited = (seconds: number, times: number, over: Partial<RejectionEntry> = {}) => ({
  ...entry({ status: 429, reason: 'limited', at: new Date(seconds * 1_000).toISOString(), ...over }),
  times,
});

describe('a flood over a source’s limit', () => {
  it('is one line of the list in an hour, however long it is, and all of it is counted', () =>
    inRegistry((sql) => {
      const rejections = new Rejections(sql);
      rejections.record(entry());
      for (let second = 0; second < 180; second += 2) rejections.recordLimited(limited(1_000 + second, 500));
      const listed = rejections.list(999, null).map((one) => one.entry.reason);
      expect(listed.join(' ')).toBe('limited mismatch');
      expect(rejections.list(1, null)[0]?.entry).toMatchObject({ times: 45_000 });
      expect(new Rejections(sql).totals).toMatchObject({ 'rejection shop limited': 45_000 });
    }));

  it('is listed for each source, and has its number if it was', () =>
    inRegistry((sql) => {
      const rejections = new Rejections(sql);
      expect(rejections.recordLimited(limited(1_000, 1))).toBe(1);
      expect(rejections.recordLimited(limited(1_001, 1, { source: 'form' }))).toBe(2);
      expect(rejections.recordLimited(limited(1_002, 1))).toBeNull();
      // A registry that was thrown out of memory knows it from the list.
      expect(new Rejections(sql).recordLimited(limited(1_003, 1))).toBeNull();
      expect(rejections.recordLimited(limited(4_600, 1))).toBe(5);
    }));

  it('costs one row each time that it is reported', () =>
    inRegistry((sql) => {
      const rejections = new Rejections(sql);
      rejections.recordLimited(limited(1_000, 5));
      const rows = countRows(sql);
      rejections.recordLimited(limited(1_002, 5));
      expect(rows.written()).toBe(1);
    }));
});
