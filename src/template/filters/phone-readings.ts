import type { PhoneNumber } from 'libphonenumber-js/core/es6';
import { readNumber, type Habits } from './phone-library.ts';

/** The valid numbers that somebody may mean by some digits. */
export interface Readings {
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
export const mayBeMobile = (number: PhoneNumber): boolean => MOBILE.has(number.getType());

/** Reads digits, with a leading `+` if there was one. `home`: the habits of the source's country; null for none. */
export function readingsOf(dialled: string, home: Habits | null): Readings {
  const international = valid(after(/^(?:\+|00)/, dialled));
  const withOwnPrefix = home === null ? [] : valid(after(home.abroad, dialled));
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

/** The digits after a prefix for calls abroad; empty without one. */
const after = (prefix: RegExp, dialled: string): string =>
  prefix.test(dialled) ? dialled.replace(prefix, '') : '';

function valid(digits: string): readonly PhoneNumber[] {
  const number = readNumber(digits);
  return number?.isValid() === true ? [number] : [];
}
