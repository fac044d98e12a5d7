import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clip, oneLine, safe, widthOf, wrap } from '../../cli/text.ts';

const grapheme = fc.string({ unit: 'grapheme' });
const width = fc.integer({ min: 1, max: 40 });

it('text for a terminal holds nothing that a terminal would obey', () => {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(safe(text)).not.toMatch(obeyed);
      expect(oneLine(text)).not.toMatch(/[\n\t]/);
    }),
  );
  expect(safe('\u001b[2J')).toBe('\\u001b[2J');
});

it('text for a terminal is never wider than it may be once it is clipped, and whole when it fits', () => {
  fc.assert(
    fc.property(grapheme, width, (text, columns) => {
      expect(widthOf(clip(text, columns))).toBeLessThanOrEqual(columns);
      if (widthOf(text) <= columns) expect(clip(text, columns)).toBe(text);
    }),
  );
  expect(clip('Hello there', 8)).toBe('Hello t…');
});

it('text for a terminal is as wide as people see it', () => {
  const texts = ['ab', '日本', '👩‍👩‍👧', 'é', '\u001b[31mred\u001b[39m'];
  expect(texts.map(widthOf)).toEqual([2, 4, 2, 1, 3]);
});

it('text for a terminal is broken at spaces where it would be too wide, whatever is in it', () => {
  fc.assert(
    fc.property(grapheme, width, (text, columns) => {
      for (const line of wrap(safe(text), columns))
        if (line.includes(' ')) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    }),
  );
  expect(wrap('one two three\nfour', 7)).toEqual(['one two', 'three', 'four']);
  expect(wrap('https://example.com/long is long', 10)).toEqual(['https://example.com/long', 'is long']);
});
