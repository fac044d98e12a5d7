import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/lib/time.ts';
import { err, ok } from '../../src/lib/result.ts';

const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];

it('a duration is one number and one unit', () => {
  const texts = ['250ms', '15s', '5m', '3h', '2d', '0s', '1.5h', '1.1s'];
  const ms = [250, 15 * SECOND, 300 * SECOND, 3 * HOUR, 2 * DAY, 0, 1.5 * HOUR, 1_100];
  expect(texts.map(parseDuration)).toEqual(ms.map(ok));
});

it('all else is refused', () => {
  const signs = ['', ' 5s', '5s ', '5 s', '-5s', '+5s', '5s\n', '٥s', '.5s', '5.s', '1e3s'];
  for (const text of [...signs, '5', 's', '5S', '5w', '5min', '1h30m'])
    expect(parseDuration(text).ok, text).toBe(false);
});

it('a wrong duration is refused with how to write it', () => {
  const one = 'write one number and one unit, such as `90m` for `1h30m`';
  expect(parseDuration('90')).toEqual(err('`90` is not a duration: it has no unit; write `90s` for seconds'));
  expect(parseDuration('1h30m')).toEqual(err(`\`1h30m\` is not a duration: ${one}`));
  expect(parseDuration('0.5ms')).toEqual(err('`0.5ms` is finer than a millisecond, the smallest step'));
  expect(parseDuration('999999999999999d')).toEqual(err('`999999999999999d` is too long for a duration'));
});

it('shows a long wrong text not at all: redaction does not recognise half a secret', () => {
  const refused = parseDuration('x'.repeat(10_000));
  expect(!refused.ok && refused.error).toMatch(/^`…` is not a duration: /);
  const digits = parseDuration('9'.repeat(41));
  expect(!digits.ok && digits.error).not.toContain('99');
});

it('is written in the largest unit that fits, and read back', () => {
  const texts = ['0ms', '999ms', '90s', '2h', '3d'];
  expect([0, 999, 90 * SECOND, 2 * HOUR, 3 * DAY].map(formatDuration)).toEqual(texts);
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(1, SECOND, 60 * SECOND, HOUR), (count, unit) => {
      expect(parseDuration(formatDuration(count * unit))).toEqual(ok(count * unit));
    }),
  );
});
