import { fnv } from './text.ts';

/** A phone number in the gateway's format: digits that start with the country code (E.164: 15 at most). */
export const gatewayDigits = /^[1-9][0-9]{6,14}$/;

/** The number of last digits that are compared. They are the same with a country code, with a 0, and without either. */
const COMPARED = 9;
/** The fewest digits to search for. Fewer would be in too many texts. */
const LEAST_SEARCHED = 6;

/** The last digits of a number in any format, for a search; null if the text is not a number, or is too short. */
export function numberEnd(text: string): string | null {
  if (!/^[\d\s()+./\-\u00a0\u2010-\u2013]+$/.test(text)) return null;
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length < LEAST_SEARCHED ? null : digits.slice(-COMPARED);
}

/** Blanks, brackets and dashes between two digits. */
const BETWEEN = String.raw`[ \t().\-/+\u00a0\u202f\u2010-\u2013]{0,3}`;

/** True if a text contains a number that has these digits, in any format. */
export const holdsNumber = (text: string, digits: string): boolean =>
  new RegExp(digits.split('').join(BETWEEN)).test(text);

/** Characters between two digits of one number: blanks, dashes, brackets, and invisible marks. */
const GAP = String.raw`[\s\p{Cf}\p{M}\p{Pd}\p{Ps}\p{Pe}/.·_\u2024\u2212\uff0e\uff0f]{0,8}`;

/** A regular expression (flag `u`) for a number of at least `least` digits, as people write it, in any script. */
export const numberOf = (least: number): string => String.raw`\+?\p{Nd}(?:${GAP}\p{Nd}){${least - 1},}`;

/** The fewest digits of a number. Anything shorter is nobody's number. */
const LEAST_MASKED = 7;
/** The fewest digits that a mask hides, and the most that it shows. */
const HIDDEN = 5;
const MAX_SHOWN = 6;

/**
 * First skips text that only looks like a number, namely hookbell's ids, times, and the fingerprints by which Prometheus
 * and Grafana name alerts: 16 hexadecimal digits, at most ten of them decimal in a row. Then matches numbers as people write
 * them.
 */
const NUMBERS = new RegExp(
  String.raw`\b(?:evt_[0-9a-z]{26}|msg_[0-9a-z]{16}|sil_[0-9a-z]{12}|(?![\da-f]*\d{11})[\da-f]{16})\b|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{3})?)?(?!\p{Nd})|(${numberOf(LEAST_MASKED)})`,
  'gu',
);

/**
 * Shows the first four and the last two digits, so that people who know the number recognise it; fewer of a short one,
 * since at least five are hidden. With `+`, with `00` and without either, it looks the same.
 */
export function maskNumber(number: string): string {
  const digits = withAsciiDigits(number).replaceAll(/\D/g, '').replace(/^00/, '');
  const first = Math.min(MAX_SHOWN, digits.length - HIDDEN) - 2;
  return first < 0 ? '+•••••' : `+${digits.slice(0, first)}•••••${digits.slice(-2)}`;
}

/** The number of possible endings in the mask of an address: two characters of base 36. */
const ENDS = 36 ** 2;

/** An address, such as a topic, is hidden but for two characters that are always the same for it: `•••••k7`. */
export const maskReceiver = (receiver: string): string =>
  /\p{L}/u.test(receiver)
    ? `•••••${(fnv(receiver) % ENDS).toString(36).padStart(2, '0')}`
    : maskNumber(receiver);

/** Masks all numbers of seven digits or more in a text, even inside words. */
export const maskNumbers = (text: string): string => maskSome(text, () => true);

export const maskSome = (text: string, isSomebodys: (number: string) => boolean): string =>
  text.replaceAll(NUMBERS, (found, number: string | undefined) =>
    number === undefined || !isSomebodys(number) ? found : maskNumber(number),
  );

/** Returns a text whose digits are 0 to 9, from any script. */
export const withAsciiDigits = (text: string): string =>
  text.replaceAll(/[^\P{Nd}0-9]/gu, (digit) => String(valueOf(digit)));

/** Unicode lists the ten digits of a script in a row from zero on, and such rows may be adjacent. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}
