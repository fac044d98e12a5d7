import type { CountryCode } from 'libphonenumber-js/core/es6';
import { err, ok } from '../../lib/result.ts';
import type { Result } from '../../lib/result.ts';
import { isCountry } from './countries.ts';
import { callingCodeOf, countriesOf, readNumber } from './phone-library.ts';
import { createCache } from '../../lib/cache.ts';
import { glimpse } from '../basics/print.ts';

/** Longest text read as a number: 15 digits (E.164) with much punctuation. */
const MAX_LENGTH = 60;
/** Arabic-Indic, Eastern Arabic-Indic and full-width digits: the value is in their last four bits. */
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g;
/** Marks of direction and width, which a number has when it is copied from a contact. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const EXTENSION = /\d\s*(?:[;,#x]|ext)/i;

/**
 * A phone number from a payload as the gateway wants it: digits that start with the country code.
 * `+` or `00` is international; else national in `country` (ISO 3166-1 alpha-2) if valid there; else
 * international if valid. Digits are never guessed. The error says why, with at most four characters.
 */
export function parsePhone(raw: unknown, country: string | undefined): Result<string, string> {
  return typeof raw === 'string' && raw.length <= MAX_LENGTH
    ? parsed(`${country} ${raw}`, () => parse(raw, country))
    : parse(raw, country);
}

/** The receivers of a busy hour. By country and text, which say all that there is to know. */
const parsed = createCache<Result<string, string>>(1_024);

function parse(raw: unknown, country: string | undefined): Result<string, string> {
  const dialled = readDialled(raw);
  if (!dialled.ok) return dialled;
  const digits = dialled.value;
  const international = /^(?:\+|00)/.exec(digits);
  const found = international
    ? readInternational(digits.slice(international[0].length))
    : readLocal(digits, country);
  return found === undefined
    ? err(`${glimpse(digits)} ${whyNot(international !== null, country)}`)
    : ok(found);
}

/**
 * The digits, unless they belong to none of the countries (ISO 3166-1 alpha-2). If countries share a number, one of
 * them is enough. The error names the number's country, and at most four characters of it.
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
  // `4915112345678` is a valid German number both as +49 151 12345678 and as +49 4915 112345678. Written nationally the
  // latter would have its trunk prefix, so the digits are meant to be international.
  return readInternational(digits) ?? national?.digits;
}

function readNational(
  digits: string,
  country: CountryCode,
): { digits: string; ambiguous: boolean } | undefined {
  const parsed = readNumber(digits, country);
  const callingCode = callingCodeOf(country);
  // The library also reads the country's own prefix for calls abroad; that is not a national number.
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

/** The digits as they would be dialled, with a leading `+` if there was one. */
function readDialled(raw: unknown): Result<string, string> {
  if (typeof raw === 'number')
    return Number.isSafeInteger(raw) && raw > 0
      ? ok(String(raw))
      : err('is not a whole number that is exact');
  if (raw === undefined || raw === null || raw === '') return err('the phone number is empty');
  if (typeof raw !== 'string') return err('a phone number is a text or a number, not a list or an object');
  const text = raw
    .slice(0, MAX_LENGTH + 1)
    .replace(INVISIBLE, '')
    .replace(OTHER_DIGITS, asciiDigit)
    .replace('\uff0b', '+')
    .trim();
  const number = text.replace(/^(?:tel|whatsapp):\s*/i, '');
  const refusal = refuse(number);
  return refusal === undefined ? ok(number.replace(/[^+\d]/g, '')) : err(`${glimpse(number)} ${refusal}`);
}

function asciiDigit(digit: string): string {
  return String(digit.charCodeAt(0) & 0xf);
}

/** Why a text is not one plain number; undefined if it is. */
function refuse(number: string): string | undefined {
  if (!/\d/.test(number)) return number === '' ? 'is empty' : 'has no digits';
  if (EXTENSION.test(number))
    return 'has an extension, or is several numbers: one number without extension is needed';
  if (number.length > MAX_LENGTH) return 'is too long for a phone number';
  if (/\p{L}/u.test(number)) return 'has letters in it';
  if (!/^\+?[\d\t\p{Zs}().\-\u2010-\u2015\u2212/]+$/u.test(number))
    return 'has characters in it that no phone number has';
  return severalNumbers(number) ? 'seems to be several numbers: one is needed' : undefined;
}

/**
 * A slash separates area code and number (`030/1234567`), but also numbers (`030 1234567 / 030 7654321`) and
 * alternative last digits (`030 1234567/68`). Only the first is one number.
 */
function severalNumbers(number: string): boolean {
  const [area = '', ...rest] = number.split('/').map((part) => part.replace(/\D/g, ''));
  if (rest.length === 0) return false;
  return rest.length > 1 || area.length > 8 || (rest[0] ?? '').length < 3;
}
