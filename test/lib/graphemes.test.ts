import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitText, truncateGraphemes, truncateTo } from '../../src/lib/text.ts';
import { render } from '../template/helpers.ts';

const FAMILY = '👨‍👩‍👧';
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const graphemesOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);

const dense = (value: string): string => value.replace(/\s/g, '');

/** Texts of what is easily cut in two; no grapheme is longer than 12 units. */
const SPACES = [' ', '  ', '\n', '\n\n', '\r\n'];
const CHARACTERS = ['a', 'bc', 'é', 'e\u0301', '😀', FAMILY, '🇩🇪', '👍🏽', '한', ' \u0301', '\ud83d'];
const texts = fc
  .array(fc.constantFrom(...SPACES, ...CHARACTERS), { maxLength: 60 })
  .map((parts) => parts.join(''))
  .filter((text) => graphemesOf(text).every(({ length }) => length <= 12));

it.each([
  ['hello', 5, 'hello'],
  ['hello', 4, 'hel…'],
  [`ab${FAMILY}`, 9, 'ab…'],
  ['😀😀', 2, '…'],
  ['abc', 0, ''],
])('truncateTo %j at %i is %j', (text, max, expected) => {
  expect(truncateTo(text, max)).toBe(expected);
});

it('truncateTo is never over the limit and never cuts a grapheme', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 80 }), (text, max) => {
      const cut = truncateTo(text, max);
      expect(cut.length).toBeLessThanOrEqual(max);
      if (cut === text) return;
      const kept = graphemesOf(cut.slice(0, -1));
      expect(cut.at(-1)).toBe('…');
      expect(graphemesOf(text).slice(0, kept.length)).toEqual(kept);
    }),
  );
});

it.each([
  ['hello', 5, 'hello'],
  ['hello', 4, 'hel…'],
  [FAMILY.repeat(4), 3, `${FAMILY.repeat(2)}…`],
])('truncateGraphemes %j at %i is %j', (text, count, expected) => {
  expect(truncateGraphemes(text, count)).toBe(expected);
});

const cut = (count: string) => render(`{{ payload.a | truncate_chars: ${count} }}`, { a: 'hello' });

it('truncateGraphemes is the filter truncate_chars, which wants a whole number', () => {
  expect(cut('4')).toBe('hel…');
  for (const count of ['0', '"x"']) expect(cut(count)).toContain('must be a whole number above 0');
});

it.each([
  ['one two three', 8, ['one two', 'three']],
  ['first\n\nsecond third', 10, ['first', 'second', 'third']],
  ['a line\nanother line', 12, ['a line', 'another line']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  [`${FAMILY}${FAMILY}`, 10, [FAMILY, FAMILY]],
  ['        ', 4, ['']],
  ['abcd \u0301ef', 4, ['abcd', ' \u0301ef']],
])('splitText %j at %i is %j', (text, max, expected) => {
  expect(splitText(text, max)).toEqual(expected);
});

it('splitText has no piece over the limit, cuts no grapheme and loses only white space', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 12, max: 40 }), (text, max) => {
      const pieces = splitText(text, max);
      expect(pieces.filter(({ length }) => length > max)).toEqual([]);
      expect(dense(pieces.join(''))).toBe(dense(text));
      const known = new Set(graphemesOf(text));
      expect(pieces.flatMap(graphemesOf).filter((one) => !known.has(one))).toEqual([]);
    }),
  );
});

it('splitText cuts a grapheme that is too long by itself between code points', () => {
  const pieces = splitText(`e${'\u0301'.repeat(10)}`, 4);
  expect(pieces.map(({ length }) => length)).toEqual([4, 4, 3]);
  expect(splitText('😀😀', 3)).toEqual(['😀', '😀']);
  expect(splitText('😀😀', 1)).toEqual(['😀', '😀']);
});
