import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/gateway/retry-after.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY = 86_400_000;

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 120 ', 120_000],
    ['1.5', 1_500],
    ['-5', 0],
    ['86400', DAY],
    ['86401', DAY],
    ['999999999999', DAY],
    ['Sat, 21 Nov 2026 12:01:30 GMT', 90_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['Sat, 21 Nov 2099 12:00:00 GMT', DAY],
    ['Saturday, 21-Nov-26 12:01:30 GMT', 90_000],
    ['Sat Nov 21 12:01:30 2026', 90_000],
  ])('%j is %d ms', (header, ms) => {
    expect(parseRetryAfter(header, NOW)).toBe(ms);
  });

  it.each([
    null,
    '',
    ' ',
    'soon',
    '2m',
    '1e3',
    '0x10',
    'Infinity',
    'NaN',
    '2026-11-21',
    '21 Nov 2026',
    '120, 240',
  ])('%j is nonsense', (header) => {
    expect(parseRetryAfter(header, NOW)).toBeNull();
  });

  it('is null or whole milliseconds up to a day, whatever the header says', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String)), (header) => {
        const wait = parseRetryAfter(header, NOW);
        expect(wait === null || (Number.isInteger(wait) && wait >= 0 && wait <= DAY)).toBe(true);
      }),
    );
  });
});
