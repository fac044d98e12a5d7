import { describe, expect, it } from 'vitest';
import { CLOSED } from '../../../src/outbox/state/circuit.ts';
import { Meta } from '../../../src/outbox/state/meta.ts';
import { empty, sameBytes, START } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const otherBytes = (count: number) => new Uint8Array(count).fill(9);
const PAUSE = { at: START, by: 'token', reason: 'a holiday' };

const keys = (sql: SqlStorage) =>
  sql
    .exec<{ key: string }>('SELECT key FROM meta ORDER BY key')
    .toArray()
    .map(({ key }) => key);

describe('what an outbox knows about itself', () => {
  it('has one tag for good, made when the outbox is', () =>
    inStorage(({ storage: { sql } }) => {
      empty(sql);
      const { tag } = new Meta(sql, sameBytes);
      expect(tag).toMatch(/^[0-9a-z]{7}$/);
      expect(new Meta(sql, otherBytes).tag).toBe(tag);
    }));

  it('remembers a pause until it ends', () =>
    inStorage(({ storage: { sql } }) => {
      const meta = new Meta(sql, sameBytes);
      expect(meta.pause).toBeNull();
      meta.pause = PAUSE;
      expect(meta.pause).toEqual(PAUSE);
      expect(new Meta(sql, sameBytes).pause).toEqual(PAUSE);
      meta.pause = null;
      expect(new Meta(sql, sameBytes).pause).toBeNull();
      expect(keys(sql)).toEqual(['tag']);
    }));

  it('remembers that somebody looks until nobody does', () =>
    inStorage(({ storage: { sql } }) => {
      const meta = new Meta(sql, sameBytes);
      expect(meta.isWatched).toBe(false);
      meta.isWatched = true;
      expect(new Meta(sql, sameBytes).isWatched).toBe(true);
      meta.isWatched = false;
      expect(meta.isWatched).toBe(false);
      expect(new Meta(sql, sameBytes).isWatched).toBe(false);
      expect(keys(sql)).not.toContain('watched');
    }));

  it('remembers an open circuit until it closes', () =>
    inStorage(({ storage: { sql } }) => {
      const meta = new Meta(sql, sameBytes);
      meta.circuit = { failures: 5, probeAt: START };
      expect(new Meta(sql, sameBytes).circuit).toEqual({ failures: 5, probeAt: START });
      meta.circuit = CLOSED;
      expect(new Meta(sql, sameBytes).circuit).toEqual(CLOSED);
    }));

  it('spends no row on a closed circuit’s count of failures', () =>
    inStorage(({ storage: { sql } }) => {
      const meta = new Meta(sql, sameBytes);
      meta.circuit = { failures: 4, probeAt: null };
      expect(meta.circuit.failures).toBe(4);
      expect(keys(sql)).toEqual(['tag']);
      expect(new Meta(sql, sameBytes).circuit).toEqual(CLOSED);
    }));

  it('says so when a row is not what this code writes', () =>
    inStorage(({ storage: { sql } }) => {
      sql.exec(`INSERT INTO meta (key, value) VALUES ('pause', '{"at":"yesterday"}')`);
      expect(() => new Meta(sql, sameBytes)).toThrow(/expected/i);
    }));
});
