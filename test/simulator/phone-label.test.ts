import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { phoneLabel } from '../../simulator/phone-label.ts';

test.each([
  ['4915112345678', '+49 151 1234 5678'],
  ['12025550143', '+1 202 555 0143'],
  ['33612345678', '+33 612 345 678'],
  ['35312345678', '+353 1234 5678'],
  ['79161234567', '+7 916 123 4567'],
  ['971501234567', '+971 501 234 567'],
])('%s is shown as %s', (digits, label) => {
  expect(phoneLabel(digits)).toBe(label);
});

test('no digit is lost, added or moved', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[1-9]\d{6,14}$/),
      (digits) => phoneLabel(digits).replaceAll(/[+ ]/g, '') === digits,
    ),
  );
});
