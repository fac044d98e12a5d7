import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFreshness } from '../../../src/signature/signed/timestamp.ts';
import { NOW, NOW_SECONDS } from '../support.ts';

const TOLERANCE = 300_000;
const check = (text: string, unit: 's' | 'ms' | 'iso8601' | 'auto' = 's', now = NOW) =>
  checkFreshness(text, { unit, tolerance: TOLERANCE }, 'header X-T', now);

describe('checkFreshness', () => {
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
    ['s', `00${NOW_SECONDS}`],
    ['ms', String(NOW)],
    ['auto', NOW_SECONDS],
    ['auto', String(NOW)],
    ['iso8601', '2026-01-05T08:30:00Z'],
    ['iso8601', '2026-01-05T08:29:59.999999Z'],
    ['iso8601', '2026-01-05T09:30:00+01:00'],
  ] as const)('reads %s such as %s', (unit, text) => {
    expect(check(text, unit)).toMatchObject({ ok: true });
  });

  it('takes a time of unknown unit for seconds while it has fewer than 12 digits', () => {
    expect(check('99999999999', 'auto', 99_999_999_999_000).ok).toBe(true);
    expect(check('100000000000', 'auto', 100_000_000_000).ok).toBe(true);
    expect(check('099999999999', 'auto', 99_999_999_999_000).ok).toBe(false);
    expect(check(`${NOW_SECONDS}.5`, 'auto')).toEqual({
      ok: false,
      error: {
        reason: 'malformed',
        detail: 'header X-T is not a time in seconds or milliseconds, in plain digits',
      },
    });
  });

  it.each([
    ['-400', 'header X-T is 400 s old; 300 s are allowed'],
    ['400', 'header X-T is 400 s ahead of the clock here; 300 s are allowed'],
  ])('says how far off a time is: %s s', (offset, detail) => {
    expect(check(String(NOW / 1_000 + Number(offset)))).toEqual({
      ok: false,
      error: { reason: 'stale', detail },
    });
  });

  it.each([
    '',
    'NaN',
    'Infinity',
    '1e9',
    '0x69',
    '+1767601800',
    '-1',
    ' 1767601800',
    '1767601800 ',
    '1767601800.0',
    '1_767',
    '१७६७६०१८००',
    '9'.repeat(16),
    '9'.repeat(4_000),
  ])('refuses %j as seconds: only plain digits', (text) => {
    expect(check(text)).toMatchObject({ ok: false, error: { reason: 'malformed' } });
  });

  it.each([
    '2026-01-05',
    '2026-01-05T08:30:00',
    'Mon, 05 Jan 2026 08:30:00 GMT',
    '2026-13-05T08:30:00Z',
    '2026-01-05 08:30:00Z',
    NOW_SECONDS,
  ])('refuses %j as ISO 8601', (text) => {
    expect(check(text, 'iso8601')).toMatchObject({ ok: false, error: { reason: 'malformed' } });
  });
});
