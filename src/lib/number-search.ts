/** A phone number in the gateway's format: digits that start with the country code (E.164: 15 at most). */
export const gatewayDigits = /^[1-9][0-9]{6,14}$/;

/** The number of last digits that are compared. They are the same with a country code, with a 0, and without either. */
const COMPARED = 9;
/** The fewest digits to search for. Fewer would be in too many texts. */
const LEAST = 6;

/** The last digits of a number in any format, for a search; null if the text is not a number, or is too short. */
export function numberEnd(text: string): string | null {
  if (!/^[\d\s()+./\-\u00a0\u2010-\u2013]+$/.test(text)) return null;
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length < LEAST ? null : digits.slice(-COMPARED);
}

/** The maximum number of blanks, brackets and dashes between two digits. */
const MAX_GAP = 3;

const ZERO = 48;
const NINE = 57;
const GAPS: ReadonlySet<number> = new Set(
  Array.from(' \t().-/+\u00a0\u202f\u2010\u2011\u2012\u2013', (character) => character.charCodeAt(0)),
);

/** True if a text contains a number that ends in these digits, in any format. Reads each character once. */
export function holdsNumber(text: string, end: string): boolean {
  let run = '';
  let gap = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      run = (run + text[at]).slice(-COMPARED);
      gap = 0;
      if (run.endsWith(end)) return true;
    } else if (run !== '') {
      gap += 1;
      if (gap > MAX_GAP || !GAPS.has(code)) run = '';
    }
  }
  return false;
}
