import { toValue } from 'liquidjs';
import { err, ok } from '../../lib/result.ts';
import type { Result } from '../../lib/result.ts';
import { integerValue, isNoFiniteNumber, largeInteger, MAX_NUMBER_LENGTH } from '../basics/integer.ts';
import { glimpse, toText } from '../basics/print.ts';

/** The value of a filter and its first argument. An integer beyond 2^53 is a bigint. */
type Operand = number | bigint;

type Made = Result<number | string, string>;

const made = (integer: bigint): Made => ok(integerValue(integer));

/** What filters make of integers beyond 2^53. `isWhole`: the second argument, which `divided_by` has. */
const EXACTLY: Readonly<Record<string, (a: bigint, b: bigint, isWhole: boolean) => Made>> = {
  plus: (a, b) => made(a + b),
  minus: (a, b) => made(a - b),
  times: (a, b) => made(a * b),
  divided_by: (a, b, isWhole) => (isWhole ? made(floored(a, b)) : quotient(a, b)),
  modulo: (a, b) => made(a - b * floored(a, b)),
  at_least: (a, b) => made(a < b ? b : a),
  at_most: (a, b) => made(a < b ? a : b),
  abs: (a) => made(a < 0n ? -a : a),
  ceil: made,
  floor: made,
  round: (a, places) => (places < 0n ? err('the number is too large to be rounded') : made(a)),
};

/**
 * Calculates as a filter of standard Liquid does. What is no number counts as 0, but nothing can be divided by it.
 * `+Inf` and the like stay the text that they are. Integers beyond 2^53 lose no digit: the result is exact, or the
 * error says why there is none. `floats` calculates with all other numbers.
 */
export function calculate(
  name: string,
  operands: readonly unknown[],
  floats: (a: number, ...more: readonly number[]) => unknown,
): Made {
  const [value, argument, further] = operands.map((each): unknown => toValue(each));
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
  if (typeof a === 'number' && typeof b === 'number') {
    const result = isWhole ? floats(a, b, 1) : floats(a, b);
    const isExact = isDivision || Number.isSafeInteger(result) || !isInteger(a) || !isInteger(b);
    if (isExact) return Number.isFinite(result) ? ok(Number(result)) : err('the result is too large');
  }
  const exactly = EXACTLY[name];
  if (exactly === undefined || !isInteger(a) || !isInteger(b)) return err(ONLY_WHOLE);
  return exactly(BigInt(a), BigInt(b), isWhole);
}

const ONLY_WHOLE = 'a number beyond 2^53 is calculated only with whole numbers';

/** True if each of its digits is known. */
const isInteger = (operand: Operand): boolean => typeof operand === 'bigint' || Number.isSafeInteger(operand);

/** Adds up numbers. A sum of integers is exact, and any other has the digits that a float holds reliably. */
export function addUp(values: readonly unknown[]): Made {
  const summands = values.map(readSummand);
  const place = summands.indexOf(null);
  if (place >= 0) return err(`element ${place + 1} is not a number: ${glimpse(values[place])}`);
  const numbers = summands.filter((one) => one !== null);
  if (numbers.every(isInteger)) return made(numbers.reduce((sum: bigint, one) => sum + BigInt(one), 0n));
  if (numbers.some((one) => typeof one === 'bigint')) return err(ONLY_WHOLE);
  const sum = numbers.reduce((total: number, one) => total + Number(one), 0);
  return ok(Number(sum.toPrecision(FLOAT_DIGITS)));
}

/** The number of digits that a float holds reliably. Later ones are rounding noise, as in 0.1 + 0.2. */
const FLOAT_DIGITS = 15;

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
  if (isNoFiniteNumber(value)) return err(`${glimpse(value)} is no number to calculate with`);
  return ok(largeInteger(value.trim()) ?? (Number(value) || 0));
}

/** Returns the quotient rounded down, as in all Liquids. */
function floored(a: bigint, b: bigint): bigint {
  const towardsZero = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? towardsZero - 1n : towardsZero;
}

/** The most decimals of a quotient. */
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
