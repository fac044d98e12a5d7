import { expect, it } from 'vitest';
import { formatDuration } from '../../../src/template/filters/durations.ts';
import { render } from '../helpers.ts';

const format = (value: unknown, locale = 'en-US'): string => {
  const result = formatDuration(value, locale);
  return result.ok ? result.value : `! ${result.error}`;
};

it.each([
  [3900, '1 hour, 5 minutes'],
  ['PT1H5M', '1 hour, 5 minutes'],
  ['1h5m0s', '1 hour, 5 minutes'],
  [90_061, '1 day, 1 hour, 1 minute, 1 second'],
  ['72h3m0.5s', '3 days, 3 minutes, 1 second'],
  [0.25, '250 milliseconds'],
  [0.9996, '1 second'],
  ['500ms', '500 milliseconds'],
  ['12µs', '0 milliseconds'],
  ['1.5h', '1 hour, 30 minutes'],
  ['1w2d', '9 days'],
  ['P2W', '14 days'],
  [-60, '-1 minute'],
])('duration %j is %s', (value, expected) => {
  expect(format(value)).toBe(expected);
});

it('duration is in words of the locale', () => {
  expect(format(3900, 'fr-FR').replaceAll('\u00a0', ' ')).toBe('1 heure et 5 minutes');
  expect(format(172_800, 'de-DE')).toBe('2 Tage');
  expect(render('{{ payload.a | duration }}', { a: 60 })).toBe('1 min');
});

it('duration refuses what is no duration', () => {
  for (const value of ['soon', 'P1M', 'P', 'PT', 'ms', {}, [], true, Number.POSITIVE_INFINITY])
    expect(format(value), JSON.stringify(value)).toContain('is not a duration');
});
