import {
  type CountryCallingCode,
  type CountryCode,
  getCountryCallingCode,
  type MetadataJson,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/core/es6';
import json from './phone-metadata.json' with { type: 'json' };
import { lengthsIn, patternOf } from './phone-tree.ts';

/** All countries and all kinds of numbers, to recognise valid ones exactly; see `scripts/phone-metadata.ts`. */
export const metadata = unpack();

function unpack(): MetadataJson {
  const { version, codes, columns } = json;
  const countries: Record<string, unknown> = {};
  const nonGeographic: Record<string, unknown> = {};
  const countriesByCode: Record<string, readonly string[]> = {};
  let row = 0;
  for (const [, code = '', names = ''] of codes.matchAll(/(\d+)(\w*)/g)) {
    const countriesOfCode = names.match(/../g);
    if (countriesOfCode) countriesByCode[code] = countriesOfCode;
    for (const name of countriesOfCode ?? [code]) {
      const places = columns.map((column) => column[row]);
      (countriesOfCode ? countries : nonGeographic)[name] = plan(code, places);
      row += 1;
    }
  }
  const unpacked: unknown = { version, country_calling_codes: countriesByCode, countries, nonGeographic };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's own data; JSON's types know no tuples
  return unpacked as MetadataJson;
}

/** A numbering plan as the library has it: values by place, of which the empty ones are for writing numbers. */
function plan(code: string, places: readonly (string | number | undefined)[]): readonly unknown[] {
  const [abroad, pattern, lengths, prefix, rule, first, groups, trees] = places;
  let valid: string | undefined;
  const kind = {
    /** Made when the first number of the country comes. */
    get 0() {
      return (valid ??= patternOf(String(groups), String(trees)));
    },
  };
  const [abroadOf, patternText, prefixOf, firstOf] = [abroad, pattern, prefix, first].map(digitsIn);
  return [
    code,
    abroadOf,
    patternText,
    lengthsIn(String(lengths)),
    0,
    0,
    0,
    prefixOf,
    rule,
    0,
    firstOf,
    [kind],
  ];
}

/** In patterns a `d` means a digit. */
function digitsIn(pattern: string | number | undefined): unknown {
  return typeof pattern === 'string' ? pattern.replaceAll('d', String.raw`\d`) : pattern;
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
