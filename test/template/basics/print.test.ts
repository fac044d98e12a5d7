import { describe, expect, it } from 'vitest';
import { glimpse, hint, toText } from '../../../src/template/basics/print.ts';

describe('toText', () => {
  it.each([
    ['a', 'a'],
    [1.5, '1.5'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
    [[1, null, ['b', { c: 1 }]], '1b{"c":1}'],
    [{ a: 1 }, '{"a":1}'],
  ])('%j is %s', (value, expected) => {
    expect(toText(value)).toBe(expected);
  });
});

describe('glimpse', () => {
  it.each([
    ['abcd', '"abcd"'],
    ['abcde', '"abcd…"'],
    ['😀😀😀😀😀', '"😀😀😀😀"'],
    [null, '""'],
    [{ secret: 1 }, '"{"se…"'],
  ])('%j shows as %s', (value, expected) => {
    expect(glimpse(value)).toBe(expected);
  });
});

describe('hint', () => {
  it('names a known word that is close', () => {
    expect(hint('plian', new Set(['money', 'plain']))).toBe(' (did you mean "plain"?)');
  });

  it.each(['nonsense', 'x', ''])('makes nothing of "%s"', (word) => {
    expect(hint(word, ['money', 'upcase'])).toBe('');
  });
});
