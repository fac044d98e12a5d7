import { describe, expect, inject, it } from 'vitest';
import { crashGroups, groupCrashFaults } from './crash-groups.ts';
import { seedOfRun } from './random.ts';

const seed = seedOfRun();

describe(`eight SIGKILLs while alerts fire and resolve, in groups and under throttles (SEED=${seed})`, () => {
  it('leave no item without its outcome, send each resolution, and nothing twice but what was in flight', async () => {
    const report = await crashGroups(inject('bundles'), { seed, onUncertain: 'retry' });
    expect(groupCrashFaults(report), JSON.stringify({ seed, ...report })).toEqual([]);
  });
});
