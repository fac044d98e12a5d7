import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { both, either, NOTHING, readPattern, type State, without } from '../../scripts/digit-patterns.ts';

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

/** Whether the automaton has the text: of it and the text alone nothing else is left. */
const has = (state: State, text: string): boolean => both(state, readPattern(text)) !== NOTHING;

describe('a pattern of digits', () => {
  it('takes the texts of the regular expression; so do union, intersection and difference', () => {
    const texts = fc.array(digits, { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(pattern, pattern, texts, (one, other, all) => {
        const [a, b] = [readPattern(one), readPattern(other)];
        for (const text of all) {
          const [inA, inB] = [regExp(one).test(text), regExp(other).test(text)];
          expect([a, either(a, b), both(a, b), without(a, b)].map((state) => has(state, text))).toEqual([
            inA,
            inA || inB,
            inA && inB,
            inA && !inB,
          ]);
        }
      }),
    );
  });

  it.each([
    ['1d{3}|2d{3}', '[12]d{3}'],
    ['10d{4}|[2-4]1d{4}|10d{4}', '(10|[2-4]1)d{4}'],
    ['8d{5}|8[0-4]d{4}', '8d{5}'],
  ])('%s is %s', (given, same) => {
    expect(readPattern(same)).toBe(readPattern(given));
  });

  it('is another where a single number is another', () => {
    expect(readPattern('1[0-8]d{7}')).not.toBe(readPattern('1d{8}'));
    expect(readPattern('1d{7}')).not.toBe(readPattern('1d{7,8}'));
  });

  it.each(['(1', '1)', 'x', '[1', '1+', '(?!1)2'])('with more in it is refused: %s', (given) => {
    expect(() => readPattern(given)).toThrow(given);
  });
});
