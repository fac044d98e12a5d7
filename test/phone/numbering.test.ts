import * as fc from 'fast-check';
import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import full from 'libphonenumber-js/metadata.max';
import { expect, it } from 'vitest';
import text from '../../assets/facts.json?raw';
import { parseFacts } from '../../src/config/compiled/facts.ts';
import { countriesOf, habitsOf, readNumber } from '../../src/phone/read.ts';

const { plans } = parseFacts(text);
const COUNTRIES = getCountries();

const said = (number: ReturnType<typeof readNumber>) => {
  if (number === undefined) return null;
  const { number: digits, countryCallingCode, country } = number;
  return [digits, countryCallingCode, country, number.isValid(), number.getPossibleCountries()];
};

/** The whole library's patterns of each kind of the country's numbers. */
function patternsOf(country: CountryCode): readonly string[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's types do not say what is where
  const { 11: kinds } = full.countries[country] as unknown as readonly unknown[];
  const all = Array.isArray(kinds) ? kinds : [];
  return all.flatMap((kind: unknown) => (Array.isArray(kind) && kind[0] ? [String(kind[0])] : []));
}

function same(digits: string): void {
  expect(said(readNumber(digits))).toEqual(said(parsePhoneNumberFromString(`+${digits}`)));
}

it('numbers without the ways to write them are of the library as it is installed', () => {
  expect(plans.version).toBe(full.version);
  expect(Object.keys(plans.countries)).toEqual(Object.keys(full.countries));
  expect(plans.country_calling_codes).toEqual(full.country_calling_codes);
});

it('numbers without the ways to write them are read as the whole library reads them: whatever digits', () => {
  fc.assert(fc.property(fc.stringMatching(/^[0-9]{3,16}$/), same), { numRuns: 500 });
});

it('numbers without the ways to write them are read as the whole library reads them: what is valid in a country, and what differs in a digit', () => {
  for (const country of COUNTRIES) {
    const code = habitsOf(country).callingCode;
    const patterns = patternsOf(country).map((pattern) => fc.stringMatching(new RegExp(`^(?:${pattern})$`)));
    const valid = fc.oneof(...patterns);
    fc.assert(
      fc.property(valid, fc.nat(20), fc.nat(9), (text, place, digit) => {
        const at = place % text.length;
        same(code + text);
        same(`${code}${text.slice(0, at)}${digit}${text.slice(at + 1)}`);
      }),
      { numRuns: 4 },
    );
  }
});

const countriesFor = (digits: string): readonly CountryCode[] => {
  const number = readNumber(digits);
  return number === undefined ? [] : countriesOf(number);
};

it.each([
  ['4915112345678', ['DE']],
  ['18765550123', ['JM']],
  ['447781123456', ['GG']],
  ['390669812345', ['VA']],
  ['80012345678', []],
  ['1', []],
])('the countries of %s: %j', (digits, countries) => {
  expect(countriesFor(digits)).toEqual(countries);
  // All that share it, where the number alone does not decide.
  expect(countriesFor('447700900123')).toEqual(expect.arrayContaining(['GB', 'GG', 'JE', 'IM']));
});
