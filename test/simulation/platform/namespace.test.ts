import { expect, test } from 'vitest';
import type { Fault } from './fault-plan.ts';
import { START, startBench, type Bench, type BenchOptions, type Env } from './harness.ts';

/** An outbox that calls a registry, which keeps what it hears. */
function start(options: BenchOptions = {}): Bench & { readonly heard: unknown[] } {
  const heard: unknown[] = [];
  const worker = () => ({
    Outbox: class {
      readonly #env: Env;
      constructor(_ctx: DurableObjectState, env: Env) {
        this.#env = env;
      }
      async count(to: number): Promise<void> {
        const registry = this.#env.REGISTRY.getByName('one');
        await Promise.all(Array.from({ length: to }, async (_, number) => await registry['hear']?.(number)));
      }
      async change(): Promise<void> {
        const list = ['as it was'];
        const call = this.#env.REGISTRY.getByName('one')['hear']?.(list);
        list.push('changed');
        await call;
      }
    },
    Registry: class {
      readonly hear = (what: unknown): void => void heard.push(what);
    },
  });
  return { ...startBench(worker, options), heard };
}

test('calls by one stub arrive in their order, with what their arguments were when they were made', async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const bench = start({ seed });
    await bench.ask('count', 20);
    expect(bench.heard).toEqual(Array.from({ length: 20 }, (_, number) => number));
  }
  const bench = start();
  await bench.ask('change');
  expect(bench.heard).toEqual([['as it was']]);
});

// The first call is that of the outbox.
test.each<[string, 'before' | 'after', number, 'call lost' | 'outbox’s call lost', readonly number[]]>([
  ['that are lost before they arrive have done nothing', 'before', 1, 'call lost', []],
  ['whose answers are lost have been made', 'after', 1, 'call lost', [0]],
  ['of an outbox are lost by a fault of their own, not those to it', 'before', 0, 'outbox’s call lost', []],
])('calls %s', async (_, when, skip, kind, heard) => {
  const lost: Fault = { kind, name: 'lost', at: START, when, skip };
  const bench = start({ faults: [lost] });
  expect(await bench.ask('count', 1)).toEqual({ error: 'Network connection lost.' });
  expect(bench.heard).toEqual(heard);
  await bench.ask('count', 1);
  expect(bench.heard).toEqual([...heard, 0]);
});
