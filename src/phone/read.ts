import {
  type CountryCode,
  type MetadataJson,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/core/es6';
import { createCache, FactsOn } from '../lib/cache.ts';
import { ownValue } from '../lib/json.ts';
import { gatewayDigits } from '../lib/numbers.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { excerptOf } from '../lib/text.ts';
import { internationalDigits, MAX_LENGTH, readDialled, TRUNK_ZERO } from './dialled.ts';

export type Plans = MetadataJson;

export const plans = new FactsOn<Plans>('numbering plans');

/** ISO 3166-1 alpha-2, in capitals. Before the plans are read, any counts: a number is then read without it. */
export const isCountry = (country: string): country is CountryCode =>
  plans.known === null ? /^[A-Z]{2}$/.test(country) : Object.hasOwn(plans.known.countries, country);

/** Places in the plan of a country. The library does not use the last one, where `npm run facts` writes the length. */
const [CODE, ABROAD, TRUNK, BARE_LENGTH] = [0, 1, 5, 9];

type Habits = ReturnType<typeof habitsOf>;

/** The ways in which people of a country write numbers. */
export function habitsOf(country: CountryCode) {
  const plan: readonly unknown[] = plans.inUse().countries[country] ?? [];
  const [callingCode, abroad, trunk] = [String(plan[CODE]), String(plan[ABROAD]), plan[TRUNK]];
  return {
    /** The digits after `+` that the country's numbers begin with. */
    callingCode,
    /** The digits that they dial before a country code, besides `00`. */
    abroad: new RegExp(`^(?:${abroad})`),
    /** True if some of those digits choose an operator, which people seldom write. */
    choosesOperator: !/^\d+$/.test(abroad),
    /**
     * The digits before an area code or a mobile number that are dialled only inside the country; null for none. The 1
     * of North America is its country code as well.
     */
    trunk: typeof trunk === 'string' && trunk !== callingCode ? trunk : null,
    /** The digits of a mobile number where people write it without a trunk prefix; 0 where they write one. */
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

/** What numbers of the receivers of a busy hour were read as, and what they were checked for: the key has all of it. */
const known = createCache<Result<string, string>>(4_096);

/**
 * Returns the digits (the gateway's), unless they are a premium-rate or satellite number, or one of an international
 * service. The error says what they are and how an open source allows them, with at most four characters.
 */
export const notPremium = (digits: string): Result<string, string> =>
  known(`premium: ${digits}`, () => {
    const code = digits.slice(0, 3);
    const service = OF_NO_COUNTRY[code];
    const number = service === undefined ? readNumber(digits) : undefined;
    if (service === undefined && number?.getType() !== 'PREMIUM_RATE') return ok(digits);
    const country = number?.country;
    const rated = `a premium-rate number of ${country ?? `+${number?.countryCallingCode}`}`;
    const what = service === undefined ? rated : `${service} (+${code})`;
    const listed = country === undefined ? '' : `, or list ${country} in its \`countries\``;
    return err(
      `${excerptOf(`+${digits}`)} is ${what}, and anybody can post to this source: to allow such numbers, set \`premium: true\` on the source${listed}`,
    );
  });

/** What a source says of the numbers in its payloads. */
export interface PhoneRules {
  /** ISO 3166-1 alpha-2: the country of phone numbers without a country code. */
  readonly country: string | undefined;
  /** The countries in which receivers from a payload may be; undefined for any. */
  readonly countries?: readonly string[] | undefined;
}

export interface ReceiverRules extends PhoneRules {
  /** The paths of a chat's ids in a payload; undefined if the source does not prove its sender. */
  readonly chatIds?: readonly string[] | undefined;
}

/** Returns a receiver from a payload: a chat's id as its provider signed it, or a phone number. */
export function readReceiver(raw: unknown, rules: ReceiverRules, payload: unknown): Result<string, string> {
  const id = chatId(raw, payload, rules.chatIds);
  return id === null ? parsePhone(raw, rules) : ok(id);
}

/**
 * Returns a phone number from a payload as the gateway expects it: digits that start with the country code. A number
 * that can be read in two ways is refused. The error gives the reason, with at most four characters of the number.
 */
export const parsePhone = (raw: unknown, rules: PhoneRules): Result<string, string> =>
  typeof raw === 'string' && raw.length <= MAX_LENGTH
    ? known(`${rules.country} ${rules.countries?.join(',')} ${raw}`, () => parse(raw, rules))
    : parse(raw, rules);

function parse(raw: unknown, { country, countries }: PhoneRules): Result<string, string> {
  const dialled = readDialled(raw);
  if (!dialled.ok) return dialled;
  const region = country?.toUpperCase();
  const home = region !== undefined && isCountry(region) ? habitsOf(region) : null;
  const readings = readingsOf(dialled.value, home);
  const withoutZero = withoutTrunkZero(raw).map((digits) => ({ digits, readings: readingsOf(digits, home) }));
  const all = (kind: keyof Readings): readonly PhoneNumber[] => [
    ...readings[kind],
    // A country's code comes before the zero, so `84 (0)91…` is no `8 491…`, as people in Russia write theirs.
    ...withoutZero.flatMap((one) =>
      one.readings[kind].filter(({ number }) => one.digits.endsWith(number.slice(1))),
    ),
  ];
  const [plain, foreign] = [all('plain'), all('foreign')];
  const own = distinct(plain.length > 0 ? plain : all('loose'));
  const isListed = (number: PhoneNumber): boolean =>
    countriesOf(number).some((one) => countries?.includes(one) === true);
  const isRival = (number: PhoneNumber): boolean =>
    countries === undefined
      ? plain.length === 0 && (mayBeMobile(number) || !own.some(mayBeMobile))
      : isListed(number);
  const rivals = foreign.filter(isRival);
  const meant = distinct([...own, ...rivals]);
  const [only] = meant;
  if (only !== undefined && meant.length === 1 && (own.length > 0 || (isListed(only) && mayBeMobile(only))))
    return ok(only.number.slice(1));
  const guesses = meant.length > 0 ? meant : distinct(foreign.length > 0 ? foreign : all('unlikely'));
  const why = whyNot(dialled.value, guesses, { country: region, countries });
  // Without other countries, the number at home would be the only one.
  const isListHelpful = own.length === 1 && rivals.length > 0 && countries === undefined;
  return err(`${excerptOf(dialled.value)} ${why}${isListHelpful ? `, or list countries: [${region}]` : ''}`);
}

/** Without the zero of `+49 (0)151`, which the plans of some countries count as a digit of the number. */
function withoutTrunkZero(raw: unknown): readonly string[] {
  if (typeof raw !== 'string' || !TRUNK_ZERO.test(raw)) return [];
  const dialled = readDialled(raw.replace(TRUNK_ZERO, ''));
  return dialled.ok ? [dialled.value] : [];
}

const distinct = (numbers: readonly PhoneNumber[]): readonly PhoneNumber[] => [
  ...new Map(numbers.map((number) => [number.number, number])).values(),
];

/** The reason why a number is refused, with what to write. `guesses`: the numbers that may be meant. */
function whyNot(
  dialled: string,
  guesses: readonly PhoneNumber[],
  { country, countries }: PhoneRules,
): string {
  const [guess, ...more] = guesses;
  if (more.length > 0)
    return `can be read as ${guesses.map(shown).join(', ')}: write it with + and its country code`;
  if (guess !== undefined) return whyNotAbroad(guess, { country, countries });
  if (internationalDigits(dialled) !== null) return 'is not a valid international phone number';
  if (country === undefined)
    return 'has no + and no country code that is sure, and the source has no `country`: write it with +, or set `country` if it is a number there';
  return `is not a valid phone number in ${country}, nor an international one`;
}

function whyNotAbroad(guess: PhoneNumber, { country, countries }: PhoneRules): string {
  const [its] = countriesOf(guess);
  if (countries !== undefined && its !== undefined && !countries.includes(its))
    return outside([its], countries);
  const code = `+${guess.countryCallingCode}`;
  const isListable = countries === undefined && its !== undefined && its !== country && mayBeMobile(guess);
  const list = isListable ? `, or list countries: [${country}, ${its}]` : '';
  return `is not written as a number in ${country}. ${shown(guess)}? Write ${code}…${list}`;
}

/** A number for an error, with two of its digits after the country code. */
const shown = ({ countryCallingCode, nationalNumber }: PhoneNumber): string =>
  `+${countryCallingCode} ${nationalNumber.slice(0, 2)}…`;

/**
 * Returns the digits, unless they belong to none of the countries (ISO 3166-1 alpha-2). If countries share a number,
 * one of them is enough. The error names the number's country, and at most four characters of it.
 */
export const inCountries = (digits: string, countries: readonly string[]): Result<string, string> =>
  known(`countries: ${countries.join(',')} ${digits}`, () => {
    const number = readNumber(digits);
    const own = number === undefined ? [] : countriesOf(number);
    return own.some((country) => countries.includes(country))
      ? ok(digits)
      : err(`${excerptOf(`+${digits}`)} ${outside(own, countries)}`);
  });

const outside = (own: readonly string[], countries: readonly string[]): string =>
  `belongs to ${own.length === 0 ? 'no country' : own.join(', ')}, and the source's \`countries\` are ${countries.join(', ')}`;

/** The valid numbers that somebody may mean by some digits. */
interface Readings {
  /** Written as people at home write theirs, or with a prefix for calls abroad. */
  readonly plain: readonly PhoneNumber[];
  /** Numbers at home that people there write in another way. One of them counts if no other number can be meant. */
  readonly loose: readonly PhoneNumber[];
  /** Numbers at home that are no mobiles and lack the trunk prefix. They never count. */
  readonly unlikely: readonly PhoneNumber[];
  /** Numbers of other countries, with their country code but without a prefix for calls abroad. */
  readonly foreign: readonly PhoneNumber[];
}

/** The fewest digits that count as a number with its country code where no country is known: shorter ones are many. */
const LEAST_DIGITS = 11;

const MOBILE: ReadonlySet<string | undefined> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);

/** False if the numbering plan says that the number is no mobile. In North America, plans do not tell. */
const mayBeMobile = (number: PhoneNumber): boolean => MOBILE.has(number.getType());

/** Reads digits, with a leading `+` if there was one. `home`: the habits of the source's country; null for none. */
function readingsOf(dialled: string, home: Habits | null): Readings {
  const international = valid(internationalDigits(dialled) ?? '');
  const withOwnPrefix =
    home === null ? [] : valid(home.abroad.test(dialled) ? dialled.replace(home.abroad, '') : '');
  const abroad = home?.choosesOperator === true ? international : [...international, ...withOwnPrefix];
  const none: Readings = { plain: abroad, loose: [], unlikely: [], foreign: [] };
  if (dialled.startsWith('+') || international.length > 0) return none;
  const itself = valid(dialled);
  if (home === null) {
    const isWhole = ({ number }: PhoneNumber): boolean => number === `+${dialled}`;
    const isLong = dialled.length >= LEAST_DIGITS;
    return { ...none, plain: itself.filter((number) => isLong && isWhole(number) && mayBeMobile(number)) };
  }
  const isAtHome = (number: PhoneNumber): boolean => number.countryCallingCode === home.callingCode;
  const withCode = itself.filter(isAtHome);
  // The plans of some countries add an area code to a short number: those digits were not given.
  const national = valid(home.callingCode + dialled).filter(
    ({ nationalNumber }) => nationalNumber.length <= dialled.length,
  );
  const plain = [
    ...abroad,
    ...withCode.filter(mayBeMobile),
    ...national.filter((number) => isWrittenSo(number, dialled, home)),
  ];
  const others = [...withCode, ...national].filter((number) => !plain.includes(number));
  const isLoose = (number: PhoneNumber): boolean => home.trunk === null || mayBeMobile(number);
  return {
    plain,
    loose: [...others.filter((number) => isLoose(number)), ...withOwnPrefix],
    unlikely: others.filter((number) => !isLoose(number)),
    foreign: itself.filter((number) => !isAtHome(number)),
  };
}

/** True if people at home write a national number with these digits. */
function isWrittenSo(number: PhoneNumber, dialled: string, { trunk, bareLength }: Habits): boolean {
  if (number.nationalNumber === dialled) return dialled.length === bareLength && mayBeMobile(number);
  return trunk !== null && dialled.startsWith(trunk);
}

function valid(digits: string): readonly PhoneNumber[] {
  const number = readNumber(digits);
  return number?.isValid() === true ? [number] : [];
}

/** An id with the mark of its chat, as Twilio (`whatsapp:+52…`) and gateways on an own server (`52…@c.us`) post it. */
const MARKED = /^(?:whatsapp:\+?([1-9]\d{6,14})|([1-9]\d{6,14})(?::\d+)?@(?:c\.us|s\.whatsapp\.net))$/;

/**
 * Returns the digits of a chat's id; null if the value is not one. An id is an address, which may differ from any phone
 * number: a Mexican one can begin with 521. `places`: the paths of ids without a mark, in the payload of a source that
 * proves its sender; undefined for other sources, in which a stranger may have written the value.
 */
export function chatId(
  value: unknown,
  payload: unknown,
  places: readonly string[] | undefined,
): string | null {
  if (places === undefined || typeof value !== 'string') return null;
  const text = value.trim();
  const marked = MARKED.exec(text);
  if (marked !== null) return marked[1] ?? marked[2] ?? null;
  return gatewayDigits.test(text) && idsIn(payload, places).has(text) ? text : null;
}

/** The ids of a payload: a batch has many, and each of its messages asks for one. */
const idsOf = new WeakMap<object, ReadonlySet<unknown>>();

function idsIn(payload: unknown, places: readonly string[]): ReadonlySet<unknown> {
  if (typeof payload !== 'object' || payload === null) return new Set();
  const ids = idsOf.get(payload) ?? new Set(places.flatMap((place) => valuesAt(payload, place)));
  idsOf.set(payload, ids);
  return ids;
}

/** The values at a path, in which `*` stands for each element of a list. */
const valuesAt = (payload: unknown, path: string): readonly unknown[] =>
  path
    .split('.*.')
    .reduce<readonly unknown[]>((values, step) => values.flat().map((one) => ownValue(one, step)), [payload]);
