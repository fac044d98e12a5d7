import { expect } from 'vitest';
import { NO_CALL } from '../../src/gateway/client.ts';
import { Checkpoint } from '../../src/outbox/send/claims.ts';
import { parseAttempts } from '../../src/outbox/state/message.ts';
import { Bench, settle } from './bench.ts';
import { diskOf, isClaim, isRecord } from './full-disk.ts';
import { it } from './it.ts';
import { draft, HOUR, MINUTE, rowOf, SECOND, START, to } from './support.ts';

const about = (phone: string) => draft({ phone, says: {} });

const outcomesOf = (sql: SqlStorage, ...seqs: readonly number[]) =>
  seqs.map((seq) =>
    parseAttempts(rowOf(sql, seq).attempts)
      .map(({ n, outcome }) => `${n} ${outcome}`)
      .join(),
  );

const statesOf = (sql: SqlStorage, ...seqs: readonly number[]) => seqs.map((seq) => rowOf(sql, seq).state);

const inFlight = (storage: DurableObjectStorage): readonly number[] =>
  (new Checkpoint(storage).last?.flight ?? []).map(({ seq }) => seq);

it('a record that cannot be written is written by the next commit, and reported', async ({ rig, sql }) => {
  const disk = diskOf(sql, isRecord);
  await rig.accept(...to('a'));
  await rig.pass(2 * SECOND);
  disk.fails = 1;
  await rig.answer(1, 'sent');
  expect(rig.faults).toEqual([1]);
  await rig.passToNextRun();
  expect(rowOf(sql, 1)).toMatchObject({ state: 'sent', sent_at: START + 2 * SECOND });
  expect(outcomesOf(sql, 1)).toEqual(['1 sent']);
  await rig.pass(24 * HOUR);
  expect([rig.called, rig.recorded.length]).toEqual([[1], 1]);
});

it('a record is written with what its receiver knows by it, or neither is', async ({ rig, sql }) => {
  await rig.accept(...to('a'));
  const known: string[] = [];
  rig.onWritten = ({ seq }) => {
    known.push(rowOf(sql, seq).state);
    if (known.length === 1) throw new Error('database or disk is full: SQLITE_FULL');
  };
  await rig.answer(1, 'sent');
  await rig.passToNextRun();
  // One attempt: the first record was taken back.
  expect(outcomesOf(sql, 1)).toEqual(['1 sent']);
  expect(known).toEqual(['sent', 'sent']);
});

it('a record is tried in each commit or after a rest, and holds up no other', async ({ rig, sql }) => {
  const disk = diskOf(sql, isRecord);
  await rig.accept(...to('a'));
  disk.fails = Infinity;
  await rig.answer(1, 'sent');
  for (let commit = 0; commit < 5; commit += 1) {
    expect(rig.nextRun).toBe(rig.now + 30 * SECOND);
    await rig.pass(30 * SECOND);
  }
  expect(disk.tries).toBeGreaterThan(5);
  expect(rig.claims.flight.seqs()).toEqual([1]);
  await rig.accept(...to('a', 'b'));
  await rig.wake();
  expect(rig.calling).toEqual([3]);
  disk.fails = 0;
  await rig.answer(3, 'sent');
  await rig.wake();
  await rig.answer(2, 'sent');
  expect(statesOf(sql, 1, 2, 3)).toEqual(['sent', 'sent', 'sent']);
  expect(rowOf(sql, 1).sent_at).toBe(START);
  expect([rig.claims.flight.seqs(), rig.nextRun, rig.made.length]).toEqual([[], null, 3]);
});

/** Some messages; the records of the first `broken` cannot be written. */
const unwritable = async (rig: Bench, count = 10, broken = 1) => {
  let isBroken = true;
  rig.onWritten = ({ seq }) => {
    if (isBroken && seq <= broken) throw new Error('a constraint');
  };
  await rig.accept(...to(...Array.from({ length: count }, (_, at) => `p${at}`)));
  await rig.answer(1, 'sent');
  return (): void => {
    isBroken = false;
  };
};

it('one record that cannot be written ends no run, and is reported once in a rest', async ({ rig, sql }) => {
  const repair = await unwritable(rig);
  for (let seq = 2; seq <= 10; seq += 1) await rig.answer(seq, 'sent');
  expect([rig.made.length, rig.thrown, rig.faults]).toEqual([10, null, [1]]);
  // The run is over, and the next one comes when the record is tried again.
  expect([rig.loop.running, rig.nextRun]).toEqual([false, START + 30 * SECOND]);
  await rig.pass(30 * SECOND);
  expect(rig.faults).toEqual([1, 1]);
  repair();
  await rig.pass(30 * SECOND);
  expect(rowOf(sql, 1)).toMatchObject({ state: 'sent', sent_at: START });
  expect([rig.made.length, rig.nextRun]).toEqual([10, null]);
});

it('a record that is not written keeps its connection from all others', async ({ rig }) => {
  const repair = await unwritable(rig, 7, 6);
  for (let seq = 2; seq <= 6; seq += 1) await rig.answer(seq, 'sent');
  expect([rig.made.length, rig.loop.running, rig.nextRun]).toEqual([6, false, START + 30 * SECOND]);
  repair();
  await rig.pass(30 * SECOND);
  expect(rig.calling).toEqual([7]);
});

it('a run that ends shortly before a record is tried again leaves it to the alarm', async ({ rig, sql }) => {
  const repair = await unwritable(rig, 1);
  await rig.pass(29_500);
  await rig.accept(...to('x'));
  await rig.answer(2, 'sent');
  expect([rig.loop.running, rig.timers]).toEqual([false, 0]);
  repair();
  await rig.pass(500);
  expect(rowOf(sql, 1).state).toBe('sent');
});

it('a record that is not written keeps no probe from being made', async ({ rig }) => {
  await unwritable(rig, 2);
  rig.meta.circuit = { ...rig.meta.circuit, probeAt: START + SECOND };
  await rig.answer(2, 'server_error');
  await rig.accept(...to('x', 'y'));
  expect(rig.calling).toEqual([]);
  await rig.passToNextRun();
  expect(rig.calling).toEqual([3]);
});

it('a call that another instance left, without a record, holds up nothing', async ({ rig, sql }) => {
  const repair = await unwritable(rig, 2);
  rig.restart();
  await rig.accept(...to('x'));
  await rig.wake();
  expect([rig.thrown, rig.faults]).toEqual([null, [1, 1]]);
  expect(rig.claims.flight.seqs()).toEqual([1, 3]);
  expect(rowOf(sql, 2).state).toBe('retrying');
  await rig.answer(3, 'sent');
  repair();
  await rig.pass(30 * SECOND);
  expect(outcomesOf(sql, 1)).toEqual(['1 uncertain']);
});

function breakReview(rig: Bench, isFaulty: (seq: number) => boolean): void {
  rig.review = (row) => {
    if (isFaulty(row.seq)) throw new Error('it cannot be rendered');
    return row;
  };
}

it('a message whose review throws is left out, and tried again after a rest', async ({ rig }) => {
  breakReview(rig, (seq) => seq === 2);
  await rig.accept(about('a'), about('b'), about('c'), about('b'));
  expect([rig.called, rig.faults, rig.thrown]).toEqual([[1, 3, 4], [2], null]);
  // The first was ready when the second threw: it was as before, and was made ready again.
  expect(rig.putBack).toEqual([1]);
  for (const seq of [1, 3, 4]) await rig.answer(seq, 'sent');
  await rig.accept(about('d'));
  await rig.answer(5, 'sent');
  expect([rig.faults, rig.loop.running]).toEqual([[2], false]);
  breakReview(rig, () => false);
  await rig.passToNextRun();
  expect([rig.now, rig.called]).toEqual([START + 30 * SECOND, [1, 3, 4, 5, 2]]);
});

it('a message that is too old, which cannot be written, keeps no other waiting', async ({ rig, sql }) => {
  rig.meta.pause = { at: START, by: 'token', code: 'paused' };
  await rig.accept(draft({ phone: 'a', expiresMs: SECOND }), ...to('b'));
  diskOf(sql, (query) => query.includes('SET state = ?, next_at = NULL')).fails = 1;
  rig.meta.pause = null;
  await rig.pass(MINUTE);
  await rig.wake();
  expect([rig.called, rig.faults]).toEqual([[2], [1]]);
  await rig.answer(2, 'sent');
  await rig.passToNextRun();
  expect(rowOf(sql, 1).state).toBe('expired');
});

it('the run fails, and comes again later, if the review of all messages throws', async ({ rig }) => {
  breakReview(rig, () => true);
  await rig.accept(...Array.from({ length: 20 }, (_, at) => about(`p${at}`)));
  expect(rig.thrown).toMatchObject({ message: 'it cannot be rendered' });
  expect(rig.faults.length).toBeLessThan(20);
  expect(rig.called).toEqual([]);
});

it('a claim that cannot be written leaves all as before, and is made again', async ({ rig, sql }) => {
  diskOf(sql, isClaim).fails = 1;
  await rig.accept(about('a'), about('b'));
  expect([rig.putBack, rig.called]).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

it.for([{ perRecipient: { perHour: 1 } }, { rate: { perMinute: 1, burst: 1 } }])(
  'a claim that cannot be written takes nothing from %j: only real sends count',
  async (limit, { storage, sql }) => {
    const rig = new Bench(storage, limit);
    await rig.accept(...to('a'));
    await rig.answer(1, 'sent');
    await rig.pass(HOUR);
    const disk = diskOf(sql, isClaim);
    disk.fails = 1;
    await rig.accept(...to('a'));
    expect([disk.fails, rig.called]).toEqual([0, [1, 2]]);
    await rig.answer(2, 'sent');
    await rig.accept(...to('a'));
    expect(rig.called).toEqual([1, 2]);
    await rig.pass(HOUR);
    expect(rig.called).toEqual([1, 2, 3]);
  },
);

it('the receiver of an interrupted call gets nothing until it is recorded', async ({ rig, sql }) => {
  await rig.accept(...to('a', 'a', 'a'));
  rig.restart();
  const disk = diskOf(sql, isRecord);
  disk.fails = Infinity;
  await rig.wake();
  expect([rig.faults, rig.called]).toEqual([[1], [1]]);
  disk.fails = 0;
  await rig.pass(30 * SECOND);
  expect(outcomesOf(sql, 1)).toEqual(['1 uncertain']);
  expect(rig.calling).toEqual([2]);
  await rig.answer(2, 'sent');
  expect(rig.calling).toEqual([3]);
});

it('the receiver of a call that threw gets nothing when what waits is read again', async ({ rig, sql }) => {
  await rig.accept(...to('a', 'a', 'a'));
  const disk = diskOf(sql, isRecord);
  disk.fails = Infinity;
  await rig.call(1).fail(new Error('a bug'));
  // A claim that cannot be written has them read again.
  breakReview(rig, (seq) => seq === 4);
  await rig.accept(about('b'));
  expect(rig.faults).toContain(4);
  expect(rig.called).toEqual([1]);
  disk.fails = 0;
  await rig.pass(30 * SECOND);
  expect(rig.open.filter(({ phone }) => phone === 'a').map(({ seq }) => seq)).toEqual([2]);
});

it('a call that the platform refused waits, and the checkpoint says so', async ({ rig, storage, sql }) => {
  await rig.accept(...to('a', 'b'));
  diskOf(sql, isClaim).fails = 2;
  await rig.call(1).answer(NO_CALL);
  expect(rig.putBack).toEqual([1]);
  expect([rig.claims.flight.has(1), inFlight(storage)]).toEqual([false, [1, 2]]);
  await rig.answer(2, 'sent');
  expect([rowOf(sql, 2).state, inFlight(storage)]).toEqual(['sent', []]);
  await rig.pass(MINUTE);
  await rig.pass(MINUTE);
  expect(rig.called).toEqual([1, 2, 1]);
  await rig.answer(1, 'sent');
  expect(outcomesOf(sql, 1)).toEqual(['1 sent']);
});

it('the end of a commit keeps nobody waiting when it throws', async ({ rig, sql }) => {
  rig.onEnd = () => {
    rig.onEnd = () => undefined;
    throw new Error('database or disk is full: SQLITE_FULL');
  };
  const answers: (readonly number[])[] = [];
  void rig.accept(...to('a')).then((seqs) => answers.push(seqs));
  await rig.accept(...to('b')).then((seqs) => answers.push(seqs));
  expect(answers).toEqual([[1], [2]]);
  expect(String(rig.thrown)).toContain('SQLITE_FULL');
  await rig.answer(1, 'sent');
  await rig.passToNextRun();
  await rig.answer(2, 'sent');
  expect(statesOf(sql, 1, 2)).toEqual(['sent', 'sent']);
});

/** The writes of a commit that show which of its stages makes them. */
const STAGES = [
  ['a call is recorded', isRecord],
  ['an item is accepted', (query: string) => query.includes('INTO messages')],
  ['the checkpoint is written', isClaim],
] as const;

/** Returns what a bench's commits do from now on, in order. */
const stepsOf = (rig: Bench, sql: SqlStorage): readonly string[] => {
  const steps: string[] = [];
  const add = (step: string): void => {
    if (steps.length === 0) queueMicrotask(() => steps.push('something else has a turn'));
    steps.push(step);
  };
  diskOf(sql, (query) => {
    for (const [stage, isMeant] of STAGES) if (isMeant(query)) add(stage);
    return false;
  });
  rig.onNotify = () => add('notifications are queued');
  rig.review = (row) => {
    add(`message ${row.seq} is claimed`);
    return row;
  };
  rig.onCall = (seq) => add(`call ${seq} goes out`);
  rig.onEnd = () => add('the commit ends');
  return steps;
};

it('a commit records, accepts, notifies and claims; then calls go out', async ({ rig, sql }) => {
  await rig.accept(about('a'));
  // A commit is on its way to the disk: what ends and comes meanwhile shares the next one.
  const disk = Promise.withResolvers<void>();
  rig.flushed = () => disk.promise;
  const first = rig.accept(about('b'));
  const steps = stepsOf(rig, sql);
  await rig.answer(1, 'sent');
  let isAnswered = false;
  const second = rig.accept(about('a')).then(() => (isAnswered = true));
  await settle();
  expect(steps).toEqual([]);
  const nextDisk = Promise.withResolvers<void>();
  rig.flushed = () => nextDisk.promise;
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
  expect(statesOf(sql, 1, 2, 3)).toEqual(['sent', 'queued', 'queued']);
});
