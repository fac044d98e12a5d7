import {
  type CountryCallingCode,
  type CountryCode,
  getCountryCallingCode,
  type MetadataJson,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/core/es6';
import { parseOwnJson } from '../../lib/own-json.ts';

/** The numbering plans of all countries: `assets/phones/plans.json`. They are no part of the code, which starts sooner so. */
let plans: MetadataJson | null = null;

export const hasPlans = (): boolean => plans !== null;

/** Has numbers read by these plans from now on. `text`: of that file. */
export function usePlans(text: string): void {
  plans = parseOwnJson<MetadataJson>(text);
}

/** Runs `work` with these plans, and puts back those that were in use. */
export function withPlans<Done>(text: string, work: () => Done): Done {
  const before = plans;
  usePlans(text);
  try {
    return work();
  } finally {
    plans = before;
  }
}

function plansInUse(): MetadataJson {
  if (plans === null)
    throw new Error('the numbering plans are not read: await `loadConfig` or `readPlans` first');
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
