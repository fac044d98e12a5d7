import { describe, expect, it } from 'vitest';
import { isZone, MAX_ZONE_LENGTH } from '../../../src/template/basics/zones.ts';

describe('a time zone', () => {
  it('is each of the platform’s names', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    expect(zones.filter((zone) => !isZone(zone) || zone.length > MAX_ZONE_LENGTH)).toEqual([]);
  });

  it.each(['', ' ', 'Berlin', 'W. Europe Standard Time', '__proto__', 'Europe/Berlin'.repeat(10_000)])(
    'is not %j',
    (text) => {
      expect(isZone(text)).toBe(false);
    },
  );
});
