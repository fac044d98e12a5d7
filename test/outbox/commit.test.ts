import { describe, expect, it } from 'vitest';
import { NO_CALL } from '../../src/gateway/client.ts';
import { Checkpoint } from '../../src/outbox/send/checkpoint.ts';
import { parseAttempts } from '../../src/outbox/state/message.ts';
import { Bench, settle } from './bench.ts';
import { diskOf, isClaim, isRecord } from './full-disk.ts';
import { draft, HOUR, MINUTE, rowOf, SECOND, START } from './support.ts';
import { inStorage } from './in-storage.ts';

const outcomesOf = (sql: SqlStorage, seq: number) =>
  parseAttempts(rowOf(sql, seq).attempts).map(({ n, outcome }) => [n, outcome]);
const attemptsCounted = (bench: Bench) => {
  const { totals } = bench.claims.counters;
  return JSON.stringify(totals);
};

describe('a record that cannot be written', () => {
  it('is written by the next commit: what was sent is not sent again, and the fault is reported', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      const disk = diskOf(sql, isRecord);
      await bench.accept(draft({ phone: 'a' }));
      await bench.pass(2 * SECOND);
      disk.fails = 1;
      await bench.answer(1, 'sent');
      expect(bench.faults).toEqual([1]);
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

  it('is tried in each later commit, at the latest after a rest, and keeps no other receiver waiting', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      const disk = diskOf(sql, isRecord);
      await bench.accept(draft({ phone: 'a' }));
      disk.fails = Infinity;
      await bench.answer(1, 'sent');
      for (let commit = 0; commit < 5; commit += 1) {
        expect(bench.timing.nextRunAt(bench.policy)).toBe(bench.now + 30 * SECOND);
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

/** Some messages; the records of the first `broken` cannot be written. */
const unwritable = async (storage: DurableObjectStorage, count = 10, broken = 1) => {
  const bench = new Bench(storage);
  let isBroken = true;
  bench.onWritten = ({ seq }) => {
    if (isBroken && seq <= broken) throw new Error('a constraint');
  };
  await bench.accept(...Array.from({ length: count }, (_, at) => draft({ phone: `p${at}` })));
  await bench.answer(1, 'sent');
  const repair = (): void => {
    isBroken = false;
  };
  return { bench, repair };
};

describe('a record that alone cannot be written', () => {
  it('ends no run: all others are sent at once, and its fault is reported once in a rest', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const { bench, repair } = await unwritable(storage);
      for (let seq = 2; seq <= 10; seq += 1) await bench.answer(seq, 'sent');
      expect(bench.made).toHaveLength(10);
      expect(bench.thrown).toBeNull();
      expect(bench.faults).toEqual([1]);
      // The run is over, and the next one comes when the record is tried again.
      expect(bench.loop.running).toBe(false);
      expect(bench.timing.nextRunAt(bench.policy)).toBe(START + 30 * SECOND);
      await bench.pass(30 * SECOND);
      expect(bench.faults).toEqual([1, 1]);
      repair();
      await bench.pass(30 * SECOND);
      expect(rowOf(sql, 1)).toMatchObject({ state: 'sent', sent_at: START });
      expect(bench.timing.nextRunAt(bench.policy)).toBeNull();
      expect(bench.made).toHaveLength(10);
    }));

  it('keeps its connection: if there is no other, nothing goes until it is tried again', () =>
    inStorage(async ({ storage }) => {
      const { bench, repair } = await unwritable(storage, 7, 6);
      for (let seq = 2; seq <= 6; seq += 1) await bench.answer(seq, 'sent');
      expect([bench.made.length, bench.loop.running]).toEqual([6, false]);
      expect(bench.timing.nextRunAt(bench.policy)).toBe(START + 30 * SECOND);
      repair();
      await bench.pass(30 * SECOND);
      expect(bench.open.map(({ seq }) => seq)).toEqual([7]);
    }));

  it('is left to the alarm by a run that ends shortly before it is tried again', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const { bench, repair } = await unwritable(storage, 1);
      await bench.pass(29_500);
      await bench.accept(draft({ phone: 'x' }));
      await bench.answer(2, 'sent');
      expect([bench.loop.running, bench.timers]).toEqual([false, 0]);
      repair();
      await bench.pass(500);
      expect(rowOf(sql, 1).state).toBe('sent');
    }));

  it('keeps no probe from being made when the circuit is open', () =>
    inStorage(async ({ storage }) => {
      const { bench } = await unwritable(storage, 2);
      bench.meta.circuit = { ...bench.meta.circuit, probeAt: START + SECOND };
      await bench.answer(2, 'server_error');
      await bench.accept(draft({ phone: 'x' }), draft({ phone: 'y' }));
      expect(bench.open).toEqual([]);
      await bench.passToNextRun();
      expect(bench.open.map(({ seq }) => seq)).toEqual([3]);
    }));

  it('of a call that another instance left does not keep it from sending', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const { bench, repair } = await unwritable(storage, 2);
      bench.restart();
      await bench.accept(draft({ phone: 'x' }));
      await bench.wake();
      expect(bench.thrown).toBeNull();
      expect([bench.faults, bench.claims.flight.seqs()]).toEqual([
        [1, 1],
        [3, 1],
      ]);
      expect(rowOf(sql, 2).state).toBe('retrying');
      await bench.answer(3, 'sent');
      repair();
      await bench.pass(30 * SECOND);
      expect(outcomesOf(sql, 1)).toEqual([[1, 'uncertain']]);
    }));
});

const about = (phone: string) => draft({ phone, says: {} });
const madeIn = ({ made }: Bench) => made.map(({ seq }) => seq);

function breakReview(bench: Bench, isFaulty: (seq: number) => boolean): void {
  bench.review = (row) => {
    if (isFaulty(row.seq)) throw new Error('it cannot be rendered');
    return row;
  };
}

describe('a message whose review throws', () => {
  it('is left out: all others go, the run goes on, and it is tried again after a rest', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      breakReview(bench, (seq) => seq === 2);
      await bench.accept(about('a'), about('b'), about('c'), about('b'));
      expect([madeIn(bench), bench.faults, bench.thrown]).toEqual([[1, 3, 4], [2], null]);
      // The first was ready when the second threw: it was as before, and was made ready again.
      expect(bench.putBack).toEqual([1]);
      for (const seq of [1, 3, 4]) await bench.answer(seq, 'sent');
      await bench.accept(about('d'));
      await bench.answer(5, 'sent');
      expect([bench.faults, bench.loop.running]).toEqual([[2], false]);
      breakReview(bench, () => false);
      await bench.passToNextRun();
      expect([bench.now, madeIn(bench)]).toEqual([START + 30 * SECOND, [1, 3, 4, 5, 2]]);
    }));

  it('may be too old to be sent, and keeps no other waiting when that cannot be written', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      bench.meta.pause = { at: START, by: 'token', reason: 'a holiday' };
      await bench.accept(draft({ phone: 'a', expiresMs: SECOND }), draft({ phone: 'b' }));
      diskOf(sql, (query) => query.includes('SET state = ?, next_at = NULL')).fails = 1;
      bench.meta.pause = null;
      await bench.pass(MINUTE);
      await bench.wake();
      expect([madeIn(bench), bench.faults]).toEqual([[2], [1]]);
      await bench.answer(2, 'sent');
      await bench.passToNextRun();
      expect(rowOf(sql, 1).state).toBe('expired');
    }));

  it('is not at fault alone if all throw: the run fails, and comes again later', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      breakReview(bench, () => true);
      await bench.accept(...Array.from({ length: 20 }, (_, at) => about(`p${at}`)));
      expect(bench.thrown).toMatchObject({ message: 'it cannot be rendered' });
      expect(bench.faults.length).toBeLessThan(20);
      expect(bench.made).toEqual([]);
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

  it.each([
    ['cap', { perRecipient: { perHour: 1 } }],
    ['rate', { rate: { perMinute: 1, burst: 1 } }],
  ])('takes nothing from a receiver’s or the account’s %s: only real sends count', (_, limit) =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, limit);
      await bench.accept(draft({ phone: 'a' }));
      await bench.answer(1, 'sent');
      await bench.pass(HOUR);
      const disk = diskOf(sql, isClaim);
      disk.fails = 1;
      await bench.accept(draft({ phone: 'a' }));
      expect([disk.fails, madeIn(bench)]).toEqual([0, [1, 2]]);
      await bench.answer(2, 'sent');
      await bench.accept(draft({ phone: 'a' }));
      expect(madeIn(bench)).toEqual([1, 2]);
      await bench.pass(HOUR);
      expect(madeIn(bench)).toEqual([1, 2, 3]);
    }),
  );
});

describe('the receiver of a call that was interrupted and cannot be recorded', () => {
  const toOne = [draft({ phone: 'a' }), draft({ phone: 'a' }), draft({ phone: 'a' })];

  it('gets no other message until it is recorded, and then one at a time', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(...toOne);
      bench.restart();
      const disk = diskOf(sql, isRecord);
      disk.fails = Infinity;
      await bench.wake();
      expect([bench.faults, madeIn(bench)]).toEqual([[1], [1]]);
      disk.fails = 0;
      await bench.pass(30 * SECOND);
      expect(outcomesOf(sql, 1)).toEqual([[1, 'uncertain']]);
      expect(bench.open.map(({ seq }) => seq)).toEqual([2]);
      await bench.answer(2, 'sent');
      expect(bench.open.map(({ seq }) => seq)).toEqual([3]);
    }));

  it('gets none either when the waiting messages are read again', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(...toOne);
      const disk = diskOf(sql, isRecord);
      disk.fails = Infinity;
      await bench.call(1).fail(new Error('a bug'));
      // A claim that cannot be written has them read again.
      breakReview(bench, (seq) => seq === 4);
      await bench.accept(draft({ phone: 'b', says: {} }));
      expect(bench.faults).toContain(4);
      expect(madeIn(bench)).toEqual([1]);
      disk.fails = 0;
      await bench.pass(30 * SECOND);
      expect(bench.open.filter(({ phone }) => phone === 'a').map(({ seq }) => seq)).toEqual([2]);
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

describe('the end of a commit', () => {
  it('keeps neither senders nor later commits waiting when it throws; the run fails, and comes again', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      bench.onEnd = () => {
        bench.onEnd = () => undefined;
        throw new Error('database or disk is full: SQLITE_FULL');
      };
      const answers: (readonly number[])[] = [];
      void bench.accept(draft({ phone: 'a' })).then((seqs) => answers.push(seqs));
      await bench.accept(draft({ phone: 'b' })).then((seqs) => answers.push(seqs));
      expect(answers).toEqual([[1], [2]]);
      expect(String(bench.thrown)).toContain('SQLITE_FULL');
      await bench.answer(1, 'sent');
      await bench.passToNextRun();
      await bench.answer(2, 'sent');
      expect([1, 2].map((seq) => rowOf(sql, seq).state)).toEqual(['sent', 'sent']);
    }));
});

/** The writes of a commit that show which of its stages makes them. */
const STAGES = [
  ['a call is recorded', isRecord],
  ['an item is accepted', (query: string) => query.includes('INTO messages')],
  ['the checkpoint is written', isClaim],
] as const;

/** Returns what a bench's commits do from now on, in order. */
const stepsOf = (bench: Bench, sql: SqlStorage): readonly string[] => {
  const steps: string[] = [];
  const add = (step: string): void => {
    if (steps.length === 0) queueMicrotask(() => steps.push('something else has a turn'));
    steps.push(step);
  };
  diskOf(sql, (query) => {
    for (const [stage, isMeant] of STAGES) if (isMeant(query)) add(stage);
    return false;
  });
  bench.onNotify = () => add('notifications are queued');
  bench.review = (row) => {
    add(`message ${row.seq} is claimed`);
    return row;
  };
  bench.onCall = (seq) => add(`call ${seq} goes out`);
  bench.onEnd = () => add('the commit ends');
  return steps;
};

describe('the stages of a commit', () => {
  it('record what ended, accept what came, notify, claim and keep the progress, then calls and answers go out', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(about('a'));
      // A commit is on its way to the disk: what ends and comes meanwhile shares the next one.
      const disk = Promise.withResolvers<void>();
      bench.flushed = () => disk.promise;
      const first = bench.accept(about('b'));
      const steps = stepsOf(bench, sql);
      await bench.answer(1, 'sent');
      let isAnswered = false;
      const second = bench.accept(about('a')).then(() => (isAnswered = true));
      await settle();
      expect(steps).toEqual([]);
      const nextDisk = Promise.withResolvers<void>();
      bench.flushed = () => nextDisk.promise;
      disk.resolve();
      await first;
      await settle();
      expect(steps).toEqual([
        'a call is recorded',
        'an item is accepted',
        'notifications are queued',
        'message 3 is claimed',
        'the checkpoint is written',
        // The platform holds a call back until all that is written in the same turn is on disk.
        'call 3 goes out',
        'the commit ends',
        'something else has a turn',
      ]);
      expect(isAnswered).toBe(false);
      nextDisk.resolve();
      await second;
      expect([1, 2, 3].map((seq) => rowOf(sql, seq).state)).toEqual(['sent', 'queued', 'queued']);
    }));
});
