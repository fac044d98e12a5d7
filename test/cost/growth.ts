import { expect } from 'vitest';

/** Times are compared where the work is long enough for the clock. */
const MIN_MS = 0.5;
/** No body, header or text that is worked on has more. */
const MAX_SIZE = 1 << 20;
/** The clock of a thread may tick every few milliseconds. */
const MEASURED_MS = 24;
const MAX_RUNS = 200;
/** A neighbour's work takes the caches away now and then. */
const TRIES = 3;
const DOUBLINGS = 4;
/** The most that twice the size may cost. Quadratic work comes to 4. */
const MOST = 2.5;

/**
 * Fails unless work for twice the size costs at most 2.5 times as much, over four doublings. It is a ratio of processor
 * time, so that no machine is too slow or too busy for it. `work` prepares a text of about N characters, and
 * returns what is measured.
 */
export function expectLinear(work: (size: number) => () => unknown, from = 1 << 10): void {
  const size = sizeFor(work, from);
  // So cheap that it does not matter how it grows.
  if (size === null) return;
  const [small, large] = [work(size), work(size * 2 ** DOUBLINGS)];
  let least = Infinity;
  for (let i = 0; i < TRIES && least > MOST; i += 1)
    least = Math.min(least, (cost(large) / cost(small)) ** (1 / DOUBLINGS));
  expect(least, `each doubling from ${size} characters on`).toBeLessThanOrEqual(MOST);
}

function sizeFor(work: (size: number) => () => unknown, from: number): number | null {
  for (let size = from; size * 2 ** DOUBLINGS <= MAX_SIZE; size *= 2)
    if (cost(work(size)) >= MIN_MS) return size;
  return null;
}

/** The time of this thread that a run takes, in ms. */
function cost(run: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    run();
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1_000;
    if (ms >= MEASURED_MS || runs === MAX_RUNS) return ms / runs;
  }
}
