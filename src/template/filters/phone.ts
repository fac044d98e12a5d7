import type { CountryCode } from 'libphonenumber-js/core/es6';
import { err, ok } from '../../lib/result.ts';
import type { Result } from '../../lib/result.ts';
import { callingCodeOf, countriesOf, isCountry, readNumber } from './phone-library.ts';
import { createCache } from '../../lib/cache.ts';
import { glimpse } from '../basics/print.ts';
import { internationalDigits, MAX_LENGTH, readDialled } from './dialled.ts';

/**
 * Returns a phone number from a payload as the gateway expects it: digits that start with the country code. A number
 * with `+` or `00` is international. Any other is national in `country` (ISO 3166-1 alpha-2) if valid there, or else
 * international if valid. Digits are never guessed. The error gives the reason, with at most four characters.
 */
export function parsePhone(raw: unknown, country: string | undefined): Result<string, string> {
  return typeof raw === 'string' && raw.length <= MAX_LENGTH
    ? parsed(`${country} ${raw}`, () => parse(raw, country))
    : parse(raw, country);
}

/** The receivers of a busy hour. Country and text are the whole key. */
const parsed = createCache<Result<string, string>>(1_024);

function parse(raw: unknown, country: string | undefined): Result<string, string> {
  const dialled = readDialled(raw);
  if (!dialled.ok) return dialled;
  const digits = dialled.value;
  const international = internationalDigits(digits);
  const found = international === null ? readLocal(digits, country) : readInternational(international);
  return found === undefined
    ? err(`${glimpse(digits)} ${whyNot(international !== null, country)}`)
    : ok(found);
}

/**
 * Returns the digits, unless they belong to none of the countries (ISO 3166-1 alpha-2). If countries share a number,
 * one of them is enough. The error names the number's country, and at most four characters of it.
 */
export function inCountries(digits: string, countries: readonly string[]): Result<string, string> {
  const own = countriesKnown(digits, () => countriesOf(digits));
  if (own.some((country) => countries.includes(country))) return ok(digits);
  const belongs = own.length === 0 ? 'belongs to no country' : `belongs to ${own.join(', ')}`;
  return err(
    `${glimpse(`+${digits}`)} ${belongs}, and the source's \`countries\` are ${countries.join(', ')}`,
  );
}

const countriesKnown = createCache<readonly CountryCode[]>(1_024);

function readInternational(digits: string): string | undefined {
  const parsed = readNumber(`+${digits}`);
  return parsed?.isValid() ? parsed.number.slice(1) : undefined;
}

function readLocal(digits: string, country: string | undefined): string | undefined {
  const region = country?.toUpperCase();
  const national = region !== undefined && isCountry(region) ? readNational(digits, region) : undefined;
  if (national !== undefined && !national.ambiguous) return national.digits;
  // `4915112345678` is a valid German number both as +49 151 12345678 and as +49 4915 112345678. Written nationally,
  // the latter would have its trunk prefix, so the digits are meant to be international.
  return readInternational(digits) ?? national?.digits;
}

function readNational(
  digits: string,
  country: CountryCode,
): { digits: string; ambiguous: boolean } | undefined {
  const parsed = readNumber(digits, country);
  const callingCode = callingCodeOf(country);
  // The library also accepts the country's own prefix for calls abroad; that does not make a national number.
  if (!parsed?.isValid() || parsed.countryCallingCode !== callingCode) return undefined;
  return { digits: parsed.number.slice(1), ambiguous: digits.startsWith(callingCode) };
}

function whyNot(international: boolean, country: string | undefined): string {
  if (international) return 'is not a valid international phone number';
  if (country === undefined) {
    return 'is not a valid international phone number, and the source has no `country` for national ones';
  }
  return `is not a valid phone number in ${country.toUpperCase()}, nor an international one`;
}
