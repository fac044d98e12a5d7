import { err, ok, type Result } from '../../lib/result.ts';
import {
  readDecimal,
  integerValue,
  isNoFiniteNumber,
  largeInteger,
  MAX_NUMBER_LENGTH,
} from '../basics/numbers.ts';
import { glimpse, toText } from '../basics/print.ts';

/** The value of a filter and its first argument. An integer beyond 2^53 is a bigint. */
type Operand = number | bigint;

type Made = Result<number | string, string>;

const made = (integer: bigint): Made => ok(integerValue(integer));

type Exactly = (a: bigint, b: bigint) => bigint;
type Float = (a: number, b: number) => number;

/**
 * By filter, what it makes of integers beyond 2^53 and of decimals in units of their last place, and what of floats.
 * `places`: how many times the places of exact decimals the result has; without it, decimals are floats.
 */
const CALCULATIONS: Readonly<Record<string, readonly [exactly: Exactly, float: Float, places?: number]>> = {
  plus: [(a, b) => a + b, (a, b) => a + b, 1],
  minus: [(a, b) => a - b, (a, b) => a - b, 1],
  times: [(a, b) => a * b, (a, b) => a * b, 2],
  divided_by: [floored, (a, b) => a / b],
  modulo: [(a, b) => a - b * floored(a, b), (a, b) => ((a % b) + b) % b, 1],
  at_least: [(a, b) => (a < b ? b : a), Math.max],
  at_most: [(a, b) => (a < b ? a : b), Math.min],
  abs: [(a) => (a < 0n ? -a : a), Math.abs],
  ceil: [(a) => a, Math.ceil],
  floor: [(a) => a, Math.floor],
  round: [(a) => a, (a, places) => rounded(a, Math.trunc(places))],
};

/** Rounds away from 0, by the digits that people see: 1.005 has them. */
function rounded(number: number, places: number): number {
  const scaled = shifted(Math.abs(number), places);
  if (!(scaled <= Number.MAX_SAFE_INTEGER)) return number;
  return shifted(Math.round(scaled), -places) * (number < 0 ? -1 : 1);
}

function shifted(number: number, places: number): number {
  const [digits, power = '0'] = String(number).split('e');
  return Number(`${digits}e${Number(power) + places}`);
}

/**
 * Calculates as a filter of standard Liquid does. What is no number counts as 0, but nothing can be divided by it, and
 * what has digits, such as `12,50`, is an error: somebody means a number.
 * `+Inf` and the like stay the text that they are. Integers beyond 2^53 lose no digit: the result is exact, or the
 * error says why there is none.
 */
export function calculate(name: string, [value, argument, further]: readonly unknown[]): Made {
  if (isNoFiniteNumber(value)) return ok(toText(value));
  const left = readOperand(value);
  if (!left.ok) return left;
  const right = readOperand(argument);
  if (!right.ok) return right;
  const [a, b] = [left.value, right.value];
  const isDivision = name === 'divided_by';
  if ((isDivision || name === 'modulo') && !b) {
    return err(
      argument === undefined || argument === null
        ? 'the number to divide by is missing'
        : `nothing can be divided by ${glimpse(argument)}`,
    );
  }
  const isWhole = isDivision && Boolean(further);
  const [exactly, float] = CALCULATIONS[name] ?? [];
  if (typeof a === 'number' && typeof b === 'number') {
    const decimal = isWhole || (isInteger(a) && isInteger(b)) ? null : onPaper(name, [value, argument]);
    if (decimal !== null) return ok(decimal);
    const result = isWhole ? Math.floor(a / b) : (float?.(a, b) ?? Number.NaN);
    const isExact = isDivision || Number.isSafeInteger(result) || !isInteger(a) || !isInteger(b);
    if (isExact) return Number.isFinite(result) ? ok(result) : err('the result is too large');
  }
  if (exactly === undefined || !isInteger(a) || !isInteger(b)) return err(ONLY_WHOLE);
  if (isDivision && !isWhole) return quotient(BigInt(a), BigInt(b));
  if (name === 'round' && b < 0) return err('the number is too large to be rounded');
  return made(exactly(BigInt(a), BigInt(b)));
}

/** Decimals as people calculate on paper: 10.1 minus 2.2 is 7.9. Null for what a float does as well. */
function onPaper(name: string, operands: readonly unknown[]): number | string | null {
  const { units: [a, b] = [], places = 0 } = inUnits(operands) ?? {};
  if (places === 0 || a === undefined || b === undefined) return null;
  if (name === 'divided_by') return Number(a) / Number(b);
  const [exactly, , times] = CALCULATIONS[name] ?? [];
  return exactly && times ? ofUnits(exactly(a, b), times * places, operands) : null;
}

/** More decimals are calculated as floats. */
const MAX_PLACES = 40;

/** Returns numbers in units of their last decimal place; null if one cannot be read exactly. */
function inUnits(values: readonly unknown[]): { readonly units: bigint[]; readonly places: number } | null {
  // What is no number may be long, and nothing looks into it.
  if (!values.every((value) => isShort(value ?? 0))) return null;
  const read = values.map((value) => readDecimal(value ?? 0));
  const parts = read.map((one) => (one.ok ? one.value.split('.') : []));
  const places = parts.reduce((most, [, { length } = '']) => Math.max(most, length), 0);
  if (places > MAX_PLACES || read.some(({ ok: isRead }) => !isRead)) return null;
  return {
    units: parts.map(([whole = '', fraction = '']) => BigInt(whole + fraction.padEnd(places, '0'))),
    places,
  };
}

const isShort = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.length <= MAX_NUMBER_LENGTH);

const FLOAT_DIGITS = 15;

/** Returns a number of units: as a number, or as a text of its digits where a float would lose some of `operands`. */
function ofUnits(units: bigint, places: number, operands: readonly unknown[]): number | string {
  const number = Number(`${units}e-${places}`);
  const hasMore = operands.some((one) => typeof one === 'string' && one.trim().length > FLOAT_DIGITS + 1);
  const digits = hasMore ? readDecimal(String(units), -places) : null;
  return digits?.ok === true && digits.value !== String(number) ? digits.value : number;
}

const ONLY_WHOLE = 'a number beyond 2^53 is calculated only with whole numbers';

/** True if each of its digits is known. */
const isInteger = (operand: Operand): boolean => typeof operand === 'bigint' || Number.isSafeInteger(operand);

/** Adds up numbers, exactly unless one of them is hardly a decimal, such as `1e300`. */
export function addUp(values: readonly unknown[]): Made {
  const summands = values.map(readSummand);
  const place = summands.indexOf(null);
  if (place >= 0) return err(`element ${place + 1} is not a number: ${glimpse(values[place])}`);
  const numbers = summands.filter((one) => one !== null);
  if (numbers.every(isInteger)) return made(numbers.reduce((sum: bigint, one) => sum + BigInt(one), 0n));
  if (numbers.some((one) => typeof one === 'bigint')) return err(ONLY_WHOLE);
  const read = inUnits(values);
  if (read === null) return ok(numbers.reduce((sum: number, one) => sum + Number(one), 0));
  const units = read.units.reduce((sum, one) => sum + one, 0n);
  return ok(ofUnits(units, read.places, values));
}

/** Unlike in a calculation, what is no number is an error. Null counts as 0. */
function readSummand(value: unknown): Operand | null {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_NUMBER_LENGTH) return null;
  const number = largeInteger(value) ?? Number(value);
  return typeof number === 'bigint' || Number.isFinite(number) ? number : null;
}

function readOperand(value: unknown): Result<Operand, string> {
  if (typeof value === 'number') return ok(value);
  if (typeof value !== 'string' || value.length > MAX_NUMBER_LENGTH) return ok(0);
  const number = largeInteger(value.trim()) ?? Number(value);
  const isUnclear = isNoFiniteNumber(value) || (Number.isNaN(number) && /\p{Nd}/u.test(value));
  return isUnclear ? err(`${glimpse(value)} is no number to calculate with`) : ok(number || 0);
}

/** Returns the quotient rounded down, as in all Liquids. */
function floored(a: bigint, b: bigint): bigint {
  const towardsZero = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? towardsZero - 1n : towardsZero;
}

const MAX_DECIMALS = 20;

/** Returns the exact quotient, such as the seconds in nanoseconds. */
function quotient(a: bigint, b: bigint): Made {
  if (a % b === 0n) return made(a / b);
  const [whole, divisor] = [a < 0n ? -a : a, b < 0n ? -b : b];
  let rest = whole % divisor;
  let decimals = '';
  for (; rest !== 0n && decimals.length < MAX_DECIMALS; rest = (rest * 10n) % divisor)
    decimals += String((rest * 10n) / divisor);
  if (rest !== 0n) return err('the result is not exact: write `true` as second argument for a whole number');
  return ok(`${a < 0n !== b < 0n ? '-' : ''}${whole / divisor}.${decimals}`);
}
