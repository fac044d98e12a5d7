import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { both, readPattern } from '../../scripts/digit-patterns.ts';
import { writeTrees } from '../../scripts/number-trees.ts';
import { patternOf } from '../../src/template/filters/phone-tree.ts';

const LENGTHS = [3, 4, 6];
const ASKED = readPattern('[1-8]d{2,3}|2d{5}');
const written = (valid: string) => writeTrees(both(readPattern(valid), ASKED), ASKED, LENGTHS);

/** Patterns with numbers of these lengths: some first digits, and any others after them. */
const valid = fc
  .array(
    fc.tuple(
      fc.stringMatching(/^[1-9][0-9]?$/),
      fc.constantFrom('', 'd', '[2-5]'),
      fc.constantFrom(...LENGTHS),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) =>
    all
      .map(
        ([first, second, length]) =>
          `${first}${second}d{${length - first.length - Math.sign(second.length)}}`,
      )
      .join('|'),
  );

describe('trees of valid numbers', () => {
  it('mean the same numbers, of those that are asked for', () => {
    fc.assert(
      fc.property(valid, (pattern) => {
        const [groups, trees] = written(pattern);
        const read = readPattern(patternOf(groups, trees).replaceAll('.', 'd'));
        expect(both(read, ASKED)).toBe(both(readPattern(pattern), ASKED));
      }),
    );
  });

  it('tell nothing that is not asked: all that begin with 2 are valid, as none begins with 0 or 9', () => {
    expect(written('[12]d{2,3}|2d{5}')).toEqual([['346'], ['.AA.......']]);
  });

  it('are one for lengths that have most in common, with a letter for those that alone are valid', () => {
    const [groups] = written('1[13]d{1,2}|3[35]d{1,2}|4[17]d{1,2}|5[28]d{1,2}|6[16]d');
    expect(groups).toEqual(['34,3']);
  });

  it('are written once where they are the same', () => {
    expect(written('[36][12]d')).toEqual([['3'], ['...b..0....AA.......']]);
  });

  it('are none where no number is valid', () => {
    expect(written('9d{2}')).toEqual([[], []]);
  });
});
