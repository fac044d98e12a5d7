import { err, ok, type Result } from '../../lib/result.ts';
import { glimpse } from './print.ts';

/** A decimal number as text, which Intl formats exactly: no digit goes through a float. */
export type Decimal = `${number}`;

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
const MAX_DIGITS = 40;

/** Reads a JSON number, or a text of one, times ten to the power of `shift`, exactly. */
export function readDecimal(value: unknown, shift = 0): Result<Decimal, string> {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return err('the number is too large to be exact: it has to come as text');
  }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  const match = DECIMAL.exec(text);
  if (!match || text.length > MAX_DIGITS) return err(`${glimpse(value)} is not a number`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const placed = place(sign, whole + fraction, whole.length + Number(exponent) + shift);
  return isDecimal(placed) ? ok(placed) : err(`${glimpse(value)} is not a number`);
}

const isDecimal = (text: string): text is Decimal => /^-?\d+(?:\.\d+)?$/.test(text);

/** Not by `/0+$/`, which would examine each zero inside as well, to the end of its run. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** Returns the digits with the decimal point after the first `point` of them. */
function place(sign: string, digits: string, point: number): string {
  const padded = '0'.repeat(Math.max(0, 1 - point)) + digits;
  const at = Math.max(point, 1);
  const filled = padded.padEnd(at, '0');
  const whole = filled.slice(0, at).replace(/^0+(?=\d)/, '');
  const fraction = withoutZeros(filled.slice(at));
  const minus = sign === '-' && /[1-9]/.test(whole + fraction) ? '-' : '';
  return `${minus}${whole}${fraction && `.${fraction}`}`;
}

export const MAX_NUMBER_LENGTH = 400;

/** The fewest characters of an integer beyond 2^53. */
const LEAST = String(Number.MAX_SAFE_INTEGER).length;

/** The integer beyond 2^53 in a text of digits, else null. As a number it would be another one, so it is a text. */
export function largeInteger(value: unknown): bigint | null {
  if (typeof value !== 'string' || value.length < LEAST || value.length > MAX_NUMBER_LENGTH) return null;
  return /^-?[1-9]\d+$/.test(value) && !Number.isSafeInteger(Number(value)) ? BigInt(value) : null;
}

export const integerValue = (integer: bigint): number | string =>
  Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer);

/** True for a text that stands for no number: `+Inf`, `NaN`, as monitors write them, or one too large for a float. */
export function isNoFiniteNumber(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_NUMBER_LENGTH) return false;
  return /^\s*[+-]?(?:inf(?:inity)?|nan)\s*$/i.test(value) || Math.abs(Number(value)) === Infinity;
}
