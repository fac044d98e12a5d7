import { describe, expect, test } from 'vitest';
import type { Fault } from './fault-plan.ts';
import { START, startBench, type Bench, type BenchOptions, type Env } from './harness.ts';

/** An outbox that calls a registry, which keeps what it hears. */
function start(options: BenchOptions = {}): Bench & { readonly heard: unknown[] } {
  const heard: unknown[] = [];
  const bench = startBench(
    () => ({
      Outbox: class {
        readonly #env: Env;
        constructor(_ctx: DurableObjectState, env: Env) {
          this.#env = env;
        }
        async count(to: number): Promise<void> {
          const registry = this.#env.REGISTRY.getByName('one');
          await Promise.all(
            Array.from({ length: to }, async (_, number) => await registry['hear']?.(number)),
          );
        }
        async change(): Promise<unknown> {
          const list = ['as it was'];
          const call = this.#env.REGISTRY.getByName('one')['hear']?.(list);
          list.push('changed');
          await call;
          return list;
        }
      },
      Registry: class {
        hear(what: unknown): void {
          heard.push(what);
        }
      },
    }),
    options,
  );
  return { ...bench, heard };
}

const lost = (
  when: 'before' | 'after',
  skip: number,
  kind: 'call lost' | 'outbox’s call lost' = 'call lost',
): Fault => ({
  kind,
  name: `lost ${when}`,
  at: START,
  when,
  skip,
});

describe('calls', () => {
  test('by one stub arrive in their order', async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const bench = start({ seed });
      await bench.until(bench.call('count', 20));
      expect(bench.heard).toEqual(Array.from({ length: 20 }, (_, number) => number));
    }
  });

  test('carry what their arguments were when they were made', async () => {
    const bench = start();
    await bench.until(bench.call('change'));
    expect(bench.heard).toEqual([['as it was']]);
  });

  test('that are lost before they arrive have done nothing', async () => {
    // The first call is that of the outbox.
    const bench = start({ faults: [lost('before', 1)] });
    expect(await bench.until(bench.call('count', 1))).toEqual({ error: 'Network connection lost.' });
    expect(bench.heard).toEqual([]);
  });

  test('whose answers are lost have been made', async () => {
    const bench = start({ faults: [lost('after', 1)] });
    expect(await bench.until(bench.call('count', 1))).toEqual({ error: 'Network connection lost.' });
    expect(bench.heard).toEqual([0]);
  });

  test('of an outbox are lost by a fault of their own, which leaves those to it alone', async () => {
    const bench = start({ faults: [lost('before', 0, 'outbox’s call lost')] });
    expect(await bench.until(bench.call('count', 1))).toEqual({ error: 'Network connection lost.' });
    expect(bench.heard).toEqual([]);
    await bench.until(bench.call('count', 1));
    expect(bench.heard).toEqual([0]);
  });
});
