import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failures } from '../../src/lib/failures.ts';

const NOW = Date.UTC(2026, 10, 21, 12); // fixed date: `now` is an argument

const failTimes = (logins: Failures, times: number, address: string, now = NOW) =>
  Array.from({ length: times }, () => logins.add(address, now));

describe('failed logins', () => {
  it('of one client are ten a minute, and then it gets the time to come back', () => {
    const logins = new Failures();
    expect(failTimes(logins, 10, 'a')).toEqual(Array(10).fill(null));
    expect(logins.add('a', NOW)).toEqual({ retryAfterSeconds: 6, isFirst: true });
    expect(logins.add('a', NOW + 5_999)).toEqual({ retryAfterSeconds: 1, isFirst: false });
    expect(logins.add('a', NOW + 6_000)).toBeNull();
    expect(logins.add('a', NOW + 6_000)).toMatchObject({ isFirst: true });
    expect(failTimes(logins, 11, 'a', NOW + 70_000).indexOf(null)).toBe(0);
    expect(logins.add('b', NOW)).toBeNull();
  });

  it('of the addresses of one IPv6 network are those of one client, however they are written', () => {
    const logins = new Failures();
    for (let n = 0; n < 10; n += 1) logins.add(`2001:db8:0:7::${n}`, NOW);
    expect(logins.add('2001:0DB8::7:1:2:3:4', NOW)).not.toBeNull();
    for (const other of ['2001:db8:0:8::1', '2001:db8::1', '::ffff:192.0.2.1', '192.0.2.1'])
      expect(logins.add(other, NOW), other).toBeNull();
  });

  it('of all clients are a hundred a minute', () => {
    const logins = new Failures();
    for (let n = 0; n < 100; n += 1) expect(logins.add(`client-${n}`, NOW)).toBeNull();
    expect(logins.add('another', NOW)).toEqual({ retryAfterSeconds: 1, isFirst: true });
    expect(logins.add('another', NOW + 600)).toBeNull();
  });

  it('of a client beyond its limit take nothing from the others', () => {
    const logins = new Failures();
    failTimes(logins, 5_000, 'a');
    for (let n = 0; n < 90; n += 1) expect(logins.add(`client-${n}`, NOW)).toBeNull();
  });

  it('of many addresses stay bounded in number', () => {
    const logins = new Failures();
    for (let n = 0; n < 5_000; n += 1) logins.add(`client-${n}`, NOW + n * 1_000);
    const now = NOW + 5_000_000;
    expect(failTimes(logins, 11, 'client-0', now).filter((one) => one !== null)).toHaveLength(1);
  });

  it('are never more than the limits, in whatever order they come, also when the clock goes back', () => {
    const failure = fc.tuple(fc.integer({ min: -30_000, max: 30_000 }), fc.integer({ min: 0, max: 30 }));
    fc.assert(
      fc.property(fc.array(failure, { maxLength: 400 }), (failures) => {
        const logins = new Failures();
        const passed = failures.filter(([at, client]) => logins.add(`client-${client}`, NOW + at) === null);
        const steps = failures.map(([at], index) => Math.max(0, at - (failures[index - 1]?.[0] ?? at)));
        const forwards = steps.reduce((sum, ms) => sum + ms, 0);
        expect(passed.length).toBeLessThanOrEqual(100 + (forwards / 60_000) * 100 + 1);
        const first = passed.filter(([, client]) => client === 0).length;
        expect(first).toBeLessThanOrEqual(10 + (forwards / 60_000) * 10 + 1);
      }),
    );
  });
});
