/** Crockford's base 32. It has no letters that look like digits, and its texts sort like their numbers. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/** A non-negative safe integer in base 32, padded so that texts sort like their numbers. */
export function toBase32(value: number, digits: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < digits; i += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Returns the number that {@link toBase32} wrote; null for text that it never writes. */
export function fromBase32(text: string): number | null {
  let value = 0;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    value = value * 32 + digit;
  }
  return Number.isSafeInteger(value) ? value : null;
}

export const randomBase32 = (digits: number, randomBytes: RandomBytes): string =>
  Array.from(randomBytes(digits), (byte) => ALPHABET.charAt(byte % 32)).join('');

/** Returns `count` bytes from a cryptographic source. It is passed as an argument, so that tests are repeatable. */
export type RandomBytes = (count: number) => Uint8Array;

export const secureRandomBytes: RandomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));

/** An event id: `evt_`, then 10 digits of time (ms) and 80 random bits, so that ids sort by the time of receipt. */
export function newEventId(now: number, randomBytes: RandomBytes): string {
  return eventIdFloor(now).slice(0, 'evt_'.length + TIME_DIGITS) + randomBase32(RANDOM_DIGITS, randomBytes);
}

/** The smallest possible id of an event received at `time` (ms): the bound for `since`. */
export function eventIdFloor(time: number): string {
  return `evt_${toBase32(Math.max(0, Math.floor(time)), TIME_DIGITS)}${'0'.repeat(RANDOM_DIGITS)}`;
}
