import { getCountries } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { isPlace, likelyZone, readZone, zonesOf } from '../../../shared/new-source/zone.ts';
import { COUNTRIES } from '../../../shared/phone/countries.ts';

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

  it('are each a zone once, and each country has one', () => {
    expect(getCountries()).toEqual(expect.arrayContaining([...COUNTRIES]));
    for (const country of getCountries()) {
      const zones = zonesOf(country, 'UTC');
      expect(zones.length, country).toBeGreaterThan(0);
      expect(new Set(zones).size).toBe(zones.length);
      for (const zone of zones) expect(readZone(zone)).toEqual({ ok: true, value: zone });
    }
    expect(zonesOf('', 'UTC')).toEqual([]);
  });
});

describe('the likely zone', () => {
  const machines = ['UTC', 'Etc/UTC', 'GMT', 'Europe/Berlin', 'America/Los_Angeles'];
  const earlier = fc.record(
    {
      country: fc.constantFrom(...COUNTRIES),
      timezone: fc.constantFrom('Europe/Berlin', 'America/New_York'),
    },
    { requiredKeys: [] },
  );

  it('of a country is a place, in which the clocks run, whatever the machine and earlier sources say', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...COUNTRIES),
        fc.constantFrom(...machines),
        earlier,
        (country, own, before) => {
          const zone = likelyZone(country, own, before);
          expect(isPlace(zone)).toBe(true);
          const isOfCountry = zonesOf(country, own).includes(zone);
          expect(isOfCountry || (country === before.country && zone === before.timezone)).toBe(true);
        },
      ),
    );
  });

  it('is each country’s, on a machine in UTC', () => {
    const places = [...COUNTRIES].map((country) => likelyZone(country, 'UTC', {}));
    expect(places.filter((zone) => !isPlace(zone) || !readZone(zone).ok)).toEqual([]);
  });

  it('is that of earlier sources, unless they are of another country', () => {
    const berlin = { country: 'DE', timezone: 'Europe/Berlin' };
    expect(likelyZone('DE', 'UTC', { country: 'DE', timezone: 'Europe/Lisbon' })).toBe('Europe/Lisbon');
    expect(likelyZone('US', 'UTC', berlin)).toBe('America/New_York');
    expect(likelyZone('US', 'UTC', { ...berlin, timezone: 'America/Chicago' })).toBe('America/Chicago');
    expect(likelyZone('', 'UTC', berlin)).toBe('Europe/Berlin');
  });

  it('without a country is this machine’s, and none if that is UTC', () => {
    expect(likelyZone('', 'Asia/Tokyo', {})).toBe('Asia/Tokyo');
    expect(machines.slice(0, 3).map((own) => likelyZone('', own, {}))).toEqual(['', '', '']);
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
    const nowhere = ['UTC', 'utc', 'Etc/UTC', 'GMT', 'GMT+0', 'GMT0', 'Universal', 'Greenwich', 'Zulu'];
    expect(nowhere.filter(isPlace)).toEqual([]);
    expect(isPlace('Europe/London')).toBe(true);
  });
});
