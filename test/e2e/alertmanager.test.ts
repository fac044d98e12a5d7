import { expect, inject, it } from 'vitest';
import { ALERTS, alertStorm, distinct, INTERVAL_MS, sumOf } from './alert-storm.ts';
import { isInstalled } from './alertmanager.ts';

it.skipIf(!isInstalled())(
  'five hundred alerts of a real Alertmanager are one message, few updates and one last, over four SIGKILLs',
  async () => {
    const { said, webhooks, outcomes, interrupted, tookMs } = await alertStorm(inject('bundles'));
    const shown = JSON.stringify({ said, webhooks, outcomes: [...outcomes], interrupted, tookMs });
    // At the gateway a message comes twice only where a kill cut its call off.
    const once = distinct(said);
    expect(said.length - once.length, shown).toBeLessThanOrEqual(interrupted);
    expect(once[0]?.opened, shown).toBeGreaterThan(0);
    expect(sumOf(once, 'opened'), shown).toBe(ALERTS);
    expect(sumOf(once, 'resolved'), shown).toBe(ALERTS);
    expect(once.map(({ open }) => open).indexOf(0), shown).toBe(once.length - 1);
    // The first, the last, and an update each interval at most.
    expect(once.length, shown).toBeLessThanOrEqual(2 + Math.floor(tookMs / INTERVAL_MS));
    expect(outcomes.get('waiting') ?? 0, shown).toBe(0);
    expect(
      [...outcomes.values()].reduce((sum, count) => sum + count, 0),
      shown,
    ).toBeGreaterThanOrEqual(2 * ALERTS);
  },
);
