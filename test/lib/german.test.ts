import { expect, it } from 'vitest';
import { isGerman } from '../../src/lib/german.ts';

it.each([
  ['de', true],
  ['de-AT', true],
  ['DE-de', true],
  ['den', false],
  ['en-DE', false],
  ['', false],
])('a locale such as %j is German: %s', (locale, expected) => {
  expect(isGerman(locale)).toBe(expected);
});
