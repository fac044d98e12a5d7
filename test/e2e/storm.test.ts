import { expect, inject, it } from 'vitest';
import { storm, stormFaults } from './storm.ts';

it('takes 12,000 webhooks at full speed: none lost, memory bounded, the admin API answers throughout', async () => {
  const report = await storm(inject('bundles'));
  expect(report.accepted).toBe(12_000);
  expect(stormFaults(report), JSON.stringify(report)).toEqual([]);
});
