import { getCountries } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { isPlace, readZone, zonesOf } from '../../../cli/new-source/zone.ts';

describe('the zones of a country', () => {
  it.each([
    ['DE', 'Europe/Berlin'],
    ['US', 'America/New_York'],
    ['AU', 'Australia/Sydney'],
    ['BR', 'America/Sao_Paulo'],
    ['ES', 'Europe/Madrid'],
    ['CN', 'Asia/Shanghai'],
    ['RU', 'Europe/Moscow'],
  ])('begin in %s with that of its largest city', (country, zone) => {
    expect(zonesOf(country, 'UTC')[0]).toBe(zone);
  });

  it('begin with that of this machine, where it is one of them', () => {
    expect(zonesOf('US', 'America/Los_Angeles').slice(0, 2)).toEqual(['America/Los_Angeles', 'America/Adak']);
    expect(zonesOf('DE', 'America/Los_Angeles')[0]).toBe('Europe/Berlin');
  });

  it('are each a zone once, for every country that has any', () => {
    for (const country of getCountries()) {
      const zones = zonesOf(country, 'UTC');
      expect(new Set(zones).size).toBe(zones.length);
      for (const zone of zones) expect(readZone(zone)).toEqual({ ok: true, value: zone });
    }
    expect(zonesOf('', 'UTC')).toEqual([]);
  });
});

describe('a zone as it is typed', () => {
  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    [' America/new york ', 'America/New_York'],
    ['', ''],
  ])('%j is %j', (text, zone) => expect(readZone(text)).toEqual({ ok: true, value: zone }));

  it.each(['Berlin', 'Europe/Nowhere', '25'])('%j is none', (text) => expect(readZone(text).ok).toBe(false));
});

describe('UTC', () => {
  it('is where nobody is', () => {
    expect(['UTC', 'Etc/UTC', 'GMT'].map(isPlace)).toEqual([false, false, false]);
    expect(isPlace('Europe/London')).toBe(true);
  });
});
