import { getCountries } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { countryName, readCountry } from '../../../cli/init/country.ts';

describe('a country as it is typed', () => {
  it.each([
    ['de', 'DE'],
    [' DE ', 'DE'],
    ['Germany', 'DE'],
    ['deutschland', 'DE'],
    ['Österreich', 'AT'],
    ['united kingdom', 'GB'],
    ['UK', 'GB'],
    ['united states', 'US'],
    ['Cote d’Ivoire', 'CI'],
    ['日本', 'JP'],
    ['', ''],
  ])('%j is %j', (text, code) => expect(readCountry(text)).toEqual({ ok: true, value: code }));

  it('may be in the language of the person', () => {
    expect(readCountry('Allemagne').ok).toBe(false);
    expect(readCountry('Allemagne', ['fr'])).toEqual({ ok: true, value: 'DE' });
  });

  it('has its English name read back', () => {
    for (const country of getCountries())
      expect([country, readCountry(countryName(country))]).toEqual([country, { ok: true, value: country }]);
  });

  it.each(['XX', '12', 'Nowhere', '+49'])('%j is none, and says how one is written', (text) => {
    const read = readCountry(text, ['de']);
    expect(read.ok ? '' : read.error).toContain('DE or Germany');
  });
});
