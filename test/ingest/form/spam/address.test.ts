import { describe, expect, it } from 'vitest';
import { DAY } from '../../../../src/lib/duration.ts';
import { addressCode } from '../../../../src/ingest/form/spam/address.ts';

const env = { ADMIN_TOKEN: 'a token of the tests' };
const NOON = 20_000 * DAY + DAY / 2;

const codeOf = (address: string | null, { source = 'contact', now = NOON, of = env } = {}) =>
  addressCode(
    of,
    source,
    { headers: new Headers(address === null ? {} : { 'cf-connecting-ip': address }) },
    now,
  );

describe('the code of an address', () => {
  it('shows nothing of the address, and is the same all day', () => {
    const code = codeOf('192.0.2.1');
    expect(code).toMatch(/^[0-9a-f]{32}$/);
    expect(codeOf('192.0.2.1', { now: NOON + DAY / 2 - 1 })).toBe(code);
  });

  it('is another one for another address, source, day or deployment', () => {
    const codes = [
      codeOf('192.0.2.1'),
      codeOf('192.0.2.2'),
      codeOf('192.0.2.1', { source: 'booking' }),
      codeOf('192.0.2.1', { now: NOON + DAY }),
      codeOf('192.0.2.1', { of: { ADMIN_TOKEN: 'another token' } }),
    ];
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('is the same for all IPv6 addresses of a household', () => {
    expect(codeOf('2001:db8:1:2:3:4:5:6')).toBe(codeOf('2001:DB8:1:2::1'));
    expect(codeOf('2001:0db8:0001:0002::')).toBe(codeOf('2001:db8:1:2::1'));
    expect(codeOf('2001:db8::1')).toBe(codeOf('2001:db8:0:0:9::'));
    expect(codeOf('2001:db8:1:3::1')).not.toBe(codeOf('2001:db8:1:2::1'));
  });

  it('is not there if the platform does not say the address', () => {
    expect(codeOf(null)).toBeNull();
  });
});
