import { describe, expect, it } from 'vitest';
import { groupsIn, lengthsIn, patternOf } from '../../../src/template/filters/phone-tree.ts';

const isValid = (groups: string, trees: string, digits: string): boolean =>
  new RegExp(`^(?:${patternOf(groupsIn(groups), trees.split('/'))})$`).test(digits);

describe('a tree of valid numbers', () => {
  it('has a letter for each length, in base 36', () => {
    expect(lengthsIn('9ah')).toEqual([9, 10, 17]);
    expect(lengthsIn('')).toEqual([]);
  });

  it.each([
    ['12345', true],
    ['123456', true],
    ['1234567', false],
    ['1234', false],
    ['22345', false],
  ])('takes all lengths of the group after an A: %s', (digits, valid) => {
    expect(isValid('56', '.A........', digits)).toBe(valid);
  });

  it.each([
    ['12345', true],
    ['22345', false],
    ['223456', true],
    ['32345', true],
    ['323456', false],
  ])('takes some lengths of the group after B and C: %s', (digits, valid) => {
    expect(isValid('56,6,5', '.ABC......', digits)).toBe(valid);
  });

  it.each([
    ['1734', true],
    ['1834', false],
    ['2734', false],
    ['2834', true],
    ['3834', true],
    ['4734', true],
    ['4834', false],
  ])('reads nodes level by level, and those that are the same once: %s', (digits, valid) => {
    expect(isValid('4', '.bb01............A..........A.', digits)).toBe(valid);
  });

  it('has a tree for each group', () => {
    const trees = '.A......../..A.......';
    const valid = ['123', '1234', '223', '2234'].filter((digits) => isValid('3/4', trees, digits));
    expect(valid).toEqual(['123', '2234']);
  });

  it('takes no number of a length that the digits so far exceed', () => {
    expect(isValid('24', '.b..........b..........A......', '123')).toBe(false);
    expect(isValid('24', '.b..........b..........A......', '1234')).toBe(true);
  });

  it('takes none at all where there is no group', () => {
    expect(groupsIn('')).toEqual([]);
    expect(patternOf([], [])).toBe('');
  });
});
