import * as fc from 'fast-check';
import examples from 'libphonenumber-js/mobile/examples';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import full from 'libphonenumber-js/metadata.max';
import { expect, it } from 'vitest';
import { notPremium } from '../../src/phone/read.ts';

/** The reason for which a number (the gateway's digits) is refused. Null if it is not. */
function why(digits: string): string | null {
  const result = notPremium(digits);
  return result.ok ? null : result.error;
}

/** The places of a country's kinds of numbers in the library's metadata, and of premium-rate numbers among them. */
const [KINDS, PREMIUM] = [11, 3];

/** Pattern of the premium-rate numbers of each country that has any, with its calling code. */
const patterns = getCountries().flatMap((country) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's types do not say what is where
  const kinds = (full.countries[country] as unknown as readonly unknown[])[KINDS];
  const kind: unknown = Array.isArray(kinds) ? kinds[PREMIUM] : 0;
  return Array.isArray(kind) ? [{ code: getCountryCallingCode(country), pattern: String(kind[0]) }] : [];
});

it.each([
  ['499001234567', 'is a premium-rate number of DE'],
  ['19002345678', 'is a premium-rate number of US'],
  ['979123456789', 'is an international premium-rate number (+979)'],
  ['881612345678', 'is a satellite number (+881)'],
])('a number that costs more than others, or is of no country %s %s', (digits, what) => {
  expect(why(digits)).toContain(`…" ${what}, and`);
});

it('a number that costs more than others, or is of no country is no ordinary number', () => {
  const german = ['4915112345678', '4930123456', '49180512345'];
  for (const digits of [...german, '12025550143', '18002345678', '80012345678', '447781123456'])
    expect(why(digits), digits).toBeNull();
});

it('a number that costs more than others, or is of no country is what the library calls premium rate, of each country that has such numbers', () => {
  expect(patterns.length).toBeGreaterThan(100);
  for (const { code, pattern } of patterns) {
    const number = fc.stringMatching(new RegExp(`^(?:${pattern})$`));
    fc.assert(
      fc.property(number, (national) => {
        const known = parsePhoneNumberFromString(`+${code}${national}`);
        const refused = why(`${code}${national}`) !== null;
        expect(refused, `+${code}${national}`).toBe(known?.getType() === 'PREMIUM_RATE');
      }),
      { numRuns: 5 },
    );
  }
});

it('a number that costs more than others, or is of no country is no mobile number of any country', () => {
  for (const country of getCountries())
    expect(why(`${getCountryCallingCode(country)}${examples[country]}`), country).toBeNull();
});

it('a number that costs more than others, or is of no country is whatever begins with a code of satellites, international networks and numbers of no country', () => {
  const code = fc.constantFrom('870', '878', '881', '882', '883', '979');
  fc.assert(
    fc.property(code, fc.stringMatching(/^[0-9]{7,12}$/), (prefix, rest) => {
      expect(why(`${prefix}${rest}`)).toContain('`premium: true`');
    }),
  );
});
