import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bucketOf, histogram, quantile } from '../../src/counts/histogram.ts';

const BOUNDS = [1, 2, 5];
const of = (...values: readonly number[]) =>
  histogram(
    BOUNDS,
    (le) => values.filter((value) => bucketOf(BOUNDS, value) === le).length,
    values.reduce((sum, value) => sum + value, 0),
  );

it('a histogram has a bound in its own bucket, and in each bucket what is in those before it as well', () => {
  const buckets = [0, 1, 1.001, 5, 5.001].map((value) => bucketOf(BOUNDS, value));
  expect(buckets).toEqual(['1', '1', '2', '5', '+Inf']);
  const { buckets: filled, sum, count } = of(0.5, 1.5, 1.6, 9);
  expect(filled.map(({ le, count: upTo }) => `${le}: ${upTo}`)).toEqual(['1: 1', '2: 3', '5: 3', '+Inf: 4']);
  expect([sum, count]).toEqual([12.6, 4]);
});

it('a quantile lies on a straight line within a bucket: unknown of nothing, and the last bound for all beyond', () => {
  expect(quantile(of(), 0.5)).toBeNull();
  expect(quantile(of(1.5, 1.5), 0.5)).toBe(1.5);
  expect(quantile(of(0.1, 0.1, 0.1, 4), 0.5)).toBeCloseTo(2 / 3);
  expect(quantile(of(100, 200), 0.5)).toBe(5);
});

it('a quantile is in the bucket of the value that it is of, and grows with its share', () => {
  const values = fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 1 });
  const share = fc.double({ min: 0.01, max: 1, noNaN: true });
  fc.assert(
    fc.property(values, share, share, (list, one, other) => {
      const sorted = list.toSorted((a, b) => a - b);
      const exact = sorted[Math.ceil(one * sorted.length - 1e-9) - 1] ?? 0;
      expect(quantile(of(...list), one)).toBeLessThanOrEqual(Number(bucketOf(BOUNDS, exact)));
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      expect(quantile(of(...list), low) ?? 0).toBeLessThanOrEqual(quantile(of(...list), high) ?? 0);
    }),
  );
});
