import {
  type CountryCallingCode,
  type CountryCode,
  getCountryCallingCode,
  type MetadataJson,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/core/es6';
import json from './phone-metadata.json' with { type: 'json' };

/** All countries and all kinds of numbers, to recognise valid ones exactly; see `scripts/phone-metadata.ts`. */
export const metadata = unpack();

function unpack(): MetadataJson {
  const { version, countries, columns, nonGeographic } = json;
  const places: Record<string, unknown[]> = {};
  const codes: Record<string, string[]> = {};
  for (const [row, country] of countries.entries()) {
    const place = columns.map((column) => column[row]);
    places[country] = place;
    (codes[String(place[0])] ??= []).push(country);
  }
  const unpacked: unknown = {
    version,
    country_calling_codes: codes,
    countries: digitsIn(places),
    nonGeographic: digitsIn(nonGeographic),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's own data; JSON's types know no tuples
  return unpacked as MetadataJson;
}

/** In all patterns a `d` means a digit. */
function digitsIn(places: object): unknown {
  return JSON.parse(JSON.stringify(places).replaceAll('d', String.raw`\\d`));
}

export type { CountryCode };

/** Whether the library knows the country (ISO 3166-1 alpha-2, in capitals). */
export const isCountry = (country: string): country is CountryCode =>
  Object.hasOwn(metadata.countries, country);

/** The digits after `+` with which the country's numbers begin. */
export const callingCodeOf = (country: CountryCode): CountryCallingCode =>
  getCountryCallingCode(country, metadata);

/** A text as a number, national in `country` if it does not begin with `+`; undefined if it is none. */
export const readNumber = (text: string, country?: CountryCode): PhoneNumber | undefined =>
  country === undefined
    ? parsePhoneNumberFromString(text, metadata)
    : parsePhoneNumberFromString(text, country, metadata);

/** The countries that a number (the gateway's digits) may belong to; several may share it, and it may belong to none. */
export function countriesOf(digits: string): readonly CountryCode[] {
  const number = readNumber(`+${digits}`);
  if (number === undefined) return [];
  const sure = number.country === undefined ? [] : [number.country];
  return [...new Set([...sure, ...number.getPossibleCountries()])];
}
