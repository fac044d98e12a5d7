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

/** Those of all countries. They are not part of the code, which starts sooner without them: `config/facts.ts` reads them. */
let plans: Plans | null = null;

/** Null: none are read. */
export const knownPlans = (): Plans | null => plans;

/** From now on, numbers are read by these plans. */
export function usePlans(read: Plans | null): void {
  plans = read;
}

function plansInUse(): MetadataJson {
  if (plans === null)
    throw new Error('the numbering plans have not been read: await `loadConfig` or `readFacts` first');
  return plans;
}

/**
 * True if numbers of the country (ISO 3166-1 alpha-2, in capitals) are known. Before the plans are read every code may be one: a number
 * is then read without it.
 */
export const isCountry = (country: string): country is CountryCode =>
  plans === null ? /^[A-Z]{2}$/.test(country) : Object.hasOwn(plans.countries, country);

/** The digits after `+` with which the country's numbers begin. */
export const callingCodeOf = (country: CountryCode): CountryCallingCode =>
  getCountryCallingCode(country, plansInUse());

/** A text as a number, national in `country` if it does not begin with `+`; undefined if it is none. */
export const readNumber = (text: string, country?: CountryCode): PhoneNumber | undefined =>
  country === undefined
    ? parsePhoneNumberFromString(text, plansInUse())
    : parsePhoneNumberFromString(text, country, plansInUse());

/** The countries that a number (the gateway's digits) may belong to; several may share it, and it may belong to none. */
export function countriesOf(digits: string): readonly CountryCode[] {
  const number = readNumber(`+${digits}`);
  if (number === undefined) return [];
  const sure = number.country === undefined ? [] : [number.country];
  return [...new Set([...sure, ...number.getPossibleCountries()])];
}
