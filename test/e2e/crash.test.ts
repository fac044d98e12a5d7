import { describe, expect, inject, it } from 'vitest';
import { crash, crashFaults } from './crash.ts';
import { seedOfRun } from './random.ts';

const seed = seedOfRun();

describe(`ten SIGKILLs while 1,000 webhooks come in and go out (SEED=${seed})`, () => {
  it('loses nothing that was accepted, and sends twice only what was in flight at a kill', async () => {
    const report = await crash(inject('bundles'), { seed, onUncertain: 'retry' });
    expect(crashFaults(report), JSON.stringify({ seed, ...report })).toEqual([]);
  });

  it('sends nothing twice with `on_uncertain: hold`, and lists what it holds', async () => {
    const report = await crash(inject('bundles'), { seed, onUncertain: 'hold' });
    expect(crashFaults(report), JSON.stringify({ seed, ...report })).toEqual([]);
  });
});
