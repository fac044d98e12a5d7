import { fnv } from './fnv.ts';

/** Characters between two digits of one number: blanks, dashes, brackets, and invisible marks. */
const GAP = String.raw`[\s\p{Cf}\p{M}\p{Pd}\p{Ps}\p{Pe}/.·_\u2024\u2212\uff0e\uff0f]{0,8}`;

/** A number of `least` digits or more as people write it, in any script's digits: source of a regex with `u`. */
export const numberOf = (least: number): string => String.raw`\+?\p{Nd}(?:${GAP}\p{Nd}){${least - 1},}`;

/** A number of fewer digits is nobody's. */
const LEAST = 7;
/** The digits that a mask hides at least, and those that it shows at most. */
const HIDDEN = 5;
const MAX_SHOWN = 6;

/** Text that only looks like a number: ids that hookbell makes, and times. Then numbers as people write them. */
const NUMBERS = new RegExp(
  String.raw`\b(?:evt_[0-9a-z]{26}|msg_[0-9a-z]{16}|sil_[0-9a-z]{12})\b|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{3})?)?(?!\p{Nd})|(${numberOf(LEAST)})`,
  'gu',
);

/**
 * `+4915•••••78`: the first four and the last two digits, so that people who know a number recognise it; a short one
 * shows fewer, so that five are hidden. One number looks the same however it is written, with `+`, `00` or neither.
 */
export function maskNumber(number: string): string {
  const digits = asciiDigits(number).replace(/^00/, '');
  const first = Math.min(MAX_SHOWN, digits.length - HIDDEN) - 2;
  return first < 0 ? '+•••••' : `+${digits.slice(0, first)}•••••${digits.slice(-2)}`;
}

/** The number of different ends that the mask of an address has: two characters of base 36. */
const ENDS = 36 ** 2;

/**
 * A receiver, masked. Of an address, such as a topic, nothing is shown; two characters, which are the same for the same address, distinguish
 * it from others: `•••••k7`.
 */
export const maskReceiver = (receiver: string): string =>
  /\p{L}/u.test(receiver)
    ? `•••••${(fnv(receiver) % ENDS).toString(36).padStart(2, '0')}`
    : maskNumber(receiver);

/** A text with all numbers of seven digits or more masked, also inside of words. */
export const maskNumbers = (text: string): string =>
  text.replaceAll(NUMBERS, (found, number: string | undefined) =>
    number === undefined ? found : maskNumber(number),
  );

/** The digits of a text as 0 to 9, in whichever script they are. */
const asciiDigits = (text: string): string =>
  text.replaceAll(/\P{Nd}/gu, '').replaceAll(/[^0-9]/gu, (digit) => String(valueOf(digit)));

/** Unicode has the ten digits of a script in a row, from zero on; two rows may follow each other. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}
