import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile';
import {
  getCountries,
  getExampleNumber,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/max';
import full from 'libphonenumber-js/metadata.max';
import { expect, it } from 'vitest';
import { parsePhone } from '../../src/phone/read.ts';

const COUNTRIES = getCountries();

/** The library's example of a mobile number of each country. */
const MOBILES = COUNTRIES.flatMap((country) => {
  const number = getExampleNumber(country, examples);
  if (number === undefined) return [];
  return [{ country, number, digits: number.number.slice(1), code: number.countryCallingCode }];
});

/** The prefix for calls abroad as a pattern. */
const abroadOf = (country: CountryCode): string => String((full.countries[country] ?? [])[1]);

/** A country for each such pattern. */
const ABROAD = new Map(COUNTRIES.map((country) => [abroadOf(country), country]));

const digitsIn = (text: string): string => text.replaceAll(/\D/g, '');

/** True if the library displays a national number with exactly these digits, or with them after the country's code. */
function isWrittenSo(digits: string, country: CountryCode): boolean {
  const number = parsePhoneNumberFromString(digits, country);
  if (number?.isValid() !== true) return false;
  const shown = digitsIn(number.formatNational());
  return [shown, number.countryCallingCode + shown].includes(digits);
}

/** Remembers which numbers were refused, and which were read as somebody else's. */
class Tally {
  refused = 0;
  readonly misread: string[] = [];

  /** `meant`: the digits of the number that somebody means by the text. */
  add(text: string, country: CountryCode | undefined, meant: string): void {
    const found = parsePhone(text, { country });
    if (!found.ok) this.refused += 1;
    else if (found.value !== meant && !(country !== undefined && isWrittenSo(digitsIn(text), country)))
      this.misread.push(`${text} in ${country ?? 'no country'}: ${found.value}`);
  }
}

it('the example mobiles of 245 countries are read as people at home write them, and with + by anybody', () => {
  const tally = new Tally();
  for (const { country, number, code, digits } of MOBILES) {
    const national = number.nationalNumber;
    const withCode = [digits, `${code} ${number.formatNational()}`, `${code} (0)${national}`];
    const withPlus = [`+${digits}`, `(+${code}) ${national}`, number.formatInternational(), `00 ${digits}`];
    for (const text of [number.formatNational(), national, ...withCode, ...withPlus])
      tally.add(text, country, digits);
    for (const text of [`+${digits}`, `(+${code}) ${national}`]) tally.add(text, undefined, digits);
  }
  // Germany’s without its 0 is a number in Texas as well.
  expect([tally.refused, tally.misread]).toEqual([1, []]);
});

it('the example mobiles of 245 countries are theirs or refused in each of 245 countries, with their code alone', () => {
  const tally = new Tally();
  for (const { digits } of MOBILES) for (const country of COUNTRIES) tally.add(digits, country, digits);
  expect(tally.misread).toEqual([]);
});

it('the example mobiles of 245 countries are theirs or refused after 00 and after a country’s own prefix for calls abroad', () => {
  const tally = new Tally();
  for (const [prefix, country] of ABROAD)
    for (const { digits } of MOBILES) {
      tally.add(`00${digits}`, country, digits);
      if (/^\d+$/.test(prefix)) tally.add(`${prefix} ${digits}`, country, digits);
    }
  expect(tally.misread).toEqual([]);
});

it('a mobile with a digit too many or too few is refused, unless people there write a number so', () => {
  const tally = new Tally();
  for (const [country, code, pattern] of [
    ['US', '1', /^[2-9]\d{2}[2-9]\d{6}$/],
    ['ES', '34', /^[67]\d{8}$/],
    ['BR', '55', /^[1-9][1-9]9\d{8}$/],
  ] as const)
    for (const national of fc.sample(fc.stringMatching(pattern), { numRuns: 150, seed: 1 }))
      for (let at = 0; at <= national.length; at += 1) {
        const [before, after] = [national.slice(0, at), national.slice(at)];
        for (const typed of [before + after.slice(1), `${before}${(at * 7) % 10}${after}`]) {
          if (typed === national) continue;
          // A 0 or 1 before it is a prefix that people may dial.
          tally.add(typed, country, code + national);
          tally.add(code + typed, country, code + national);
        }
      }
  expect(tally.misread).toEqual([]);
});
