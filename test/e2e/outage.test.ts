import { expect, inject, it } from 'vitest';
import { outage, outageFaults } from './outage.ts';

it('takes 2,000 webhooks while the gateway refuses, hangs, answers 500 and HTML; all arrive later, in order', async () => {
  const report = await outage(inject('bundles'));
  expect(report.accepted).toBe(2_000);
  expect(outageFaults(report), JSON.stringify(report)).toEqual([]);
});
