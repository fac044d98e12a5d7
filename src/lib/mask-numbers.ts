import { fnv } from './fnv.ts';

/** Characters between two digits of one number: blanks, dashes, brackets, and invisible marks. */
const GAP = String.raw`[\s\p{Cf}\p{M}\p{Pd}\p{Ps}\p{Pe}/.·_\u2024\u2212\uff0e\uff0f]{0,8}`;

/**
 * The source of a regular expression (with the flag `u`) for a number of at least `least` digits, as people write it,
 * in any script's digits.
 */
export const numberOf = (least: number): string => String.raw`\+?\p{Nd}(?:${GAP}\p{Nd}){${least - 1},}`;

/** The fewest digits of a number. Anything shorter is nobody's number. */
const LEAST = 7;
/** The fewest digits that a mask hides, and the most that it shows. */
const HIDDEN = 5;
const MAX_SHOWN = 6;

/**
 * First skips text that only looks like a number, namely hookbell's ids, times, and the fingerprints by which Prometheus
 * and Grafana name alerts: 16 hexadecimal digits, at most ten of them decimal in a row. Then matches numbers as people write
 * them.
 */
const NUMBERS = new RegExp(
  String.raw`\b(?:evt_[0-9a-z]{26}|msg_[0-9a-z]{16}|sil_[0-9a-z]{12}|(?![\da-f]*\d{11})[\da-f]{16})\b|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{3})?)?(?!\p{Nd})|(${numberOf(LEAST)})`,
  'gu',
);

/**
 * Masks a number: `+4915•••••78`. The first four and the last two digits are left, so that people who know the number
 * recognise it. A short number shows fewer, since at least five digits are hidden. A number looks the same with `+`,
 * with `00` and without either.
 */
export function maskNumber(number: string): string {
  const digits = asciiDigits(number).replace(/^00/, '');
  const first = Math.min(MAX_SHOWN, digits.length - HIDDEN) - 2;
  return first < 0 ? '+•••••' : `+${digits.slice(0, first)}•••••${digits.slice(-2)}`;
}

/** The number of possible endings in the mask of an address: two characters of base 36. */
const ENDS = 36 ** 2;

/**
 * Masks a receiver. An address, such as a topic, is hidden completely. Two characters, always the same for the same
 * address, distinguish it from others: `•••••k7`.
 */
export const maskReceiver = (receiver: string): string =>
  /\p{L}/u.test(receiver)
    ? `•••••${(fnv(receiver) % ENDS).toString(36).padStart(2, '0')}`
    : maskNumber(receiver);

/** Masks all numbers of seven digits or more in a text, even inside words. */
export const maskNumbers = (text: string): string => maskSome(text, () => true);

/** Masks those of the numbers that are somebody's. */
export const maskSome = (text: string, isSomebodys: (number: string) => boolean): string =>
  text.replaceAll(NUMBERS, (found, number: string | undefined) =>
    number === undefined || !isSomebodys(number) ? found : maskNumber(number),
  );

/** The digits of a text as 0 to 9, from any script. */
const asciiDigits = (text: string): string =>
  text.replaceAll(/\P{Nd}/gu, '').replaceAll(/[^0-9]/gu, (digit) => String(valueOf(digit)));

/**
 * The value of a digit. Unicode lists the ten digits of a script in a row from zero on, and such rows may be adjacent.
 */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}
