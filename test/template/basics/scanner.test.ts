import fc from 'fast-check';
import { expect, it } from 'vitest';
import { STRING, WORD } from '../../../src/template/grammar.ts';
import { Scanner, inAscii } from '../../../src/template/basics/tokens.ts';

it('a pattern about letters is not compiled for an expression in ASCII, whatever stands around it', () => {
  const text = 'für {{ name }} 🔥';
  const letters = /[\p{L}]+/uy;
  expect(new Scanner(text, 7, 11).take(letters)).toBe('name');
  // Another pattern has matched in its place.
  expect(letters.lastIndex).toBe(0);
  expect(new Scanner(text).take(letters)).toBe('für');
});

const BEHIND_A_WORD = /(?:and|or)(?![\p{L}\p{M}\p{Nd}_?-])/uy;

it.each([WORD, BEHIND_A_WORD])(
  'a pattern about letters finds the same in ASCII when it is of ASCII alone: %s',
  (pattern) => {
    const ascii = fc.string({ unit: 'binary-ascii' });
    const texts = fc.tuple(fc.constantFrom('', 'and', 'a-b_9?'), ascii).map(([start, rest]) => start + rest);
    fc.assert(
      fc.property(texts, (text) => {
        const whole = new RegExp(pattern).exec(text)?.[0];
        expect(new Scanner(text).take(pattern)).toBe(whole);
        expect(new RegExp(inAscii(pattern.source)).exec(text)?.[0]).toBe(whole);
      }),
    );
  },
);

it('a pattern about letters still knows those of any script', () => {
  expect(new Scanner('größe x').take(WORD)).toBe('größe');
  expect(new Scanner('"ä"').take(STRING)).toBe('"ä"');
  expect(new Scanner('orä').take(BEHIND_A_WORD)).toBeUndefined();
});
