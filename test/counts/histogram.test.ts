import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf, histogram, quantile } from '../../src/counts/histogram.ts';

const BOUNDS = [1, 2, 5];

const of = (...values: readonly number[]) =>
  histogram(
    BOUNDS,
    (le) => values.filter((value) => bucketOf(BOUNDS, value) === le).length,
    values.reduce((sum, value) => sum + value, 0),
  );

describe('a histogram', () => {
  it.each([
    [0, '1'],
    [1, '1'],
    [1.001, '2'],
    [5, '5'],
    [5.001, '+Inf'],
  ])('has %d in the bucket up to %s: a bound is in its own bucket', (value, le) => {
    expect(bucketOf(BOUNDS, value)).toBe(le);
  });

  it('counts in each bucket what is in those before it as well', () => {
    expect(of(0.5, 1.5, 1.6, 9)).toEqual({
      buckets: [
        { le: '1', count: 1 },
        { le: '2', count: 3 },
        { le: '5', count: 3 },
        { le: '+Inf', count: 4 },
      ],
      sum: 12.6,
      count: 4,
    });
  });
});

describe('a quantile', () => {
  it('is unknown of nothing', () => {
    expect(quantile(of(), 0.5)).toBeNull();
  });

  it('lies on a straight line within its bucket', () => {
    expect(quantile(of(1.5, 1.5), 0.5)).toBe(1.5);
    expect(quantile(of(0.1, 0.1, 0.1, 4), 0.5)).toBeCloseTo(2 / 3);
  });

  it('beyond the last bound is that bound: nobody knows how much more', () => {
    expect(quantile(of(100, 200), 0.5)).toBe(5);
  });

  it('is in the bucket of the value that it stands for, and grows with its share', () => {
    const values = fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 1 });
    const share = fc.double({ min: 0.01, max: 1, noNaN: true });
    fc.assert(
      fc.property(values, share, share, (list, one, other) => {
        const sorted = list.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(one * sorted.length - 1e-9) - 1] ?? 0;
        const bound = Number(bucketOf(BOUNDS, exact));
        expect(quantile(of(...list), one)).toBeLessThanOrEqual(bound);
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(quantile(of(...list), low) ?? 0).toBeLessThanOrEqual(quantile(of(...list), high) ?? 0);
      }),
    );
  });
});
