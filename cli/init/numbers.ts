import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { parsePhone } from '../../src/template/filters/phone.ts';
import '../facts.ts';

/** Numbers between commas, as the gateway's digits: international ones, or national ones of the country. */
export function readNumbers(text: string, country: string): Result<readonly string[], string> {
  if (text.trim() === '') return err('a number is needed, such as +49 151 12345678');
  const numbers: string[] = [];
  for (const one of text.split(/[,;]/)) {
    const phone = parsePhone(one.trim(), { country: country === '' ? undefined : country });
    if (!phone.ok)
      return err(
        country === '' && /^\s*0(?!0)/.test(one)
          ? `${phone.error.split(' ')[0]} has no country code, and no country was given (+49 …, or --country DE)`
          : phone.error,
      );
    numbers.push(phone.value);
  }
  return ok([...new Set(numbers)]);
}

/** The country of a number. */
export const countryOfNumber = (digits: string | undefined): string | undefined =>
  digits === undefined ? undefined : parsePhoneNumberFromString(`+${digits}`)?.country;

/** A number for people: `+49 1512 3456789`. */
export const shownNumber = (digits: string): string =>
  parsePhoneNumberFromString(`+${digits}`)?.formatInternational() ?? `+${digits}`;
