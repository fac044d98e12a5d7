import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, oneLine, safe, widthOf, wrap, quoted } from '../../cli/text.ts';

describe('text for a terminal', () => {
  it('holds nothing that a terminal would obey', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // oxlint-disable-next-line no-control-regex -- they are what is looked for
        expect(safe(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(oneLine(text)).not.toMatch(/[\n\t]/);
      }),
    );
    expect(safe('\u001b[2J')).toBe('\\u001b[2J');
  });

  it('is never wider than it may be once it is clipped, and whole when it fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        expect(widthOf(clip(text, columns))).toBeLessThanOrEqual(columns);
        if (widthOf(text) <= columns) expect(clip(text, columns)).toBe(text);
      }),
    );
    expect(clip('Hello there', 8)).toBe('Hello t…');
  });

  it('is as wide as people see it', () => {
    expect([
      widthOf('ab'),
      widthOf('日本'),
      widthOf('👩‍👩‍👧'),
      widthOf('é'),
      widthOf('\u001b[31mred\u001b[39m'),
    ]).toEqual([2, 4, 2, 1, 3]);
  });

  it('is broken where it would be too wide, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        for (const line of wrap(safe(text), columns))
          if (line.includes(' ')) expect(widthOf(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('is one word of a shell, whatever is in it', () => {
    expect(quoted('alerts/on-call/disk')).toBe('alerts/on-call/disk');
    expect(quoted("it's $HOME")).toBe(`'it'\\''s $HOME'`);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const read = quoted(text).replaceAll(`'\\''`, '\u0000').replaceAll("'", '').replaceAll('\u0000', "'");
        expect(read).toBe(text.replaceAll('\u0000', "'"));
      }),
    );
  });

  it('is broken at spaces', () => {
    expect(wrap('one two three\nfour', 7)).toEqual(['one two', 'three', 'four']);
    expect(wrap('https://example.com/long is long', 10)).toEqual(['https://example.com/long', 'is long']);
  });
});
