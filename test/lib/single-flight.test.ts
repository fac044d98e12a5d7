import { afterEach, expect, it, vi } from 'vitest';
import { SingleFlight } from '../../src/lib/cache.ts';

const LATE = 'it did not come in time';

/** A flight of 2 s, and how many calls it made; each call answers with its number. */
function flightOf(call: (n: number) => Promise<number> = async (n) => n) {
  const flight = new SingleFlight<number>(2_000, LATE);
  const watch = { calls: 0 };
  const run = (now: number) =>
    flight.run(now, () => {
      watch.calls += 1;
      return call(watch.calls);
    });
  return { run, watch };
}

afterEach(() => {
  vi.useRealTimers();
});

it('a single flight makes one call for all who ask at once, in whatever order their requests came', async () => {
  const { run, watch } = flightOf();
  const times = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? n : -n));
  expect(await Promise.all(times.map(run))).toEqual(Array(50).fill(1));
  expect(watch.calls).toBe(1);
});

it('a single flight makes another one once the first has ended, well or not, and shares a failure', async () => {
  const { run } = flightOf((n) => (n === 2 ? Promise.reject(new Error('out')) : Promise.resolve(n)));
  expect(await run(0)).toBe(1);
  const all = await Promise.allSettled([run(0), run(0), run(0)]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await run(0)).toBe(3);
});

it.each([2_000, -2_000])(
  'a single flight whose request was cancelled is waited for as long as it is shared: not at %i ms',
  async (later) => {
    vi.useFakeTimers();
    const { run, watch } = flightOf((n) => (n === 1 ? new Promise(() => undefined) : Promise.resolve(n)));
    const waits = Promise.allSettled([run(0), run(later - Math.sign(later))]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await waits).toMatchObject([{ reason: new Error(LATE) }, { reason: new Error(LATE) }]);
    expect(watch.calls).toBe(1);
    expect(await run(later)).toBe(2);
  },
);
