import { describe, expect, it } from 'vitest';
import { NO_CALL } from '../../src/gateway/client.ts';
import { Checkpoint } from '../../src/outbox/send/checkpoint.ts';
import { parseAttempts } from '../../src/outbox/state/message.ts';
import { Bench } from './bench.ts';
import { diskOf, isClaim, isRecord } from './full-disk.ts';
import { draft, HOUR, inStorage, MINUTE, rowOf, SECOND, START } from './support.ts';

const outcomesOf = (sql: SqlStorage, seq: number) =>
  parseAttempts(rowOf(sql, seq).attempts).map(({ n, outcome }) => [n, outcome]);
const attemptsCounted = (bench: Bench) => {
  const { totals } = bench.claims.counters;
  return JSON.stringify(totals);
};

describe('a record that cannot be written', () => {
  it('is written by the next commit: what was sent is not sent again, and the run says what was wrong', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      const disk = diskOf(sql, isRecord);
      await bench.accept(draft({ phone: 'a' }));
      await bench.pass(2 * SECOND);
      disk.fails = 1;
      await bench.answer(1, 'sent');
      expect(bench.thrown).toMatchObject({ cause: new Error('database or disk is full: SQLITE_FULL') });
      await bench.passToNextRun();
      expect(rowOf(sql, 1)).toMatchObject({ state: 'sent', sent_at: START + 2 * SECOND });
      expect(outcomesOf(sql, 1)).toEqual([[1, 'sent']]);
      await bench.pass(24 * HOUR);
      expect(bench.made).toHaveLength(1);
      expect(bench.recorded).toHaveLength(1);
    }));

  it('is written with what its receiver knows by it, or neither is', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(draft({ phone: 'a' }));
      const known: string[] = [];
      bench.onWritten = ({ seq }) => {
        known.push(rowOf(sql, seq).state);
        if (known.length === 1) throw new Error('database or disk is full: SQLITE_FULL');
      };
      await bench.answer(1, 'sent');
      await bench.passToNextRun();
      // One attempt: the first record was taken back.
      expect(outcomesOf(sql, 1)).toEqual([[1, 'sent']]);
      expect(known).toEqual(['sent', 'sent']);
    }));

  it('is tried in each later commit, and keeps no other receiver waiting', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      const disk = diskOf(sql, isRecord);
      await bench.accept(draft({ phone: 'a' }));
      disk.fails = Infinity;
      await bench.answer(1, 'sent');
      for (let commit = 0; commit < 5; commit += 1) {
        expect(bench.timing.nextRunAt(bench.policy)).toBe(bench.now);
        await bench.pass(30 * SECOND);
      }
      expect(disk.tries).toBeGreaterThan(5);
      expect(bench.claims.flight.has(1)).toBe(true);
      expect(bench.claims.flight.seqs()).toEqual([1]);
      await bench.accept(draft({ phone: 'a' }), draft({ phone: 'b' }));
      await bench.wake();
      expect(bench.open.map(({ seq }) => seq)).toEqual([3]);
      disk.fails = 0;
      await bench.answer(3, 'sent');
      await bench.wake();
      await bench.answer(2, 'sent');
      expect([1, 2, 3].map((seq) => rowOf(sql, seq).state)).toEqual(['sent', 'sent', 'sent']);
      expect(rowOf(sql, 1).sent_at).toBe(START);
      expect(bench.claims.flight.seqs()).toEqual([]);
      expect(bench.timing.nextRunAt(bench.policy)).toBeNull();
      expect(bench.made).toHaveLength(3);
    }));

  it.each([
    ['retrying', 'server_error'],
    ['dead', 'rejected'],
  ] as const)('of a call after which the message is %s is tried again as well', (state, outcome) =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      const disk = diskOf(sql, isRecord);
      await bench.accept(draft({ phone: 'a' }), draft({ phone: 'a' }));
      disk.fails = 3;
      await bench.answer(1, outcome);
      // Its receiver waits: as far as the disk says, the outcome of the message is unknown.
      for (let commit = 0; commit < 2; commit += 1) {
        expect(bench.made).toHaveLength(1);
        await bench.wake();
      }
      await bench.wake();
      expect(rowOf(sql, 1)).toMatchObject({ state, tries: 1 });
      expect(outcomesOf(sql, 1)).toEqual([[1, outcome]]);
      expect(bench.recorded).toHaveLength(1);
      expect(bench.open.map(({ seq }) => seq)).toEqual([2]);
    }),
  );

  it('is counted once, when it is written', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(draft({ phone: 'a' }));
      const disk = diskOf(sql, isRecord);
      const before = attemptsCounted(bench);
      disk.fails = 2;
      await bench.answer(1, 'sent');
      expect(attemptsCounted(bench)).toBe(before);
      bench.claims.counters.keepNow();
      await bench.wake();
      await bench.wake();
      expect(attemptsCounted(bench)).not.toBe(before);
      bench.restart();
    }));

  it('makes its call interrupted for another instance alone, which has no answer', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(draft({ phone: 'a' }), draft({ phone: 'b' }));
      const disk = diskOf(sql, isRecord);
      disk.fails = Infinity;
      await bench.answer(1, 'sent');
      await bench.answer(2, 'server_error');
      // A claim meanwhile says that both are in flight.
      await bench.accept(draft({ phone: 'c' }));
      await bench.wake();
      expect(new Checkpoint(storage).last?.flight.map(({ seq }) => seq)).toEqual([1, 2, 3]);
      disk.fails = 0;
      bench.restart();
      expect(bench.claims.flight.seqs()).toEqual([1, 2, 3]);
      await bench.wake();
      expect([1, 2, 3].map((seq) => outcomesOf(sql, seq))).toEqual([
        [[1, 'uncertain']],
        [[1, 'uncertain']],
        [[1, 'uncertain']],
      ]);
    }));

  it('stays without a claim that was to be written with it: its messages are claimed later', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { rate: { perMinute: 60, burst: 2 } });
      bench.random = 0;
      await bench.accept(...['a', 'b', 'c'].map((phone) => draft({ phone })));
      const disk = diskOf(sql, isRecord);
      disk.fails = 2;
      await bench.pass(1_500);
      await bench.answer(1, 'sent');
      await bench.passToNextRun();
      await bench.pass(2_000);
      expect(bench.made.map(({ seq }) => seq)).toEqual([1, 2, 3]);
      await bench.answer(2, 'sent');
      await bench.answer(3, 'sent');
      await bench.wake();
      expect([1, 2, 3].map((seq) => outcomesOf(sql, seq))).toEqual([
        [[1, 'sent']],
        [[1, 'sent']],
        [[1, 'sent']],
      ]);
    }));
});

describe('a claim that cannot be written', () => {
  it('leaves what was made ready for it as before, and the next one makes the calls', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      diskOf(sql, isClaim).fails = 1;
      await bench.accept(draft({ phone: 'a', says: {} }), draft({ phone: 'b', says: {} }));
      expect(bench.putBack).toEqual([1, 2]);
      expect(bench.made.map(({ seq }) => seq)).toEqual([1, 2]);
    }));
});

describe('a call that the platform refused', () => {
  it('waits as before, and the checkpoint says so in a later commit when that cannot be written', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(draft({ phone: 'a' }), draft({ phone: 'b' }));
      const disk = diskOf(sql, isClaim);
      disk.fails = 2;
      await bench.call(1).answer(NO_CALL);
      expect(bench.putBack).toEqual([1]);
      const inFlight = (): readonly number[] =>
        (new Checkpoint(storage).last?.flight ?? []).map(({ seq }) => seq);
      expect([bench.claims.flight.has(1), inFlight()]).toEqual([false, [1, 2]]);
      await bench.answer(2, 'sent');
      expect([rowOf(sql, 2).state, inFlight()]).toEqual(['sent', []]);
      await bench.pass(MINUTE);
      await bench.pass(MINUTE);
      expect(bench.made.map(({ seq }) => seq)).toEqual([1, 2, 1]);
      await bench.answer(1, 'sent');
      expect(outcomesOf(sql, 1)).toEqual([[1, 'sent']]);
    }));
});
