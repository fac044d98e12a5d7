import { describe, expect, test } from 'vitest';
import type { Fault } from './fault-plan.ts';
import {
  errorOf,
  MINUTE,
  SECOND,
  START,
  startBench,
  timerOf,
  type Answer,
  type Bench,
  type BenchOptions,
} from './harness.ts';

/** An object that counts in memory and on disk. */
function start(
  options: BenchOptions = {},
): Bench & { ask(method: string, ...args: readonly unknown[]): Promise<Answer> } {
  const bench = startBench(
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
  return { ...bench, ask: (method, ...args) => bench.until(bench.call(method, ...args)) };
}

const lasting = (kind: 'full disk' | 'broken start' | 'overloaded'): Fault => ({
  kind,
  name: kind,
  at: START,
  until: START + 10 * MINUTE,
  object: 'Outbox/',
});

const deploy: Fault = { kind: 'deploy', name: 'deploy', at: START + MINUTE };

describe('an object with nothing to do', () => {
  test('leaves memory between 10 and 140 s after its last event, and keeps what is on its disk', async () => {
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

  test('stays in memory while a timer of it is pending', async () => {
    const bench = start();
    await bench.ask('startTimer', 10 * MINUTE);
    await bench.ask('count');
    await bench.pass(9 * MINUTE);
    expect(await bench.ask('count')).toEqual({ value: [2, 2] });
  });

  test('stays in memory while a call of it is under way', async () => {
    const bench = start();
    expect(await bench.ask('wait', 5 * MINUTE)).toEqual({ value: 'waited' });
    expect(bench.trace.filter(({ what }) => what === 'is gone')).toEqual([]);
  });
});

describe('an object in trouble', () => {
  test('that is overloaded refuses calls and is not started for them', async () => {
    const bench = start({ faults: [lasting('overloaded')] });
    expect(errorOf(await bench.ask('count'))).toContain('Durable Object is overloaded');
    expect(bench.platform.counts['object.starts']).toBeUndefined();
    await bench.pass(10 * MINUTE);
    expect(await bench.ask('count')).toEqual({ value: [1, 1] });
  });

  test('that cannot be started answers with an internal error, and starts later', async () => {
    const bench = start({ faults: [lasting('broken start')] });
    expect(errorOf(await bench.ask('count'))).toContain('internal error');
    await bench.pass(10 * MINUTE);
    expect(await bench.ask('count')).toEqual({ value: [1, 1] });
  });

  test('whose disk is full writes nothing, and can delete', async () => {
    const bench = start({ faults: [{ ...lasting('full disk'), at: START + MINUTE }] });
    await bench.ask('count');
    await bench.pass(MINUTE - SECOND);
    await bench.ask('wait', 2 * SECOND);
    // Its constructor writes as well, so that it must be in memory.
    expect(await bench.ask('count')).toEqual({ error: 'database or disk is full: SQLITE_FULL' });
    expect(await bench.ask('clear')).toEqual({ value: 'cleared' });
  });
});

describe('a deploy', () => {
  test('ends objects within five minutes, in the middle of what they do', async () => {
    const ends: number[] = [];
    for (let seed = 0; seed < 10; seed += 1) {
      const bench = start({ seed, faults: [deploy] });
      expect(await bench.ask('wait', 10 * MINUTE)).toEqual({
        error: 'Durable Object reset because its code was updated.',
      });
      ends.push((bench.trace.find(({ what }) => what === 'is gone')?.at ?? NaN) - deploy.at);
    }
    expect(Math.max(...ends)).toBeLessThan(5 * MINUTE);
    expect(Math.max(...ends) - Math.min(...ends)).toBeGreaterThan(MINUTE);
  });

  test('starts objects in a new isolate', async () => {
    const bench = start({ faults: [deploy] });
    await bench.ask('wait', 10 * MINUTE);
    await bench.ask('count');
    const isolates = bench.trace
      .filter(({ what }) => what === 'starts')
      .map(({ detail }) => detail?.['isolate']);
    expect(isolates).toHaveLength(2);
    expect(new Set(isolates).size).toBe(2);
  });
});

describe('an isolate that is lost', () => {
  test('takes all its objects with it, and the requests that it handles', async () => {
    const lost: Fault = { kind: 'isolate lost', name: 'lost', at: START + MINUTE, machine: 'fra-1' };
    const bench = start({ faults: [lost] });
    const answers = ['one', 'two'].map((name) => bench.callAt('fra', name, 'wait', 10 * MINUTE));
    const ends = await bench.until(Promise.allSettled(answers));
    expect(ends.map((end) => (end.status === 'rejected' ? String(end.reason) : end.value))).toEqual(
      answers.map(() => 'Error: the connection was lost before the answer'),
    );
    expect(bench.trace.filter(({ what }) => what === 'is gone').map(({ who }) => who)).toEqual([
      'Outbox/one',
      'Outbox/two',
    ]);
  });
});
