import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameDocument } from '../../patch/same.ts';
import { documents } from './support.ts';

const turned = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toReversed())
    : value;

describe('two documents', () => {
  it('are the same whatever the order of their keys', () => {
    fc.assert(
      fc.property(documents, (one) => {
        expect(sameDocument(one, turned(one))).toBe(true);
      }),
    );
  });

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, { a: 1, b: null }],
    [{ a: 1 }, { b: 1 }],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [[], {}],
    [{}, null],
    [JSON.parse('{"__proto__":1}'), { a: 1 }],
  ])('are not: %j and %j', (a, b) => {
    expect(sameDocument(a, b)).toBe(false);
    expect(sameDocument(b, a)).toBe(false);
  });

  it('are compared as they would be sent', () => {
    expect(sameDocument({ a: undefined, b: NaN }, { b: null })).toBe(true);
  });
});
