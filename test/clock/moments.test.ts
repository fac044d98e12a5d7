import { describe, expect, it } from 'vitest';
import { offsetOf } from './moments.ts';

const at = (clock: string, now: string): string =>
  new Date(Date.parse(now) + offsetOf(clock, Date.parse(now))).toISOString();

const berlin = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', timeZoneName: 'longOffset' });
const berlinOffset = (at: number): string | undefined =>
  berlin.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;

describe('TEST_CLOCK', () => {
  it('is an offset', () => {
    expect(offsetOf('+1d', 5)).toBe(86_400_000);
    expect(offsetOf('-90m', 5)).toBe(-5_400_000);
    expect(offsetOf('+2h', 5)).toBe(7_200_000);
    expect(offsetOf('+3s', 5)).toBe(3_000);
  });

  it('is the real clock when it is not set', () => {
    expect([undefined, ''].map((clock) => offsetOf(clock, 5))).toEqual([0, 0]);
  });

  it('is an instant', () => {
    expect(at('2030-02-28T23:59:50Z', '2026-11-22T01:00:00Z')).toBe('2030-02-28T23:59:50.000Z');
    expect(at('2030-02-28T23:59:50+01:00', '2026-11-22T01:00:00Z')).toBe('2030-02-28T22:59:50.000Z');
  });

  it.each(['400d', '+1w', 'tomorrow', '2030-02-28', '2030-02-28T23:59:50', 'constructor'])(
    'is refused when it is %s',
    (clock) => {
      expect(() => offsetOf(clock, 5)).toThrow(`TEST_CLOCK is ${clock}: give an offset`);
    },
  );
});

describe('a moment with a name is the next one', () => {
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
  ])('%s after %s', (name, now, expected) => {
    expect(at(name, now)).toBe(expected);
  });

  it.each([
    ['spring-change', 'GMT+01:00', 'GMT+02:00'],
    ['autumn-change', 'GMT+02:00', 'GMT+01:00'],
  ])('at %s, Berlin is at %s and soon at %s', (name, early, late) => {
    const now = Date.now();
    const at = now + offsetOf(name, now);
    expect([at, at + 20_000].map(berlinOffset)).toEqual([early, late]);
  });
});
