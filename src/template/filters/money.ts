import { err, ok, type Result } from '../../lib/result.ts';
import { readDecimal, type Decimal } from '../basics/numbers.ts';
import { formatsOf, type Exponents } from '../basics/locale.ts';
import { glimpse, toText } from '../basics/print.ts';

/**
 * The number of decimals of the minor unit, if it is not 2. Source: ISO 4217 List One. Not from Intl: its data (CLDR)
 * has the digits in everyday use, none for IQD, HUF or IDR, whose payments count in minor units.
 */
const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((code) => [code, 3] as const),
  ...['CLF', 'UYW'].map((code) => [code, 4] as const),
]);

/** Codes of metals, funds, tests and "no currency", which have no minor unit in ISO 4217. */
const WITHOUT_MINOR_UNIT = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '));

const CURRENCIES = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...EXPONENTS.keys(),
  // Some are newer than the data of some runtimes, and providers use two that ISO 4217 does not have.
  ...'SLE VED XAD XCG ZWG CNH VEF'.split(' '),
]);

/**
 * Returns an amount in minor units, such as cents, in a locale's format: 1999 EUR is `19,99 €` in de-DE. `exponents`
 * are those of a provider that counts some currencies differently from ISO 4217.
 */
export function formatMinor(
  amount: unknown,
  currency: unknown,
  locale: string,
  exponents: Exponents = {},
): Result<string, string> {
  const code = readCurrency(currency);
  if (!code.ok) return code;
  const digits = exponentOf(code.value);
  const sent = exponents[code.value] ?? digits;
  // Zeros that only the provider sends are left out; a digit never is.
  const read = readDecimal(amount, -sent);
  return read.ok ? ok(shown(read.value, code.value, locale, [Math.min(digits, sent), sent])) : read;
}

/**
 * Rounded to the minor unit, half away from zero. A text such as `1.234` is refused where the currency has no three
 * decimals: half the world writes thousands so.
 */
export function formatMajor(amount: unknown, currency: unknown, locale: string): Result<string, string> {
  const code = readCurrency(currency);
  if (!code.ok) return code;
  const digits = exponentOf(code.value);
  if (typeof amount === 'string' && digits < 3 && /^\s*[+-]?[1-9]\d{0,2}\.\d{3}\s*$/.test(amount))
    return err(
      `${glimpse(amount)} can be read with a decimal point or with thousands: if it is a decimal, write \`times: 1\` before`,
    );
  const read = readDecimal(amount);
  return read.ok ? ok(shown(read.value, code.value, locale, [digits, digits])) : read;
}

function readCurrency(currency: unknown): Result<string, string> {
  const code = toText(currency).trim().toUpperCase();
  if (code === '') return err('the currency is missing');
  if (WITHOUT_MINOR_UNIT.has(code)) return err(`"${code}" has no minor unit`);
  return CURRENCIES.has(code)
    ? ok(code)
    : err(`unknown currency ${glimpse(currency)}: an ISO 4217 code is needed`);
}

const exponentOf = (currency: string): number => EXPONENTS.get(currency) ?? 2;

const formats = formatsOf(Intl.NumberFormat);

/** What rounds to zero has no sign. */
const digitsFrom = (least: number, most: number) =>
  ({ minimumFractionDigits: least, maximumFractionDigits: most, signDisplay: 'negative' }) as const;

function shown(amount: Decimal, currency: string, locale: string, [least, most]: readonly [number, number]) {
  return formats(locale, { style: 'currency', currency, ...digitsFrom(least, most) }).format(amount);
}

const MAX_FRACTION_DIGITS = 20;

/** Returns a number in a locale's format, with up to three fraction digits, or with exactly `digits` (0 to 20). */
export function formatNumber(value: unknown, digits: unknown, locale: string): Result<string, string> {
  const number = readDecimal(value);
  if (!number.ok) return number;
  const exact = digits ?? -1;
  if (typeof exact !== 'number' || !Number.isInteger(exact) || exact < -1 || exact > MAX_FRACTION_DIGITS)
    return err(`fraction digits must be a whole number up to ${MAX_FRACTION_DIGITS}, not ${glimpse(digits)}`);
  const [least, most] = exact < 0 ? [0, 3] : [exact, exact];
  return ok(formats(locale, digitsFrom(least, most)).format(number.value));
}
