/** What is no number, though it looks like one: ids that hookbell makes, and times. Then numbers as people write them. */
const NUMBERS =
  /\b(?:evt_[0-9a-z]{26}|msg_[0-9a-z]{16}|sil_[0-9a-z]{12})\b|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{3})?)?(?!\d)|(\+?\d(?:[\s()/.-]{0,2}\d){6,})/g;

/**
 * `+4915•••••78`: the first four and the last two digits, so that people who know a number recognise it. One number
 * looks the same however it is written, with `+`, `00` or neither.
 */
export function maskNumber(number: string): string {
  const digits = number.replaceAll(/\D/g, '').replace(/^00/, '');
  return digits.length < 7 ? '+•••••' : `+${digits.slice(0, 4)}•••••${digits.slice(-2)}`;
}

/** A text with all numbers of seven digits or more masked, also inside of words. */
export const maskNumbers = (text: string): string =>
  text.replaceAll(NUMBERS, (found, number: string | undefined) =>
    number === undefined ? found : maskNumber(number),
  );
