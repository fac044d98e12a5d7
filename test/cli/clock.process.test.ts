import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { processClock } from '../clock/processes.ts';
import { admin } from './support.ts';

/** That `read` says a time between two readings of the tests' clock. */
async function expectSameClock(read: () => number | Promise<number>): Promise<void> {
  const before = Date.now();
  const now = await read();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
}

it('the relay has the clock of the tests, whatever TEST_CLOCK says', () =>
  expectSameClock(async () => {
    const { now } = z.object({ now: z.string() }).parse(await admin('GET', '/doctor'));
    return Date.parse(now);
  }));

it('so has a Node that runs the command line', () =>
  expectSameClock(() => {
    const env = { ...process.env, ...processClock() };
    return Number(execFileSync(process.execPath, ['-p', 'Date.now()'], { env, encoding: 'utf8' }));
  }));
