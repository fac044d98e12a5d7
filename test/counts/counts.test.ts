import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseOwnJson } from '../../src/lib/json.ts';
import { Counts, type Totals, bucketOf, histogram, quantile } from '../../src/counts/counts.ts';

it('counts add up by what they count', () => {
  const counts = new Counts();
  counts.add(1, 'event', 'shop', 'routed');
  counts.add(2, 'event', 'shop', 'routed');
  counts.add(1, 'event', 'form', 'routed');
  expect([counts.get('event', 'shop', 'routed'), counts.get('event', 'shop', 'failed')]).toEqual([3, 0]);
  const [shop, form] = [
    ['shop', 'routed'],
    ['form', 'routed'],
  ];
  expect([counts.of('event'), counts.size]).toEqual([
    [
      [shop, 3],
      [form, 1],
    ],
    2,
  ]);
});

it('counts are no different for names that objects have of their own', () => {
  const counts = new Counts();
  for (const name of ['constructor', '__proto__']) counts.add(1, 'attempt', name);
  const again = new Counts(parseOwnJson<Totals>(JSON.stringify(counts)));
  again.add(1, 'attempt', 'constructor');
  expect(Object.entries(again.toJSON())).toEqual([
    ['attempt constructor', 2],
    ['attempt __proto__', 1],
  ]);
});

const BOUNDS = [1, 2, 5];

const of = (...values: readonly number[]) =>
  histogram(
    BOUNDS,
    (le) => values.filter((value) => bucketOf(BOUNDS, value) === le).length,
    values.reduce((sum, value) => sum + value, 0),
  );

it('a histogram has a bound in its own bucket, and counts what is in those before it as well', () => {
  const buckets = ['1', '1', '2', '5', '+Inf'];
  expect([0, 1, 1.001, 5, 5.001].map((value) => bucketOf(BOUNDS, value))).toEqual(buckets);
  const { buckets: counted, ...all } = of(0.5, 1.5, 1.6, 9);
  expect(counted.map(({ le, count }) => `${le}: ${count}`)).toEqual(['1: 1', '2: 3', '5: 3', '+Inf: 4']);
  expect(all).toEqual({ sum: 12.6, count: 4 });
});

describe('a quantile', () => {
  it('is unknown of nothing, on a straight line within its bucket, and never beyond the last bound', () => {
    expect(quantile(of(), 0.5)).toBeNull();
    expect(quantile(of(1.5, 1.5), 0.5)).toBe(1.5);
    expect(quantile(of(0.1, 0.1, 0.1, 4), 0.5)).toBeCloseTo(2 / 3);
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
