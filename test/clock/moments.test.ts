import { expect, it } from 'vitest';
import { offsetOf } from './moments.ts';

const at = (clock: string, now: string): string =>
  new Date(Date.parse(now) + offsetOf(clock, Date.parse(now))).toISOString();

const berlin = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', timeZoneName: 'longOffset' });
const berlinOffset = (at: number): string | undefined =>
  berlin.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;

it('TEST_CLOCK is an offset, an instant, or nothing for the real clock', () => {
  const offsets = ['+1d', '-90m', '+2h', '+3s', undefined, ''].map((clock) => offsetOf(clock, 5));
  expect(offsets).toEqual([86_400_000, -5_400_000, 7_200_000, 3_000, 0, 0]);
  expect(at('2030-02-28T23:59:50Z', '2026-11-22T01:00:00Z')).toBe('2030-02-28T23:59:50.000Z');
  expect(at('2030-02-28T23:59:50+01:00', '2026-11-22T01:00:00Z')).toBe('2030-02-28T22:59:50.000Z');
  for (const clock of ['400d', '+1w', 'tomorrow', '2030-02-28', '2030-02-28T23:59:50', 'constructor'])
    expect(() => offsetOf(clock, 5)).toThrow(`TEST_CLOCK is ${clock}: give an offset`);
});

it.each([
  ['month-end', '2026-11-22T01:00:00Z', '2026-11-30T23:59:50.000Z'],
  ['month-end', '2026-12-31T23:59:49Z', '2026-12-31T23:59:50.000Z'],
  ['month-end', '2026-12-31T23:59:50Z', '2027-01-31T23:59:50.000Z'],
  ['month-end', '2028-02-10T00:00:00Z', '2028-02-29T23:59:50.000Z'],
  ['far-month-end', '2026-11-22T01:00:00Z', '2027-12-31T23:59:50.000Z'],
  ['spring-change', '2026-11-22T01:00:00Z', '2027-03-28T00:59:50.000Z'],
  ['spring-change', '2027-03-28T00:59:50Z', '2028-03-26T00:59:50.000Z'],
  ['autumn-change', '2026-11-22T01:00:00Z', '2027-10-31T00:59:50.000Z'],
  ['autumn-change', '2026-10-25T00:00:00Z', '2026-10-25T00:59:50.000Z'],
])('a moment with a name is the next one: %s after %s', (name, now, expected) => {
  expect(at(name, now)).toBe(expected);
});

it.each([
  ['spring-change', 'GMT+01:00', 'GMT+02:00'],
  ['autumn-change', 'GMT+02:00', 'GMT+01:00'],
])('at %s, Berlin is at %s and soon at %s', (name, early, late) => {
  const now = Date.UTC(2026, 10, 22); // fixed date: `now` is an argument
  const changeAt = now + offsetOf(name, now);
  expect([changeAt, changeAt + 20_000].map(berlinOffset)).toEqual([early, late]);
});
