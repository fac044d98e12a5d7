import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Disk } from './disk.ts';
import { passSteps, RUNS, START } from './harness.ts';
import { SeededRandom } from './random.ts';
import { Scheduler } from './scheduler.ts';
import type { SqlHost } from './sql.ts';

const SQL: SqlHost = {
  beforeStatement: () => undefined,
  mayWrite: () => true,
  rows: (_text, _values, rows) => rows,
};

/** A disk with a table, and what happened to it. */
function startDisk({ seed = 1, flushMs = () => 5 }: { seed?: number; flushMs?: () => number } = {}) {
  const random = new SeededRandom(`seed ${seed}`);
  const scheduler = new Scheduler(START, random.fork('order'));
  const flushes: number[] = [];
  const alarms: (number | null)[] = [];
  const disk: Disk = new Disk({
    scheduler,
    random: random.fork('disk'),
    flushMs,
    isAtomic: () => true,
    atFlush: (moment) => void (moment === 'before' && flushes.push(scheduler.now - START)),
    alarmChanged: () => alarms.push(disk.alarm),
  });
  disk.statements.exec(SQL, 'CREATE TABLE rows (number INTEGER)', []);
  const released: number[] = [];
  return {
    disk,
    flushes,
    released,
    alarms,
    rows: () =>
      disk.statements
        .exec(SQL, 'SELECT number FROM rows', [])
        .toArray()
        .map((row) => row['number']),
    write: (number: number): void => {
      disk.open();
      disk.statements.exec(SQL, 'INSERT INTO rows VALUES (?)', [number]);
    },
    /** Runs `work` as a step of its own, N ms after the start. */
    at: (ms: number, work: () => void) => void scheduler.at(START + ms, work),
    release: (number: number) => disk.whenFlushed(() => released.push(number)),
    pass: (ms: number) => passSteps(scheduler, START + ms),
  };
}

/** Writes, and says so when it is on disk, in a step of its own. */
const writeAt = ({ at, write, release }: ReturnType<typeof startDisk>, ms: number, number: number): void =>
  at(ms, () => {
    write(number);
    release(number);
  });

test('a write is seen at once, is on disk after a flush, and releases what comes then at once', async () => {
  const one = startDisk();
  const { disk, released, pass } = one;
  writeAt(one, 0, 1);
  one.at(0.5, () => expect(one.rows()).toEqual([1]));
  one.at(9, () => one.release(2));
  await pass(4);
  expect([disk.hasUnflushed, released]).toEqual([true, []]);
  await pass(5);
  expect([disk.hasUnflushed, released]).toEqual([false, [1]]);
  await pass(9);
  expect(released).toEqual([1, 2]);
});

test('a write shares the flush of what else is written before the next await', async () => {
  const { at, write, pass, flushes } = startDisk();
  at(0, () => {
    write(1);
    void Promise.resolve().then(() => write(2));
  });
  at(1, () => write(3));
  await pass(20);
  expect(flushes).toEqual([5, 6]);
});

test('flushes are in the order of the writes, however long each takes', async () => {
  const TAKES = fc.array(fc.nat(20), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(TAKES, fc.nat(), async (takes, seed) => {
      const left = [...takes];
      const one = startDisk({ seed, flushMs: () => left.shift() ?? 0 });
      for (const index of takes.keys()) writeAt(one, index, index);
      await one.pass(1_000);
      expect(one.released).toEqual([...takes.keys()]);
    }),
    RUNS,
  );
});

test('flushes of one moment: what waits for a write is released when the flush of a later one is first', async () => {
  const orders = new Set<number>();
  for (let seed = 0; seed < 20; seed += 1) {
    const takes = [5, 1];
    const one = startDisk({ seed, flushMs: () => takes.shift() ?? 0 });
    for (const number of [0, 1]) writeAt(one, number, number);
    await one.pass(5);
    expect(one.released).toEqual([0, 1]);
    orders.add(one.flushes.length);
  }
  // Once both by the later one, once each by its own.
  expect(orders).toEqual(new Set([1, 2]));
});

const WRITES = fc.array(fc.record({ rows: fc.integer({ min: 1, max: 3 }), takes: fc.nat(12) }), {
  minLength: 1,
  maxLength: 10,
});

test('a crash keeps any first part of what was not confirmed, whole steps, with the alarm that was set then', async () => {
  const kept = new Set<number>();
  await fc.assert(
    fc.asyncProperty(WRITES, fc.integer({ min: 0, max: 24 }), fc.nat(), async (writes, crashAt, seed) => {
      const left = writes.map(({ takes }) => takes);
      const { at, write, release, released, rows, disk, pass, alarms } = startDisk({
        seed,
        flushMs: () => left.shift() ?? 0,
      });
      for (const [index, { rows }] of writes.entries())
        at(2 * index, () => {
          for (let row = 0; row < rows; row += 1) write(index);
          disk.alarm = START + index;
          release(index);
        });
      await pass(crashAt);
      const before = released.length;
      disk.crash();
      const steps = new Set(rows()).size;
      expect(rows()).toEqual(
        writes.flatMap(({ rows }, index) => (index < steps ? Array.from({ length: rows }, () => index) : [])),
      );
      expect(steps).toBeGreaterThanOrEqual(before);
      expect(disk.alarm).toBe(steps === 0 ? null : START + steps - 1);
      expect(alarms).toEqual([disk.alarm]);
      kept.add(steps - before);
    }),
    RUNS,
  );
  expect(kept).toEqual(new Set([0, 1, 2, 3]));
});

test('a crash releases nothing that waited, and what is written later is flushed as ever', async () => {
  const one = startDisk();
  writeAt(one, 0, 1);
  one.at(2, () => one.disk.crash());
  writeAt(one, 3, 2);
  await one.pass(20);
  expect([one.released, one.disk.hasUnflushed]).toEqual([[2], false]);
});

test('a transaction that throws leaves rows and alarm as they were, and the rest of its step, or of the one around it', async () => {
  const { at, write, rows, disk, pass, alarms } = startDisk();
  const fails = (): void =>
    disk.transactionSync(() => {
      write(2);
      disk.alarm = START + 200;
      throw new Error('no');
    });
  const work = (): void => {
    write(1);
    disk.alarm = START + 100;
    expect(fails).toThrow('no');
    write(3);
  };
  at(0, work);
  at(9, () => disk.transactionSync(work));
  await pass(20);
  expect([rows(), disk.alarm]).toEqual([[1, 3, 1, 3], START + 100]);
  // The platform's clock was armed for the other one.
  expect(alarms).toEqual([START + 100, START + 100]);
});
