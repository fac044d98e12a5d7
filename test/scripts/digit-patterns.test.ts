import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPattern, shorterPattern } from '../../scripts/digit-patterns.ts';

const sign = fc.constantFrom('0', '1', '9', 'd', '[0-4]', '[13-57]', '[2-9]');
const piece = fc.tuple(sign, fc.constantFrom('', '', '?', '{2}', '{1,2}')).map((parts) => parts.join(''));

/** Choices of up to two parts each, such as metadata has them. */
const choicesOf = (part: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(
      fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((choices) => choices.join('|'));

const pattern = choicesOf(
  fc.oneof(
    piece,
    choicesOf(piece).map((inner) => `(${inner})`),
  ),
);

const digits = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 12 }).map((all) => all.join(''));
const regExp = (text: string): RegExp => new RegExp(`^(?:${text.replaceAll('d', String.raw`\d`)})$`);

describe('a pattern of digits', () => {
  it('takes the same texts when it is written anew, and is never longer', () => {
    fc.assert(
      fc.property(pattern, fc.array(digits, { minLength: 20, maxLength: 20 }), (given, texts) => {
        const made = shorterPattern(given);
        expect(made.length).toBeLessThanOrEqual(given.length);
        const [one, other] = [regExp(given), regExp(made)];
        for (const text of texts) expect(other.test(text), `${text} by ${made}`).toBe(one.test(text));
      }),
    );
  });

  it.each([
    ['1d{3}|2d{3}', '[12]d{3}'],
    ['10d{4}|[2-4]1d{4}|10d{4}', '(10|[2-4]1)d{4}'],
    ['12?', '12?'],
    ['8d{5}|8[0-4]d{4}', '8d{5}'],
  ])('%s is %s', (given, made) => {
    expect(readPattern(made)).toBe(readPattern(given));
    expect(shorterPattern(given).length).toBeLessThanOrEqual(made.length);
  });

  it('is another where a single number is another', () => {
    expect(readPattern('1[0-8]d{7}')).not.toBe(readPattern('1d{8}'));
    expect(readPattern('1d{7}')).not.toBe(readPattern('1d{7,8}'));
  });

  it.each(['(1', '1)', 'x', '[1', '1+', '(?!1)2'])('with more in it is refused: %s', (given) => {
    expect(() => readPattern(given)).toThrow(given);
  });
});
