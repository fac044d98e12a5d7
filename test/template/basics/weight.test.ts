import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCANNED_PER_ELEMENT, SCANNED_PER_KEY } from '../../../src/template/basics/limits.ts';
import { sizeOf, spendWeight } from '../../../src/template/basics/weight.ts';

function weightOf(value: unknown, indent = 0): number {
  let weight = 0;
  spendWeight(value, (count) => (weight += count), indent);
  return weight;
}

describe('sizeOf', () => {
  it.each([
    ['abc', 3],
    [['abc', ['d']], 2 * SCANNED_PER_ELEMENT],
    [{ a: 'abc', b: 1, c: null }, 3 * SCANNED_PER_KEY],
    [12, 1],
    [null, 1],
    [undefined, 1],
  ])('looks at %j from outside', (value, expected) => {
    expect(sizeOf(value)).toBe(expected);
  });
});

describe('spendWeight', () => {
  it('counts keys, texts and elements at every depth', () => {
    expect(weightOf({ key: ['abc', { a: 'de' }] })).toBe(
      3 + 3 + 1 + 2 + 2 * SCANNED_PER_ELEMENT + 2 * SCANNED_PER_KEY,
    );
  });

  it('is at least as much as the characters of the JSON that no character of is escaped', () => {
    const plainText = fc.stringMatching(/^[a-z ]{0,20}$/);
    const value = fc.anything({
      key: plainText,
      values: [plainText, fc.boolean(), fc.integer({ min: 0, max: 99 })],
    });
    fc.assert(
      fc.property(value, (given) => {
        const json = JSON.stringify(given) ?? '';
        expect(weightOf(given) + 4).toBeGreaterThanOrEqual(json.length / 2);
      }),
    );
  });

  it('pays for the blanks of lines that are indented', () => {
    const deep = [[[['a', 'b']]]];
    const indent = /^ +/gm;
    const blanks = [...JSON.stringify(deep, null, 2).matchAll(indent)].reduce(
      (sum, [{ length }]) => sum + length,
      0,
    );
    expect(weightOf(deep, 2) - weightOf(deep)).toBeGreaterThanOrEqual(blanks / 2);
  });

  it('pays before it goes in, so that a walk ends with its budget', () => {
    let calls = 0;
    const wide = Array.from({ length: 1_000 }, () => ['a']);
    const spend = (count: number): void => {
      calls += 1;
      if (count >= 1_000) throw new Error('too much');
    };
    expect(() => spendWeight(wide, spend)).toThrow('too much');
    expect(calls).toBe(1);
  });
});
