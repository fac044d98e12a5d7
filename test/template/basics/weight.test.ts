import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { spendWeight } from '../../../src/template/basics/budget.ts';

function weightOf(value: unknown, indent = 0): number {
  let weight = 0;
  spendWeight(value, (count) => (weight += count), indent);
  return weight;
}

it('a weight is at least as much as the characters of the JSON that no character of is escaped', () => {
  const key = fc.stringMatching(/^[a-z ]{0,20}$/);
  const value = fc.anything({ key, values: [key, fc.boolean(), fc.integer({ min: 0, max: 99 })] });
  fc.assert(
    fc.property(value, (given) => {
      const json = JSON.stringify(given) ?? '';
      expect(weightOf(given) + 4).toBeGreaterThanOrEqual(json.length / 2);
    }),
  );
});

it('a weight pays for the blanks of lines that are indented', () => {
  const deep = [[[['a', 'b']]]];
  const blanks = [...JSON.stringify(deep, null, 2).matchAll(/^ +/gm)].map(([all]) => all.length);
  const paid = weightOf(deep, 2) - weightOf(deep);
  expect(paid).toBeGreaterThanOrEqual(blanks.reduce((sum, length) => sum + length, 0) / 2);
});

it('a weight is paid before it goes in, so that a walk ends with its budget', () => {
  let calls = 0;
  const wide = Array.from({ length: 1_000 }, () => ['a']);
  const spend = (count: number): void => {
    calls += 1;
    if (count >= 1_000) throw new Error('too much');
  };
  expect(() => spendWeight(wide, spend)).toThrow('too much');
  expect(calls).toBe(1);
});
