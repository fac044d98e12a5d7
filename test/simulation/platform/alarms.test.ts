import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOMENTS, type Fault } from './fault-plan.ts';
import { evict, MINUTE, RUNS, SECOND, START, startBench } from './harness.ts';
import type { Bench, BenchOptions, Env } from './harness.ts';

/** A call of the handler: when, and what the platform says about it. */
interface Fired {
  readonly at: number;
  readonly retryCount: number;
  readonly isRetry: boolean;
}

/** `times`: the number of earlier calls of the handler; `write` writes a row; `wait` awaits something outside. */
interface Handler {
  readonly storage: DurableObjectStorage;
  readonly times: number;
  readonly write: (text: string) => void;
  readonly wait: () => Promise<unknown>;
}

const rowsOf = ({ sql }: DurableObjectStorage): unknown[] =>
  [...sql.exec('SELECT text FROM rows')].map((row) => row['text']);

/** An object whose alarm does this; `ask` calls a method until it answers, `times` is when the handler was called, in whole units. */
function start(alarm: (handler: Handler) => Promise<void> | void, options: BenchOptions = {}) {
  const fired: Fired[] = [];
  const bench: Bench = startBench(
    () => ({
      Outbox: class {
        readonly #storage: DurableObjectStorage;
        readonly #env: Env;
        constructor({ storage }: DurableObjectState, env: Env) {
          this.#storage = storage;
          this.#env = env;
          storage.sql.exec('CREATE TABLE IF NOT EXISTS rows (text TEXT)');
        }
        /** `at`: N ms after the start; null: deletes it. */
        async set(at: number | null): Promise<void> {
          await (at === null ? this.#storage.deleteAlarm() : this.#storage.setAlarm(START + at));
        }
        rows(): unknown {
          return rowsOf(this.#storage);
        }
        takeBack(at: number): void {
          const change = (): never => {
            void this.#storage.setAlarm(START + at);
            throw new Error('no');
          };
          expect(() => this.#storage.transactionSync(change)).toThrow('no');
        }
        async alarm({ retryCount, isRetry }: Fired): Promise<void> {
          const times = fired.push({ at: bench.now(), retryCount, isRetry }) - 1;
          const storage = this.#storage;
          const write = (text: string): void => void storage.sql.exec('INSERT INTO rows VALUES (?)', text);
          await alarm({ storage, times, write, wait: () => this.#env.CONFIG.get('x') });
        }
      },
    }),
    options,
  );
  const ask = async (method: string, ...args: readonly unknown[]): Promise<unknown> => {
    for (;;) {
      const answer = await bench.ask(method, ...args);
      if ('value' in answer) return answer.value;
    }
  };
  return { ...bench, fired, ask, times: (unit: number) => fired.map(({ at }) => Math.floor(at / unit)) };
}

const fail = (): Promise<void> => Promise.reject(new Error('no'));
const nothing = (): void => undefined;

test('an alarm is called once, after its time and within 100 ms of it, if it was not set again or deleted', async () => {
  const bench = start(nothing);
  await bench.ask('set', 5 * SECOND);
  await bench.pass(MINUTE);
  expect(bench.times(100)).toEqual([50]);
  for (const at of [110 * SECOND, 130 * SECOND]) await bench.ask('set', at);
  await bench.pass(2 * MINUTE);
  for (const at of [5 * MINUTE, null]) await bench.ask('set', at);
  await bench.pass(10 * MINUTE);
  expect(bench.times(SECOND)).toEqual([5, 130]);
});

test('an alarm that a transaction takes back does not come, and the one before it does', async () => {
  const bench = start(nothing);
  await bench.ask('takeBack', 10 * SECOND);
  await bench.ask('set', 20 * SECOND);
  await bench.ask('takeBack', 30 * SECOND);
  await bench.pass(5 * MINUTE);
  expect(bench.times(SECOND)).toEqual([20]);
});

test('an alarm is late while the platform is', async () => {
  const during = { at: START, until: START + MINUTE };
  const late: Fault = { kind: 'alarm late', name: 'late', ...during, machine: '', ms: 50 * SECOND };
  const bench = start(nothing, { faults: [late], seed: 4 });
  await bench.ask('set', 5 * SECOND);
  await bench.pass(5 * MINUTE);
  expect(bench.times(SECOND).map((at) => at > 6 && at < 55)).toEqual([true]);
});

test('an alarm comes a second time when the platform forgets that it came', async () => {
  const twice: Fault = { kind: 'alarm twice', name: 'twice', at: START, skip: 0 };
  const bench = start(nothing, { faults: [twice] });
  await bench.ask('set', 5 * SECOND);
  await bench.pass(5 * MINUTE);
  expect(bench.fired.map(({ isRetry }) => isRetry)).toEqual([false, false]);
});

test('an alarm waits for the one whose handler runs', async () => {
  const running: number[] = [];
  let most = 0;
  const bench = start(async ({ storage, times, wait }) => {
    most = Math.max(most, running.push(times));
    if (times === 0) await storage.setAlarm(START);
    for (let waits = 0; waits < 500; waits += 1) await wait();
    running.pop();
  });
  await bench.ask('set', 5 * SECOND);
  await bench.pass(5 * MINUTE);
  expect([bench.fired.length, most]).toEqual([2, 1]);
});

test('a handler that throws is called again after 2 s, 4 s and so on, six times, and is given up then', async () => {
  const bench = start(fail);
  await bench.ask('set', 0);
  await bench.pass(60 * MINUTE);
  expect(bench.fired.map(({ retryCount, isRetry }) => [retryCount, isRetry])).toEqual(
    Array.from({ length: 7 }, (_, n) => [n, n > 0]),
  );
  expect(bench.times(SECOND)).toEqual([0, 2, 6, 14, 30, 62, 126]);
  expect(bench.platform.counts['alarms.given_up']).toBe(1);
});

test('a handler that throws is called for the alarm that it has set, and no longer for the one that failed', async () => {
  const bench = start(({ storage, times }) => {
    if (times < 3) void storage.setAlarm(START + (times + 1) * 10 * MINUTE);
    throw new Error('no');
  });
  await bench.ask('set', 0);
  await bench.pass(60 * MINUTE);
  expect(bench.times(MINUTE).slice(0, 4)).toEqual([0, 10, 20, 30]);
  // Each is a new alarm: its retries begin anew.
  expect(bench.fired.map(({ retryCount }) => retryCount)).toEqual([0, 0, 0, 0, 1, 2, 3, 4, 5, 6]);
});

test('a handler that throws is tried anew when the alarm is set between its retries', async () => {
  const bench = start(fail);
  await bench.ask('set', 0);
  await bench.pass(20 * SECOND);
  const before = bench.fired.length;
  await bench.ask('set', 10 * MINUTE);
  await bench.pass(60 * MINUTE);
  expect(bench.fired.slice(before).map(({ retryCount }) => retryCount)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('a handler that throws is like an object that cannot be started', async () => {
  const during = { at: START + 5 * MINUTE, until: START + 60 * MINUTE };
  const broken: Fault = { kind: 'broken start', name: 'broken', object: 'Outbox/', ...during };
  const bench = start(nothing, { faults: [broken] });
  await bench.ask('set', 10 * MINUTE);
  await bench.pass(2 * 60 * MINUTE);
  expect([bench.platform.counts['alarms'], bench.platform.counts['alarms.given_up']]).toEqual([7, 1]);
});

test('a handler that is cut off is called again, and that does not count as a failure of it', async () => {
  const faults = Array.from({ length: 10 }, (_, n) => evict('at an await', 0, SECOND + n));
  const bench = start(({ wait }) => wait().then(() => undefined), { faults });
  await bench.ask('set', 5 * SECOND);
  await bench.pass(5 * MINUTE);
  expect(bench.platform.counts['alarms']).toBeGreaterThan(7);
  expect(new Set(bench.fired.map(({ retryCount }) => retryCount))).toEqual(new Set([0]));
});

test('a handler that is cut off leaves its work done in the end, and a chain of alarms unbroken, wherever it is cut off', async () => {
  const LINKS = 5;
  const EVICTION = fc.record({ moment: fc.constantFrom(...MOMENTS), skip: fc.nat(6) });
  const ENDS = fc.array(EVICTION, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(ENDS, fc.boolean(), fc.nat(), async (ends, isFirst, seed) => {
      const faults = ends.map(({ moment, skip }, n) => evict(moment, skip, 4 * SECOND + n));
      const work = async ({ storage, write, wait }: Handler): Promise<void> => {
        const done = rowsOf(storage).length;
        const next = (): void => {
          if (done + 1 < LINKS) void storage.setAlarm(START + (done + 2) * 10 * SECOND);
        };
        if (isFirst) next();
        await wait();
        write(`link ${done}`);
        if (!isFirst) next();
      };
      const bench = start(work, { seed, faults });
      await bench.ask('set', 10 * SECOND);
      await bench.pass(10 * MINUTE);
      // The last may be done twice.
      const rows = [await bench.ask('rows')].flat().slice(0, LINKS);
      expect(rows).toEqual(Array.from({ length: LINKS }, (_, n) => `link ${n}`));
    }),
    RUNS,
  );
});
