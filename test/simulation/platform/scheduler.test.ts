import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

describe('steps', () => {
  test('run in the order of their times', async () => {
    await fc.assert(
      fc.asyncProperty(TIMES, fc.nat(), async (times, seed) => {
        const ran = (await orderOf(times, seed)).map((index) => times[index]);
        expect(ran).toEqual(times.toSorted((a, b) => a - b));
      }),
      RUNS,
    );
  });

  test('of the same moment run in an order that the seed decides, and nothing else', async () => {
    const together = Array.from({ length: 5 }, () => 7);
    const orders = await Promise.all(Array.from({ length: 40 }, (_, seed) => orderOf(together, seed)));
    expect(new Set(orders.map(String)).size).toBeGreaterThan(20);
    expect(await orderOf(together, 3)).toEqual(orders[3]);
  });

  test('that were cancelled do not run, and the others keep their order', async () => {
    await fc.assert(
      fc.asyncProperty(TIMES, fc.nat(), fc.func(fc.boolean()), async (times, seed, isCancelled) => {
        const cancelled = new Set([...times.keys()].filter((index) => isCancelled(index)));
        const all = await orderOf(times, seed);
        expect(await orderOf(times, seed, cancelled)).toEqual(all.filter((index) => !cancelled.has(index)));
      }),
      RUNS,
    );
  });

  test('later than the end wait for their time', async () => {
    const scheduler = schedulerOf(1);
    const ran: string[] = [];
    scheduler.after(10, () => ran.push('due'));
    scheduler.after(10.5, () => ran.push('later'));
    await passSteps(scheduler, START + 10);
    expect(ran).toEqual(['due']);
    await passSteps(scheduler, START + 11);
    expect(ran).toEqual(['due', 'later']);
  });
});

describe('time', () => {
  test('never goes back, whatever steps add for moments that are over', async () => {
    await fc.assert(
      fc.asyncProperty(
        TIMES,
        fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 1 }),
        async (times, offsets) => {
          const scheduler = schedulerOf(1);
          const seen: number[] = [];
          for (const [index, at] of times.entries())
            scheduler.at(START + at, () => {
              seen.push(scheduler.now);
              scheduler.at(scheduler.now + (offsets[index % offsets.length] ?? 0), () =>
                seen.push(scheduler.now),
              );
            });
          await passSteps(scheduler, START + 1_000);
          expect(seen).toHaveLength(2 * times.length);
          expect(seen).toEqual(seen.toSorted((a, b) => a - b));
        },
      ),
      RUNS,
    );
  });

  test('does not go back with nothing to do either', () => {
    const scheduler = schedulerOf(1);
    scheduler.passTo(START + 10);
    scheduler.passTo(START + 5);
    expect(scheduler.now).toBe(START + 10);
  });

  test('stands still while code runs', async () => {
    const scheduler = schedulerOf(1);
    const seen: number[] = [];
    const look = async (): Promise<void> => {
      seen.push(scheduler.now);
      await Promise.resolve();
      seen.push(scheduler.now);
    };
    scheduler.after(3, () => void look());
    await passSteps(scheduler, START + 10);
    expect(seen).toEqual([START + 3, START + 3]);
  });
});

describe('between two steps', () => {
  test('all that a step’s awaits continue with runs, and then what waits for the end of the step', async () => {
    const scheduler = schedulerOf(1);
    const ran: string[] = [];
    const slow = async (): Promise<void> => {
      for (let awaits = 0; awaits < 100; awaits += 1) await Promise.resolve();
      ran.push('after 100 awaits');
    };
    scheduler.after(1, () => {
      scheduler.whenStepEnds(() => ran.push('the step has ended'));
      void slow();
      ran.push('step');
    });
    scheduler.after(2, () => ran.push('next step'));
    await passSteps(scheduler, START + 10);
    expect(ran).toEqual(['step', 'after 100 awaits', 'the step has ended', 'next step']);
  });
});
