import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeEdit } from '../../patch/merge.ts';

const lines = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '  d'), { maxLength: 12 })
  .map((all) => all.join('\n'));

/** Lines that no other word has. */
const long = (word: string) => Array.from({ length: 1_500 }, (_, n) => `${word}${n}`).join('\n');

describe('an edit that is merged', () => {
  it('leaves what it did not touch as it was written', () => {
    expect(mergeEdit('a:  1\nb: 2\nc:  3', 'a: 1\nb: 2\nc: 3', 'a: 1\nb: 4\nc: 3')).toBe(
      'a:  1\nb: 4\nc:  3',
    );
  });

  it('leaves the line beside it, which was written in another form, too', () => {
    expect(mergeEdit('a:  1\nb:  2\nc:  3', 'a: 1\nb: 2\nc: 3', 'a: 1\nb: 4\nc: 3')).toBe(
      'a:  1\nb: 4\nc:  3',
    );
  });

  it('wins where it touches lines that were laid out in another way', () => {
    expect(mergeEdit('a:\n  [1,\n  2]\nb: 1', 'a: [1, 2]\nb: 1', 'a: [1, 3]\nb: 1')).toBe('a: [1, 3]\nb: 1');
  });

  it('is the edited text when nobody wrote in another way, and the written one when nothing was edited', () => {
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        expect(mergeEdit(one, one, other)).toBe(other);
        expect(mergeEdit(other, one, one)).toBe(other);
      }),
    );
  });

  it('is taken whole where too much differs', () => {
    expect(mergeEdit(long('a'), long('b'), long('c'))).toBe(long('c'));
  });
});
