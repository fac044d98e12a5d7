import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readDecimal } from '../../../src/template/basics/numbers.ts';

const decimalOf = (value: unknown, shift = 0): string => {
  const result = readDecimal(value, shift);
  return result.ok ? result.value : `! ${result.error}`;
};

it.each([
  ['-5', -2, '-0.05'],
  ['-0', 0, '0'],
  [1e-7, 0, '0.0000001'],
  ['1.5e3', 0, '1500'],
  [' 12.50 ', 0, '12.5'],
  [12, 3, '12000'],
])('readDecimal %j times ten to the %i is %s', (value, shift, expected) => {
  expect(decimalOf(value, shift)).toBe(expected);
});

it('readDecimal refuses what is no number, or is too large', () => {
  const texts = ['', 'abc', '1,5', '1.', '.5', '0x10', 'NaN', 'Infinity', '9'.repeat(41)];
  for (const value of [...texts, Number.NaN, Number.POSITIVE_INFINITY, null, [], {}, true])
    expect(decimalOf(value), JSON.stringify(value)).toMatch(/^! .*(?:is not a number|too large)/);
});

it('readDecimal refuses a number that JSON cannot carry exactly', () => {
  expect(decimalOf(2 ** 53)).toBe('! the number is too large to be exact: it has to come as text');
  expect(decimalOf('9007199254740993')).toBe('9007199254740993');
});

it('readDecimal shifts exactly, as whole arithmetic does', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.integer({ min: 0, max: 4 }), (amount, digits) => {
      const [whole = '', fraction = ''] = decimalOf(String(amount), -digits).split('.');
      const magnitude = BigInt(whole.replace('-', '') + fraction.padEnd(digits, '0'));
      expect(whole.startsWith('-') ? -magnitude : magnitude).toBe(amount);
    }),
  );
});
