import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOMENTS, type Fault } from './fault-plan.ts';
import { errorOf, evict, listOf, MINUTE, RUNS, SECOND, START, startBench, timerOf } from './harness.ts';
import type { Bench, BenchOptions, Env } from './harness.ts';

const SERVER = 'server.example';
const VIA = ['answer', 'server', 'object', 'KV'] as const;

function start(
  options: BenchOptions & { readonly startsWith?: (ctx: DurableObjectState, env: Env) => unknown } = {},
) {
  /** Everything that left the object: answers, and what others heard of it. */
  const left: string[] = [];
  /** Everything that its code did, in whichever instance. */
  const did: string[] = [];
  const states: DurableObjectState[] = [];
  const bench: Bench = startBench(
    (globals) => ({
      Outbox: class {
        readonly #ctx: DurableObjectState;
        readonly #env: Env;
        constructor(ctx: DurableObjectState, env: Env) {
          this.#ctx = ctx;
          this.#env = env;
          states.push(ctx);
          ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS rows (text TEXT)');
          options.startsWith?.(ctx, env);
        }
        rows(): unknown[] {
          return [...this.#ctx.storage.sql.exec('SELECT text FROM rows')].map((row) => row['text']);
        }
        /** Writes, and says so in one of these ways. */
        async say(text: string, via: (typeof VIA)[number]): Promise<string> {
          this.#ctx.storage.sql.exec('INSERT INTO rows VALUES (?)', text);
          if (via === 'object') await this.#env.REGISTRY.getByName('one')['hear']?.(text);
          if (via === 'KV') await this.#env.CONFIG.put(text, text).catch(() => undefined);
          if (via === 'server' && typeof globals.fetch === 'function')
            await Reflect.apply(globals.fetch, undefined, [
              `https://${SERVER}`,
              { method: 'POST', body: text },
            ]);
          return text;
        }
        /** Awaits something between reading and writing. */
        async add(during: 'storage' | 'outside' | 'section'): Promise<void> {
          const { storage } = this.#ctx;
          const work = async (): Promise<void> => {
            const before = this.rows().length;
            await (during === 'storage' ? storage.getAlarm() : this.#env.CONFIG.get('x'));
            storage.sql.exec('DELETE FROM rows');
            for (let row = 0; row <= before; row += 1) storage.sql.exec("INSERT INTO rows VALUES ('one')");
          };
          await (during === 'section' ? this.#ctx.blockConcurrencyWhile(work) : work());
        }
        async goOn(): Promise<void> {
          did.push('begins');
          await this.#env.CONFIG.get('x');
          did.push('goes on');
        }
        useFirst(): unknown {
          return states[0]?.storage.sql.exec('SELECT text FROM rows').toArray();
        }
        list(): string[] {
          const list = ['as it was'];
          this.#ctx.storage.sql.exec("INSERT INTO rows VALUES ('x')");
          void this.#env.CONFIG.get('x').then(() => list.push('changed'));
          return list;
        }
        async spend(calls: number): Promise<void> {
          for (let call = 0; call < calls; call += 1) await this.#env.CONFIG.get('x');
        }
        /** A timer and a storage operation are due at the same moment. */
        async race(): Promise<void> {
          timerOf(globals)(() => did.push('timer'), 0);
          await this.#ctx.storage.getAlarm();
          did.push('storage');
        }
      },
      Registry: class {
        readonly hear = (text: string): void => void left.push(text);
      },
    }),
    options,
  );
  bench.platform.outside(SERVER, ({ body }) => {
    left.push(body);
    return { kind: 'answer', response: new Response('ok'), afterMs: 1 };
  });
  return { ...bench, left, did };
}

/** Ten events at once, of which each adds a row. */
const addTen = async (during: 'storage' | 'outside' | 'section', seed: number): Promise<number> => {
  const bench = start({ seed });
  await bench.until(Promise.all(Array.from({ length: 10 }, () => bench.call('add', during))));
  return listOf(await bench.ask('rows')).length;
};

test('the output gate holds what leaves an object until its writes are on disk, wherever its instance ends', async () => {
  const WAYS = fc.array(fc.constantFrom(...VIA), { minLength: 1, maxLength: 12 });
  const EVICTION = fc.record({ moment: fc.constantFrom(...MOMENTS), skip: fc.nat(9) });
  const ENDS = fc.array(EVICTION, { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(WAYS, ENDS, fc.nat(), async (ways, ends, seed) => {
      const faults = ends.map(({ moment, skip }, n) => evict(moment, skip, n));
      const bench = start({ seed, faults });
      const calls = ways.map((via, n) => bench.call('say', `${via} ${n}`, via));
      const said = (await bench.until(Promise.all(calls))).flatMap(listOf);
      bench.platform.calm();
      expect(listOf(await bench.ask('rows'))).toEqual(expect.arrayContaining([...said, ...bench.left]));
    }),
    RUNS,
  );
});

test('the output gate holds answers for as long as the disk takes, if there is something to write, as they were when they were returned', async () => {
  const during = { at: START, until: START + MINUTE, machine: '' };
  const slow: Fault = { kind: 'slow disk', name: 'slow', ...during, ms: 20 * SECOND };
  const bench = start({ faults: [slow], seed: 2 });
  await bench.ask('goOn');
  const before = bench.now();
  expect(await bench.ask('list')).toEqual({ value: ['as it was'] });
  expect(bench.now() - before).toBeGreaterThan(2 * SECOND);
});

test('the output gate sends nothing any more for an instance that is gone', async () => {
  const bench = start({ faults: [evict('after its writes are on disk', 0, 0)] });
  expect(await bench.ask('say', 'a', 'server')).toEqual({ error: 'Network connection lost.' });
  expect([await bench.ask('rows'), bench.left]).toEqual([{ value: ['a'] }, []]);
});

test.each(['storage', 'section'] as const)(
  'the input gate lets in no event during an await (%s)',
  async (during) => {
    for (let seed = 0; seed < 10; seed += 1) expect(await addTen(during, seed)).toBe(10);
  },
);

test('the input gate lets a storage operation end before what is due at the same moment', async () => {
  for (let seed = 0; seed < 10; seed += 1) {
    const bench = start({ seed });
    await bench.ask('race');
    expect(bench.did).toEqual(['storage', 'timer']);
  }
});

test('the input gate lets events in while something outside is awaited', async () => {
  expect(await addTen('outside', 1)).toBeLessThan(10);
});

test('the input gate lets nothing in before the constructor’s `blockConcurrencyWhile` has ended', async () => {
  const order: string[] = [];
  const bench = start({
    startsWith: (ctx, { CONFIG }) =>
      void ctx.blockConcurrencyWhile(async () => {
        for (let waits = 0; waits < 20; waits += 1) await CONFIG.get('x');
        order.push('started');
      }),
  });
  const calls = Array.from({ length: 5 }, () => bench.call('rows').then(() => order.push('answered')));
  await bench.until(Promise.all(calls));
  expect(order).toEqual(['started', ...calls.map(() => 'answered')]);
});

test('an instance whose `blockConcurrencyWhile` throws is replaced by the next call', async () => {
  let starts = 0;
  const bench = start({
    startsWith: (ctx, { CONFIG }) => {
      starts += 1;
      const isFirst = starts === 1;
      void ctx
        .blockConcurrencyWhile(async () => {
          await CONFIG.get('x');
          if (isFirst) throw new Error('no');
        })
        .catch(() => undefined);
    },
  });
  expect(await bench.ask('rows')).toHaveProperty('error');
  expect(await bench.ask('rows')).toEqual({ value: [] });
  expect(starts).toBe(2);
});

test('an instance that is gone never goes on after its await, and cannot use its storage', async () => {
  const bench = start({ faults: [evict('at an await', 1, 0)] });
  expect(await bench.ask('goOn')).toEqual({ error: 'Network connection lost.' });
  await bench.pass(MINUTE);
  expect(bench.did).toEqual(['begins']);
  expect(errorOf(await bench.ask('useFirst'))).toContain('can no longer access storage');
});

test('an instance may make as many calls in each event as the plan allows', async () => {
  const bench = start({ callsPerInvocation: 3 });
  expect([await bench.ask('spend', 3), await bench.ask('spend', 4), await bench.ask('spend', 3)]).toEqual([
    { value: null },
    { error: 'Too many subrequests.' },
    { value: null },
  ]);
});
