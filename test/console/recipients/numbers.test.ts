import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readNumbers } from '../../../console/pages/recipients/numbers.ts';

test('numbers are read as people write them, each once', () => {
  expect(readNumbers('+49 151 / 123-45678\n\n 0049 (151) 12345678\n4915187654321 ')).toEqual({
    numbers: ['4915112345678', '4915187654321'],
    wrong: [],
  });
});

test('a number without its country code, and what is none, is named as it was typed', () => {
  expect(readNumbers('0151 12345678\nmum\n+49 151 12345678')).toEqual({
    numbers: ['4915112345678'],
    wrong: ['0151 12345678', 'mum'],
  });
});

test('each line that is not empty is a number or wrong', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 20 }).filter((one) => !/[\r\n]/.test(one))), (lines) => {
      const { numbers, wrong } = readNumbers(lines.join('\n'));
      expect(numbers.every((one) => /^[1-9]\d{6,14}$/.test(one))).toBe(true);
      expect(numbers.length + wrong.length).toBeLessThanOrEqual(lines.length);
    }),
  );
});
