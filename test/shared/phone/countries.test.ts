import { getCountries, isSupportedCountry } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import '../../../cli/facts.ts';
import { COUNTRIES } from '../../../shared/phone/countries.ts';
import { isCountry } from '../../../src/template/filters/phone-library.ts';

describe('the countries', () => {
  it('are those of the library as it is installed', () => {
    expect([...COUNTRIES].toSorted()).toEqual(getCountries().toSorted());
  });

  it.each(['DE', 'XX', 'UK', 'de', '', 'DE '])('are parsed as the library parses them: %j', (country) => {
    expect(isCountry(country)).toBe(isSupportedCountry(country));
  });
});
