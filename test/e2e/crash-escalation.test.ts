import { describe, expect, inject, it } from 'vitest';
import { crashEscalation, escalationCrashFaults } from './crash-escalation.ts';
import { seedOfRun } from './random.ts';

const seed = seedOfRun();

describe(`eight SIGKILLs while steps of escalations are due (SEED=${seed})`, () => {
  it('leave each step taken once and not too early, and each resolution with all whom it notified', async () => {
    const report = await crashEscalation(inject('bundles'), seed);
    expect(escalationCrashFaults(report), JSON.stringify({ seed, ...report })).toEqual([]);
  });
});
