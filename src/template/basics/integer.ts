/** The longest text that is read as a number. UTF-16 units. */
export const MAX_NUMBER_LENGTH = 400;

/** The fewest characters of an integer beyond 2^53. */
const LEAST = String(Number.MAX_SAFE_INTEGER).length;

/**
 * Returns the integer in a text of digits if it is beyond 2^53, and null for anything else. As a number, it would be
 * another one, so a payload and a template have it as this text.
 */
export function largeInteger(value: unknown): bigint | null {
  if (typeof value !== 'string' || value.length < LEAST || value.length > MAX_NUMBER_LENGTH) return null;
  return /^-?[1-9]\d+$/.test(value) && !Number.isSafeInteger(Number(value)) ? BigInt(value) : null;
}

/** Returns an integer as a number, or beyond 2^53 as a text of its digits. */
export const integerValue = (integer: bigint): number | string =>
  Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer);

/** True for a text that stands for no number: `+Inf`, `NaN`, as monitors write them, or one too large for a float. */
export function isNoFiniteNumber(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_NUMBER_LENGTH) return false;
  return /^\s*[+-]?(?:inf(?:inity)?|nan)\s*$/i.test(value) || Math.abs(Number(value)) === Infinity;
}
