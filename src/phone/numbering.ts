import {
  type CountryCode,
  type MetadataJson,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/core/es6';
import { createCache, FactsOn } from '../lib/cache.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { excerptOf } from '../lib/text.ts';

export type Plans = MetadataJson;

export const plans = new FactsOn<Plans>('numbering plans');

/** ISO 3166-1 alpha-2, in capitals. Before the plans are read, any counts: a number is then read without it. */
export const isCountry = (country: string): country is CountryCode =>
  plans.known === null ? /^[A-Z]{2}$/.test(country) : Object.hasOwn(plans.known.countries, country);

/** The ways in which people of a country write numbers. */
export interface Habits {
  /** The digits after `+` that the country's numbers begin with. */
  readonly callingCode: string;
  /** The digits that they dial before a country code, besides `00`. */
  readonly abroad: RegExp;
  /** True if some of those digits choose an operator, which people seldom write. */
  readonly choosesOperator: boolean;
  /** The digits before an area code or a mobile number that are dialled only inside the country; null for none. */
  readonly trunk: string | null;
  /** The digits of a mobile number where people write it without a trunk prefix; 0 where they write one. */
  readonly bareLength: number;
}

/** Places in the plan of a country. The library does not use the last one, where `npm run facts` writes the length. */
const [CODE, ABROAD, TRUNK, BARE_LENGTH] = [0, 1, 5, 9];

export function habitsOf(country: CountryCode): Habits {
  const plan: readonly unknown[] = plans.inUse().countries[country] ?? [];
  const [callingCode, abroad, trunk] = [String(plan[CODE]), String(plan[ABROAD]), plan[TRUNK]];
  return {
    callingCode,
    abroad: new RegExp(`^(?:${abroad})`),
    choosesOperator: !/^\d+$/.test(abroad),
    // The 1 of North America is its country code as well.
    trunk: typeof trunk === 'string' && trunk !== callingCode ? trunk : null,
    bareLength: Number(plan[BARE_LENGTH]),
  };
}

/** Reads the digits of a number that begin with its country code; undefined if they are not a number. */
export const readNumber = (digits: string): PhoneNumber | undefined =>
  parsePhoneNumberFromString(`+${digits}`, plans.inUse());

/** Returns the countries that a number may belong to. Several may share it, or it may belong to none. */
export function countriesOf(number: PhoneNumber): readonly CountryCode[] {
  const sure = number.country === undefined ? [] : [number.country];
  return [...new Set([...sure, ...number.getPossibleCountries()])];
}

/**
 * Country codes that ITU-T gives to services and not to countries (E.164, list of assigned country codes), and whose
 * prices the operators set as they like. Not 800 (free for the caller), nor 808 (shared cost).
 */
const OF_NO_COUNTRY: Readonly<Record<string, string>> = {
  870: 'a satellite number',
  878: 'an international personal number',
  881: 'a satellite number',
  882: 'a number of an international network',
  883: 'a number of an international network',
  979: 'an international premium-rate number',
};

/** Length of the codes above. */
const CODE_LENGTH = 3;

/**
 * Returns the digits (the gateway's), unless they are a premium-rate or satellite number, or one of an international
 * service. The error says what they are and how an open source allows them, with at most four characters.
 */
export function notPremium(digits: string): Result<string, string> {
  const what = known(digits, () => kindOf(digits));
  if (what === null) return ok(digits);
  const { name, country } = what;
  const listed = country === undefined ? '' : `, or list ${country} in its \`countries\``;
  return err(
    `${excerptOf(`+${digits}`)} is ${name}, and anybody can post to this source: to allow such numbers, set \`premium: true\` on the source${listed}`,
  );
}

interface NumberKind {
  readonly name: string;
  /** Undefined if it belongs to none. */
  readonly country?: string | undefined;
}

const known = createCache<NumberKind | null>(1_024);

function kindOf(digits: string): NumberKind | null {
  const code = digits.slice(0, CODE_LENGTH);
  const service = OF_NO_COUNTRY[code];
  if (service !== undefined) return { name: `${service} (+${code})` };
  const number = readNumber(digits);
  if (number?.getType() !== 'PREMIUM_RATE') return null;
  const { country, countryCallingCode } = number;
  return { name: `a premium-rate number of ${country ?? `+${countryCallingCode}`}`, country };
}
