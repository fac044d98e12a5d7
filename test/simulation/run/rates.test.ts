import { expect, test } from 'vitest';
import { rateTable } from './rates.ts';

/** A seed of a day that took N seconds of a core. */
const ran = (webhooks: number, seconds: number, hours = 24) => ({
  hours,
  simulatedMs: 24 * 3_600_000,
  cpuMs: seconds * 1_000,
  counts: { webhooks },
});

test('seeds are grouped by how many webhooks a day they have', () => {
  expect(rateTable([ran(99, 1), ran(100, 2), ran(299, 4), ran(600, 6), ran(0, 1)])).toBe(
    [
      '| webhooks a day | seeds | simulated hours a minute of one core | CPU a webhook, ms |',
      '| --- | --- | --- | --- |',
      '| fewer than 100 | 2 | 1440 | 20.2 |',
      '| 100 to 299 | 2 | 480 | 15.0 |',
      '| 600 and more | 1 | 240 | 10.0 |',
      '| all | 5 | 514 | 12.8 |',
    ].join('\n'),
  );
});

test('half a day has half a day’s webhooks', () => {
  expect(rateTable([ran(300, 2, 12)])).toContain('| 600 and more | 1 | 720 | 6.7 |');
});
