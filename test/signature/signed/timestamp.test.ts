import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkFreshness } from '../../../src/signature/schemes/signed.ts';
import { NOW, NOW_SECONDS, outcome, outcomeInFull } from '../support.ts';

const TOLERANCE = 300_000;
const check = (text: string, unit: 's' | 'ms' | 'iso8601' | 'auto' = 's', now = NOW) =>
  checkFreshness(text, { unit, tolerance: TOLERANCE }, 'header X-T', now);

it('takes exactly the times within the tolerance, before and after', () => {
  const offsets = fc.integer({ min: -3 * TOLERANCE, max: 3 * TOLERANCE });
  fc.assert(
    fc.property(offsets, (offset) => {
      expect(check(String(NOW + offset), 'ms').ok).toBe(Math.abs(offset) <= TOLERANCE);
    }),
  );
});

it.each([
  ['s', NOW_SECONDS],
  ['auto', NOW_SECONDS],
  ['auto', String(NOW)],
  ['iso8601', '2026-01-05T08:30:00Z'],
  ['iso8601', '2026-01-05T09:30:00+01:00'],
] as const)('reads %s such as %s', (unit, text) => {
  expect(outcome(check(text, unit))).toBe('accepted');
});

it('takes a time of unknown unit for seconds while it has fewer than 12 digits', () => {
  expect(check('99999999999', 'auto', 99_999_999_999_000).ok).toBe(true);
  expect(check('100000000000', 'auto', 100_000_000_000).ok).toBe(true);
  expect(check('099999999999', 'auto', 99_999_999_999_000).ok).toBe(false);
  const detail = 'header X-T is not a time in seconds or milliseconds, in plain digits';
  expect(outcomeInFull(check(`${NOW_SECONDS}.5`, 'auto'))).toBe(`malformed: ${detail}`);
});

it('refuses all but plain digits as seconds, and all but a date with time and zone as ISO 8601', () => {
  const signs = ['', 'NaN', 'Infinity', '1e9', '0x69', '+1767601800', '-1', ' 1767601800', '1767601800 '];
  const others = ['1767601800.0', '1_767', '१७६७६०१८००', '9'.repeat(16), '9'.repeat(4_000)];
  for (const text of [...signs, ...others]) expect(outcome(check(text)), text).toBe('malformed');
  const parts = ['2026-01-05', '2026-01-05T08:30:00', '2026-13-05T08:30:00Z', '2026-01-05 08:30:00Z'];
  for (const text of [...parts, 'Mon, 05 Jan 2026 08:30:00 GMT', NOW_SECONDS])
    expect(outcome(check(text, 'iso8601')), text).toBe('malformed');
});
