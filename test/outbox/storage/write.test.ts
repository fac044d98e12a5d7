import { expect, it } from 'vitest';
import { statements, write } from '../../../src/outbox/storage/reuse.ts';
import { inStorage } from '../in-storage.ts';

it('a row is added unless one is given that meets the condition to be overwritten', () =>
  inStorage(({ storage: { sql } }) => {
    sql.exec('CREATE TABLE things (name TEXT PRIMARY KEY, size INTEGER, note TEXT) WITHOUT ROWID');
    const ways = ['INSERT', 'ON CONFLICT (name) DO NOTHING', 'IGNORE'] as const;
    const thing = statements(['things', 'name, size, note', "?, ?, 'new'"], 'name = ? AND size < ?', ways);
    expect(write(sql, thing, ['a', 1], undefined)).toBe(true);
    expect(write(sql, thing, ['b', 5], ['a', 1])).toBe(true);
    expect(write(sql, thing, ['c', 1], ['a', 2])).toBe(true);
    expect(write(sql, thing, ['b', 9], ['c', 5])).toBe(false);
    expect(sql.exec('SELECT name, size FROM things ORDER BY name').toArray()).toEqual([
      { name: 'b', size: 5 },
      { name: 'c', size: 1 },
    ]);
  }));
