import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffLines } from '../../../cli/diff/lines.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })
  .map((lines) => lines.join('\n'));
const linesOf = (value: string): readonly string[] => (value === '' ? [] : value.split('\n'));

const many = (prefix: string): string => Array.from({ length: 10_000 }, (_, n) => `${prefix}${n}`).join('\n');

it('a difference of lines leads from the one text to the other', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const side = (other: 'old' | 'new') =>
        lines.filter(({ kind }) => kind !== other).map(({ text }) => text);
      expect(side('new')).toEqual(linesOf(before));
      expect(side('old')).toEqual(linesOf(after));
    }),
  );
});

it('a difference of lines shows as few lines as can be', () => {
  const kinds = diffLines('a\nb\nc\nd', 'a\nx\nc\nd\ne').map(({ kind }) => kind);
  expect(kinds).toEqual(['same', 'old', 'new', 'same', 'same', 'new']);
});

it('a difference of lines does not compute for ever on texts that have nothing in common', () => {
  expect(diffLines(many('a'), many('b'))).toHaveLength(20_000);
});
