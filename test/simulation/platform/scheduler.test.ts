import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passSteps, RUNS, START } from './harness.ts';
import { SeededRandom } from './random.ts';
import { Scheduler } from './scheduler.ts';

const schedulerOf = (seed: number): Scheduler => new Scheduler(START, new SeededRandom(`seed ${seed}`));
const TIMES = fc.array(fc.nat(50), { maxLength: 60 });

/** Runs steps at these times (ms from the start), and returns the indexes in the order in which they ran. */
async function orderOf(
  times: readonly number[],
  seed: number,
  cancelled: ReadonlySet<number> = new Set(),
): Promise<number[]> {
  const scheduler = schedulerOf(seed);
  const order: number[] = [];
  const steps = times.map((at, index) => scheduler.at(START + at, () => order.push(index)));
  for (const index of cancelled) steps[index]?.cancel();
  await passSteps(scheduler, START + 1_000);
  return order;
}

test('steps run in the order of their times, and without those that were cancelled in the same', async () => {
  await fc.assert(
    fc.asyncProperty(TIMES, fc.nat(), fc.func(fc.boolean()), async (times, seed, isCancelled) => {
      const all = await orderOf(times, seed);
      expect(all.map((index) => times[index])).toEqual(times.toSorted((a, b) => a - b));
      const cancelled = new Set([...times.keys()].filter((index) => isCancelled(index)));
      expect(await orderOf(times, seed, cancelled)).toEqual(all.filter((index) => !cancelled.has(index)));
    }),
    RUNS,
  );
});

test('steps of the same moment run in an order that the seed decides, and nothing else', async () => {
  const together = Array.from({ length: 5 }, () => 7);
  const orders = await Promise.all(Array.from({ length: 40 }, (_, seed) => orderOf(together, seed)));
  expect(new Set(orders.map(String)).size).toBeGreaterThan(20);
  expect(await orderOf(together, 3)).toEqual(orders[3]);
});

test('time never goes back, whatever steps add for moments that are over', async () => {
  const OFFSETS = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(TIMES, OFFSETS, async (times, offsets) => {
      const scheduler = schedulerOf(1);
      const seen: number[] = [];
      for (const [index, at] of times.entries())
        scheduler.at(START + at, () => {
          seen.push(scheduler.now);
          const next = scheduler.now + (offsets[index % offsets.length] ?? 0);
          scheduler.at(next, () => seen.push(scheduler.now));
        });
      await passSteps(scheduler, START + 1_000);
      expect(seen).toHaveLength(2 * times.length);
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    }),
    RUNS,
  );
});

test('between two steps all that a step’s awaits continue with runs at the same time, and then what waits for its end', async () => {
  const scheduler = schedulerOf(1);
  const ran: string[] = [];
  const say = (what: string): unknown => ran.push(`${what} at ${scheduler.now - START}`);
  const slow = async (): Promise<void> => {
    for (let awaits = 0; awaits < 100; awaits += 1) await Promise.resolve();
    say('after 100 awaits');
  };
  scheduler.after(1, () => {
    scheduler.whenStepEnds(() => say('the end'));
    void slow();
    say('step');
  });
  scheduler.after(2, () => say('next step'));
  scheduler.after(10.5, () => say('later'));
  await passSteps(scheduler, START + 10);
  expect(ran).toEqual(['step at 1', 'after 100 awaits at 1', 'the end at 1', 'next step at 2']);
});
