import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/lib/duration.ts';
import { err, ok } from '../../src/lib/result.ts';

describe('parseDuration', () => {
  it.each([
    ['250ms', 250],
    ['15s', 15_000],
    ['5m', 300_000],
    ['3h', 10_800_000],
    ['2d', 172_800_000],
    ['0s', 0],
    ['1.5h', 5_400_000],
    ['1.1s', 1_100],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toEqual(ok(ms));
  });

  it.each([
    '',
    ' 5s',
    '5s ',
    '5 s',
    '-5s',
    '+5s',
    '5',
    's',
    '5S',
    '5w',
    '5min',
    '.5s',
    '5.s',
    '1e3s',
    '1h30m',
    '٥s',
    '5s\n',
  ])('%j is refused', (text) => {
    expect(parseDuration(text).ok).toBe(false);
  });

  it('says how to fix a number without a unit', () => {
    expect(parseDuration('90')).toEqual(
      err('`90` is not a duration: it has no unit; write `90s` for seconds'),
    );
  });

  it('says how to fix two durations in one', () => {
    expect(parseDuration('1h30m')).toEqual(
      err('`1h30m` is not a duration: write one number and one unit, such as `90m` for `1h30m`'),
    );
  });

  it('refuses what is finer than a millisecond, or too long to count', () => {
    expect(parseDuration('0.5ms')).toEqual(err('`0.5ms` is finer than a millisecond, the smallest step'));
    expect(parseDuration('999999999999999d')).toEqual(err('`999999999999999d` is too long for a duration'));
  });

  it('shows a long wrong text not at all: redaction does not recognise half a secret', () => {
    const refused = parseDuration('x'.repeat(10_000));
    expect(!refused.ok && refused.error).toMatch(/^`…` is not a duration: /);
    const digits = parseDuration('9'.repeat(41));
    expect(!digits.ok && digits.error).not.toContain('99');
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0ms'],
    [999, '999ms'],
    [90_000, '90s'],
    [7_200_000, '2h'],
    [259_200_000, '3d'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('writes what parseDuration reads back', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(1, 1_000, 60_000, 3_600_000), (count, unit) => {
        expect(parseDuration(formatDuration(count * unit))).toEqual(ok(count * unit));
      }),
    );
  });
});
