import {
  type CountryCallingCode,
  type CountryCode,
  getCountryCallingCode,
  type MetadataJson,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/core/es6';

/** The numbering plans of countries. */
export type Plans = MetadataJson;

/**
 * The plans of all countries. They are not part of the code, which starts sooner without them: `config/facts.ts` reads
 * them.
 */
let plans: Plans | null = null;

/** Null if none are read. */
export const knownPlans = (): Plans | null => plans;

/** Has numbers read by these plans from now on. */
export function usePlans(read: Plans | null): void {
  plans = read;
}

function plansInUse(): MetadataJson {
  if (plans === null)
    throw new Error('the numbering plans have not been read: await `loadConfig` or `readFacts` first');
  return plans;
}

/**
 * True if numbers of the country (ISO 3166-1 alpha-2, in capitals) are known. Before the plans are read, any code
 * counts as a country: a number is then read without it.
 */
export const isCountry = (country: string): country is CountryCode =>
  plans === null ? /^[A-Z]{2}$/.test(country) : Object.hasOwn(plans.countries, country);

/** Returns the digits after `+` that the country's numbers begin with. */
export const callingCodeOf = (country: CountryCode): CountryCallingCode =>
  getCountryCallingCode(country, plansInUse());

/** Reads a text as a number, national in `country` if it does not begin with `+`; undefined if it is not a number. */
export const readNumber = (text: string, country?: CountryCode): PhoneNumber | undefined =>
  country === undefined
    ? parsePhoneNumberFromString(text, plansInUse())
    : parsePhoneNumberFromString(text, country, plansInUse());

/**
 * Returns the countries that a number (the gateway's digits) may belong to. Several may share it, or it may belong to
 * none.
 */
export function countriesOf(digits: string): readonly CountryCode[] {
  const number = readNumber(`+${digits}`);
  if (number === undefined) return [];
  const sure = number.country === undefined ? [] : [number.country];
  return [...new Set([...sure, ...number.getPossibleCountries()])];
}
