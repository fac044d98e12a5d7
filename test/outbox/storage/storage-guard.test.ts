import { describe, expect, it } from 'vitest';
import {
  maxStorageBytes,
  StorageGuard,
  storageLevel,
  type StorageChange,
} from '../../../src/outbox/storage/storage-guard.ts';
import { diskOf } from '../full-disk.ts';
import { inStorage } from '../in-storage.ts';

const MIB = 1_048_576;

const level = (bytes: number) => storageLevel(bytes, 1_000, false);

describe('how full an outbox is', () => {
  it('is low from 80 % on and full from 95 % on', () => {
    expect([799, 800, 949, 950].map((bytes) => level(bytes).state)).toEqual(['ok', 'low', 'low', 'full']);
  });

  it('stays low until it is well below, so that it does not flap', () => {
    expect([799, 750, 749].map((bytes) => storageLevel(bytes, 1_000, true).state)).toEqual([
      'low',
      'low',
      'ok',
    ]);
  });

  it.each([
    [undefined, 9_536],
    ['4768', 4_768],
    ['0', 9_536],
    ['-1', 9_536],
    ['much', 9_536],
    ['1e9', 9_536],
  ])('goes by OUTBOX_MAX_MIB %s as %i MiB', (given, mib) => {
    expect(maxStorageBytes(given)).toBe(mib * MIB);
  });
});

/** Returns the change that the owner is to be notified of at this size; null if there is none. */
function noted(guard: StorageGuard, bytes: number): StorageChange | null {
  let change: StorageChange | null = null;
  guard.note(level(bytes), (one) => {
    change = one;
  });
  return change;
}

const refuse = (): void => {
  throw new Error('it cannot be queued');
};

describe('what the owner is notified of', () => {
  it('is each worsening once, and the end of what was full; then anew', () =>
    inStorage(({ storage: { sql } }) => {
      const guard = new StorageGuard(sql, 1_000);
      const reported = [700, 810, 790, 960, 900, 960, 700, 810, 700, 960].map((bytes) => noted(guard, bytes));
      const back = [null, 'storage.low', null, 'storage.full', null, null, 'storage.back'];
      expect(reported).toEqual([...back, 'storage.low', null, 'storage.full']);
    }));

  it('is not reported again by a restart', () =>
    inStorage(({ storage: { sql } }) => {
      expect(noted(new StorageGuard(sql, 1_000), 960)).toBe('storage.full');
      expect(noted(new StorageGuard(sql, 1_000), 960)).toBeNull();
      expect(noted(new StorageGuard(sql, 1_000), 100)).toBe('storage.back');
      expect(noted(new StorageGuard(sql, 1_000), 100)).toBeNull();
    }));

  it('is reported by the next look when it could not be written', () =>
    inStorage(({ storage: { sql } }) => {
      const guard = new StorageGuard(sql, 1_000);
      diskOf(sql, (query) => query.includes('INTO meta')).fails = 1;
      expect(() => noted(guard, 960)).toThrow('SQLITE_FULL');
      expect(noted(guard, 960)).toBe('storage.full');
      expect(() => guard.note(level(100), refuse)).toThrow('it cannot be queued');
      expect(noted(guard, 100)).toBe('storage.back');
    }));
});

describe('the size that the platform gives', () => {
  it('is smaller after rows were deleted, so that what was freed counts as free', () =>
    inStorage(({ storage: { sql } }) => {
      const guard = new StorageGuard(sql, 10 * MIB);
      const empty = guard.level().bytes;
      for (let n = 0; n < 50; n += 1)
        sql.exec('INSERT INTO meta (key, value) VALUES (?, ?)', `filler ${n}`, 'x'.repeat(50_000));
      const filled = guard.level().bytes;
      expect(filled - empty).toBeGreaterThan(50 * 50_000);
      sql.exec("DELETE FROM meta WHERE key LIKE 'filler%'");
      expect(guard.level().bytes - empty).toBeLessThan((filled - empty) / 10);
    }));
});
