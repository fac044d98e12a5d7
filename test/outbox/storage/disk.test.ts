import { expect, vi } from 'vitest';
import { Disk, maxStorageBytes, type StorageChange } from '../../../src/outbox/storage/disk.ts';
import { readFact } from '../../../src/outbox/state/meta.ts';
import { diskOf } from '../full-disk.ts';
import { it, openOutbox } from '../it.ts';
import { acceptanceTo, draft } from '../support.ts';

const MIB = 1_048_576;

/** Has the outbox use this many bytes. */
const fill = (sql: SqlStorage, bytes: number) => vi.spyOn(sql, 'databaseSize', 'get').mockReturnValue(bytes);

/** Returns the change that the owner is to be notified of at this size; null if there is none. */
function noted(disk: Disk, sql: SqlStorage, bytes: number): StorageChange | null {
  let change: StorageChange | null = null;
  fill(sql, bytes);
  disk.measure();
  disk.note((one) => {
    change = one;
  });
  return change;
}

it('an outbox is low from 80 % on, until it is well below, and full from 95 % on', ({ sql }) => {
  const disk = new Disk(sql, 1_000);
  const states = [799, 800, 799, 949, 950, 949, 750, 749, 799].map((bytes) => {
    noted(disk, sql, bytes);
    return disk.level.state;
  });
  expect(states).toEqual(['ok', 'low', 'low', 'low', 'full', 'low', 'low', 'ok', 'ok']);
});

it('on a full disk, what is urgent about what was accepted is queued until 98 %, and all else waits', ({
  sql,
}) => {
  const disk = new Disk(sql, 1_000);
  const room = [949, 950, 979, 980].map((bytes) => {
    noted(disk, sql, bytes);
    return [disk.hasRoom(false), disk.hasRoom(true)];
  });
  expect(room).toEqual([
    [true, true],
    [false, true],
    [false, true],
    [false, false],
  ]);
});

it('OUTBOX_MAX_MIB sets the size if it is a number, and 9536 MiB is the size otherwise', () => {
  const given = ['4768', undefined, '0', '-1', 'much', '1e9'];
  expect(given.map((text) => maxStorageBytes(text) / MIB)).toEqual([
    4_768, 9_536, 9_536, 9_536, 9_536, 9_536,
  ]);
});

it('the owner is notified of each worsening once, and of its end, over restarts', ({ sql }) => {
  const disk = new Disk(sql, 1_000);
  const reported = [700, 810, 790, 960, 900, 960, 700, 810, 700, 960].map((bytes) => noted(disk, sql, bytes));
  const back = [null, 'storage.low', null, 'storage.full', null, null, 'storage.back'];
  expect(reported).toEqual([...back, 'storage.low', null, 'storage.full']);
  const restarted = [960, 100, 100].map((bytes) => noted(new Disk(sql, 1_000), sql, bytes));
  expect(restarted).toEqual([null, 'storage.back', null]);
});

const refuse = (): void => {
  throw new Error('it cannot be queued');
};

it('a change that could not be written or queued is reported by the next look', ({ sql }) => {
  const disk = new Disk(sql, 1_000);
  diskOf(sql, (query) => query.includes('INTO meta')).fails = 1;
  expect(() => noted(disk, sql, 960)).toThrow('SQLITE_FULL');
  expect(noted(disk, sql, 960)).toBe('storage.full');
  fill(sql, 100);
  disk.measure();
  expect(() => disk.note(refuse)).toThrow('it cannot be queued');
  expect(noted(disk, sql, 100)).toBe('storage.back');
});

it('what was freed by deleting rows counts as free', ({ sql }) => {
  const size = () => new Disk(sql, 10 * MIB).level.bytes;
  const empty = size();
  for (let n = 0; n < 50; n += 1)
    sql.exec('INSERT INTO meta (key, value) VALUES (?, ?)', `filler ${n}`, 'x'.repeat(50_000));
  const filled = size();
  expect(filled - empty).toBeGreaterThan(50 * 50_000);
  sql.exec("DELETE FROM meta WHERE key LIKE 'filler%'");
  expect(size() - empty).toBeLessThan((filled - empty) / 10);
});

it.for(['INTO meta', 'INTO notices'])(
  'an outbox that cannot write that it fills up (%s) answers all the same, and says it with the next event',
  async (write, { storage, sql }) => {
    const outbox = openOutbox(storage, { OUTBOX_MAX_MIB: '4' });
    const payload = JSON.stringify('x'.repeat(500_000));
    const large = () => acceptanceTo([], { state: 'unmatched', payload });
    for (let n = 0; n < 6; n += 1) await outbox.accept(large());
    let notices = 0;
    const disk = diskOf(sql, (query) => {
      if (query.includes('INTO notices')) notices += 1;
      return query.includes(write);
    });
    disk.fails = 1;
    expect(await outbox.accept(large())).toMatchObject({ duplicate: false });
    expect([disk.fails, readFact(sql, 'storage')]).toEqual([0, null]);
    notices = 0;
    await outbox.accept(acceptanceTo([]));
    await outbox.accept(acceptanceTo([]));
    expect(notices).toBe(1);
  },
);

it('an outbox that is nearly full takes nothing more of sources that cannot prove their sender', async ({
  storage,
  sql,
}) => {
  fill(sql, 0.91 * MIB);
  const outbox = openOutbox(storage, { OUTBOX_MAX_MIB: '1' });
  const sendAs = (isOpen: boolean) => outbox.accept(acceptanceTo(['a'], { isOpen }));
  expect([(await sendAs(true)).refused?.by, (await sendAs(false)).refused]).toEqual(['storage', undefined]);
});

it('a full outbox queues by hand only what is urgent', async ({ storage, sql }) => {
  fill(sql, 0.96 * MIB);
  const outbox = openOutbox(storage, { OUTBOX_MAX_MIB: '1' });
  const isQueued = async (priority: 'normal' | 'high') =>
    (await outbox.send(draft({ priority }), 1)) !== null;
  expect([await isQueued('normal'), await isQueued('high')]).toEqual([false, true]);
});
