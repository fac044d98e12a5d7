import { expect, test } from 'vitest';
import type { Fault } from './fault-plan.ts';
import { errorOf, MINUTE, SECOND, START, startBench, timerOf } from './harness.ts';
import type { Bench, BenchOptions } from './harness.ts';

/** An object that counts in memory and on disk. */
const start = (options: BenchOptions = {}): Bench =>
  startBench(
    (globals) => ({
      Outbox: class {
        readonly #sql: SqlStorage;
        #inMemory = 0;
        constructor(ctx: DurableObjectState) {
          this.#sql = ctx.storage.sql;
          this.#sql.exec('CREATE TABLE IF NOT EXISTS rows (number INTEGER)');
        }
        count(): readonly unknown[] {
          this.#sql.exec('INSERT INTO rows VALUES (1)');
          this.#inMemory += 1;
          return [this.#inMemory, this.#sql.exec('SELECT count(*) AS rows FROM rows').one()['rows']];
        }
        clear(): unknown {
          this.#sql.exec('DELETE FROM rows');
          return 'cleared';
        }
        async wait(ms: number): Promise<unknown> {
          await new Promise<void>((resolve) => timerOf(globals)(resolve, ms));
          return 'waited';
        }
        /** Its timer goes on when the call has ended. */
        startTimer(ms: number): unknown {
          timerOf(globals)(() => undefined, ms);
          return 'started';
        }
      },
    }),
    options,
  );

const DURING = { at: START, until: START + 10 * MINUTE };
const lasting = (kind: 'full disk' | 'broken start' | 'overloaded'): Fault => {
  return { kind, name: kind, object: 'Outbox/', ...DURING };
};

const deploy: Fault = { kind: 'deploy', name: 'deploy', at: START + MINUTE };

test('an object with nothing to do leaves memory between 10 and 140 s after its last event, and keeps what is on its disk', async () => {
  const lives: number[] = [];
  for (let seed = 0; seed < 30; seed += 1) {
    const bench = start({ seed });
    expect(await bench.ask('count')).toEqual({ value: [1, 1] });
    await bench.pass(5 * MINUTE);
    const gone = bench.trace.find(({ what }) => what === 'is gone');
    expect(gone?.detail).toMatchObject({ why: 'idle' });
    lives.push((gone?.at ?? NaN) - START);
    expect(await bench.ask('count')).toEqual({ value: [1, 2] });
  }
  expect(Math.min(...lives)).toBeGreaterThanOrEqual(10 * SECOND);
  expect(Math.min(...lives)).toBeLessThan(30 * SECOND);
  expect(Math.max(...lives)).toBeLessThan(141 * SECOND);
});

test('an object with nothing to do stays in memory while a timer of it is pending, or a call of it is under way', async () => {
  const bench = start();
  await bench.ask('startTimer', 10 * MINUTE);
  await bench.ask('count');
  await bench.pass(9 * MINUTE);
  expect(await bench.ask('count')).toEqual({ value: [2, 2] });
  const busy = start();
  expect(await busy.ask('wait', 5 * MINUTE)).toEqual({ value: 'waited' });
  expect(busy.trace.filter(({ what }) => what === 'is gone')).toEqual([]);
});

test.each([
  ['overloaded', 'Durable Object is overloaded'],
  ['broken start', 'internal error'],
] as const)('answers so, is not started, and starts later (%s)', async (kind, error) => {
  const bench = start({ faults: [lasting(kind)] });
  expect(errorOf(await bench.ask('count'))).toContain(error);
  expect(bench.platform.counts['object.starts']).toBeUndefined();
  await bench.pass(10 * MINUTE);
  expect(await bench.ask('count')).toEqual({ value: [1, 1] });
});

test('an object in trouble whose disk is full writes nothing, and can delete', async () => {
  const bench = start({ faults: [{ ...lasting('full disk'), at: START + MINUTE }] });
  await bench.ask('count');
  await bench.pass(MINUTE - SECOND);
  await bench.ask('wait', 2 * SECOND);
  // Its constructor writes as well, so that it must be in memory.
  expect(await bench.ask('count')).toEqual({ error: 'database or disk is full: SQLITE_FULL' });
  expect(await bench.ask('clear')).toEqual({ value: 'cleared' });
});

test('a deploy ends objects within five minutes, in the middle of what they do, and starts them in a new isolate', async () => {
  const ends: number[] = [];
  for (let seed = 0; seed < 10; seed += 1) {
    const bench = start({ seed, faults: [deploy] });
    const error = 'Durable Object reset because its code was updated.';
    expect(await bench.ask('wait', 10 * MINUTE)).toEqual({ error });
    ends.push((bench.trace.find(({ what }) => what === 'is gone')?.at ?? NaN) - deploy.at);
    await bench.ask('count');
    const starts = bench.trace.filter(({ what }) => what === 'starts');
    expect(new Set(starts.map(({ detail }) => detail?.['isolate'])).size).toBe(2);
  }
  expect(Math.max(...ends)).toBeLessThan(5 * MINUTE);
  expect(Math.max(...ends) - Math.min(...ends)).toBeGreaterThan(MINUTE);
});

test('an isolate that is lost takes all its objects with it, and the requests that it handles', async () => {
  const lost: Fault = { kind: 'isolate lost', name: 'lost', at: START + MINUTE, machine: 'fra-1' };
  const bench = start({ faults: [lost] });
  const answers = ['one', 'two'].map((name) => bench.callAt('fra', name, 'wait', 10 * MINUTE));
  for (const end of await bench.until(Promise.allSettled(answers)))
    expect(end).toMatchObject({ reason: new Error('the connection was lost before the answer') });
  const gone = bench.trace.filter(({ what }) => what === 'is gone').map(({ who }) => who);
  expect(gone).toEqual(['Outbox/one', 'Outbox/two']);
});
