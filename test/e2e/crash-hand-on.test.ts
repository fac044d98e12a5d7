import { describe, expect, inject, it } from 'vitest';
import { crashHandOn, handOnCrashFaults } from './crash-hand-on.ts';
import { seedOfRun } from './random.ts';

const seed = seedOfRun();

describe(`32 SIGKILLs while one account hands its messages on to another (SEED=${seed})`, () => {
  it('has each fallback taken once, loses none, and sends twice only what was in flight at a kill', async () => {
    const report = await crashHandOn(inject('bundles'), { seed });
    expect(handOnCrashFaults(report), JSON.stringify({ seed, ...report })).toEqual([]);
  });
});
