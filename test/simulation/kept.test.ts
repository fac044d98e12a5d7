import { expect, it } from 'vitest';
import { KEPT } from './kept.ts';
import { FORMAT, seedNumber } from './run/seed-text.ts';

it('the seeds that are kept are of today’s format, and each is there once', () => {
  expect(new Set(KEPT.map(seedNumber)).size).toBe(KEPT.length);
  expect(KEPT.filter((seed) => !seed.startsWith(`${FORMAT}-`))).toEqual([]);
});
