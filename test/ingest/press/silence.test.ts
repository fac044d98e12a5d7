import { describe, expect, it } from 'vitest';
import { silenceEnd } from '../../../src/ingest/press/silence.ts';

const end = (length: string, now: string, zone = 'Europe/Berlin') =>
  new Date(silenceEnd(length, zone, Date.parse(now))).toISOString();

describe('the end of a silence', () => {
  it.each([
    ['1h', '2030-01-15T22:00:00Z', '2030-01-15T23:00:00.000Z'],
    ['07:00', '2030-01-15T22:00:00Z', '2030-01-16T06:00:00.000Z'],
    ['07:00', '2030-01-15T05:59:59Z', '2030-01-15T06:00:00.000Z'],
    ['07:00', '2030-01-15T06:00:00Z', '2030-01-16T06:00:00.000Z'],
    ['00:00', '2030-01-15T12:00:00Z', '2030-01-15T23:00:00.000Z'],
    ['23:30', '2030-01-15T22:45:00Z', '2030-01-16T22:30:00.000Z'],
  ])('%s, pressed at %s, is %s', (length, now, expected) => {
    expect(end(length, now)).toBe(expected);
  });

  it('is when the clock shows the time, also in a night in which it changes', () => {
    expect(end('07:00', '2030-03-30T22:00:00Z')).toBe('2030-03-31T05:00:00.000Z');
    expect(end('07:00', '2030-10-26T22:00:00Z')).toBe('2030-10-27T06:00:00.000Z');
    // The clock skips 02:30.
    expect(end('02:30', '2030-03-30T22:00:00Z')).toBe('2030-03-31T01:00:00.000Z');
  });

  it('is in the zone of the source', () => {
    expect(end('07:00', '2030-01-15T22:00:00Z', 'Asia/Tokyo')).toBe('2030-01-16T22:00:00.000Z');
  });
});
