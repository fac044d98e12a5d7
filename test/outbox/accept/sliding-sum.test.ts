import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlidingSum } from '../../../src/outbox/accept/sliding-sum.ts';

const WINDOW = 1_000;
const step = fc.record({ ms: fc.nat(400), amount: fc.integer({ min: 1, max: 9 }) });
const steps = fc.array(step, { maxLength: 60 });

/** Adds all of it and gives what was added when (ms), and the time after the last. */
function filled(sum: SlidingSum, added: readonly { ms: number; amount: number }[]) {
  let now = 5_000;
  const log = added.map(({ ms, amount }) => {
    now += ms;
    sum.add(amount, now);
    return { at: now, amount };
  });
  return { now, log };
}

const sumOf = (...added: readonly (readonly [amount: number, at: number])[]) => {
  const sum = new SlidingSum({ windowMs: WINDOW, grainMs: 100 });
  for (const [amount, at] of added) sum.add(amount, at);
  return sum;
};

describe('a sliding sum', () => {
  it('is never less than what came within the window, whatever the grain', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 300 }), (added, grainMs) => {
        const sum = new SlidingSum({ windowMs: WINDOW, grainMs });
        const { now, log } = filled(sum, added);
        const within = log.filter(({ at }) => at > now - WINDOW);
        const exact = within.reduce((total, { amount }) => total + amount, 0);
        expect(sum.total(now)).toBeGreaterThanOrEqual(exact);
      }),
    );
  });

  it('says to the millisecond how long it is above a value', () => {
    fc.assert(
      fc.property(steps, fc.nat(100), (added, max) => {
        const sum = new SlidingSum({ windowMs: WINDOW, grainMs: 50 });
        const { now } = filled(sum, added);
        const wait = sum.waitFor(max, now);
        expect(wait).toBeLessThanOrEqual(WINDOW);
        if (wait > 0) expect(sum.total(now + wait - 1)).toBeGreaterThan(max);
        expect(sum.total(now + wait)).toBeLessThanOrEqual(max);
      }),
    );
  });

  it('holds no more grains than fit into the window, however much comes', () => {
    const sum = sumOf();
    for (let now = 0; now < 5_000; now += 1) sum.add(1, now);
    expect(sum.amounts(5_000).length).toBeLessThanOrEqual(11);
  });

  it('goes on from what was kept', () => {
    const again = new SlidingSum({ windowMs: WINDOW, grainMs: 100 }, sumOf([5, 100], [7, 600]).amounts(700));
    expect([again.total(700), again.total(1_100)]).toEqual([12, 7]);
  });

  it('is as it was when what was just added is taken back, and loses nothing when the clock goes back', () => {
    expect(sumOf([5, 100], [7, 150], [-7, 150]).total(150)).toBe(5);
    expect(sumOf([5, 5_000], [1, 4_000]).total(5_500)).toBe(6);
  });
});
