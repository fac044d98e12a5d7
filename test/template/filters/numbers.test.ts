import { describe, expect, it } from 'vitest';
import { formatNumber } from '../../../src/template/filters/numbers.ts';
import { render } from '../helpers.ts';

const format = (value: unknown, digits?: unknown): string => {
  const result = formatNumber(value, digits, 'de-DE');
  return result.ok ? result.value : `! ${result.error}`;
};

describe('number', () => {
  it.each([
    [1234567.891, undefined, '1.234.567,891'],
    [0.12345, undefined, '0,123'],
    [5, 2, '5,00'],
    ['1234.5', 0, '1.235'],
    ['12345678901234567890', undefined, '12.345.678.901.234.567.890'],
  ])('%j with %j digits is %s', (value, digits, expected) => {
    expect(format(value, digits)).toBe(expected);
  });

  it.each([
    ['x', undefined, '"x" is not a number'],
    [1, 'two', 'fraction digits must be a whole number'],
    [1, 21, 'fraction digits'],
    [1, -2, 'fraction digits'],
    [1, 1.5, 'fraction digits'],
  ])('%j with %j digits is refused', (value, digits, reason) => {
    expect(format(value, digits)).toContain(reason);
  });

  it('of nothing is empty', () => {
    expect(render('[{{ payload.a | number }}]')).toBe('[]');
  });
});
