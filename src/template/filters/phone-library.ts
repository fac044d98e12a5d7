import {
  type CountryCallingCode,
  type CountryCode,
  getCountryCallingCode,
  type MetadataJson,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/core/es6';
import json from './phone-metadata.json' with { type: 'json' };
import { bitReader, modelled } from '../../lib/bit-model.ts';
import { readTrees } from './phone-packed.ts';
import { groupsIn, lengthsIn, patternOf } from './phone-tree.ts';

/** All countries and all kinds of numbers, to recognise valid ones exactly; see `scripts/phone-metadata.ts`. */
export const metadata = unpack();

function unpack(): MetadataJson {
  const countries: Record<string, unknown> = {};
  const nonGeographic: Record<string, unknown> = {};
  const countriesByCode: Record<string, readonly string[]> = {};
  const columns = json.columns.map((column) => column.split(' '));
  const trees = readTrees(json.count, modelled(bitReader(json.trees)));
  let row = 0;
  let at = 0;
  for (const [, code = '', names = ''] of json.codes.matchAll(/(\d+)(\w*)/g)) {
    const countriesOfCode = names.match(/../g);
    if (countriesOfCode) countriesByCode[code] = countriesOfCode;
    for (const name of countriesOfCode ?? [code]) {
      const [abroad = '', pattern = '', lengths = '', prefix = '', rule, first = '', written = ''] =
        columns.map((column) => column[row] ?? '');
      const groups = groupsIn(written);
      const own = trees.slice(at, at + groups.length);
      // By place, as the library has it; the empty ones are for writing numbers.
      const places = [
        code,
        digitsIn(abroad),
        digitsIn(pattern),
        lengthsIn(lengths),
        0,
        0,
        0,
        digitsIn(prefix),
        rule,
      ];
      (countriesOfCode ? countries : nonGeographic)[name] = [
        ...places,
        0,
        digitsIn(first),
        [kindOf(groups, own)],
      ];
      row += 1;
      at += groups.length;
    }
  }
  const unpacked: unknown = {
    version: json.version,
    country_calling_codes: countriesByCode,
    countries,
    nonGeographic,
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's own data; JSON's types know no tuples
  return unpacked as MetadataJson;
}

/** A kind of numbers, whose pattern is made when the first number of the country comes. */
function kindOf(groups: readonly string[], trees: readonly string[]): { readonly 0: string } {
  let valid: string | undefined;
  return {
    get 0() {
      return (valid ??= patternOf(groups, trees));
    },
  };
}

/** In patterns a `d` means a digit. */
function digitsIn(pattern: string): string {
  return pattern.replaceAll('d', String.raw`\d`);
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
