import { toText } from '../basics/print.ts';

/** A run between white space at which standard Liquid divides words. A blank that does not break is not such. */
const WORDS = /[^\0\t-\r ]+/g;

const wordsOf = (text: string): string[] => text.match(WORDS) ?? [];

/**
 * Returns the parts of a text between separators, without empty ones at the end. One space divides at any white space,
 * and an empty separator after each character.
 */
export function split([value, by]: readonly unknown[]): string[] {
  const [text, separator] = [toText(value), toText(by)];
  if (separator === ' ') return wordsOf(text);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  return parts.slice(0, parts.findLastIndex((part) => part !== '') + 1);
}

const DEFAULT_WORDS = 15;

/** Returns at most so many words of a text, but at least one, and then an ending if there are more. */
export function truncateWords([value, count = DEFAULT_WORDS, ending = '...']: readonly unknown[]): string {
  const text = toText(value);
  const words = wordsOf(text);
  const kept = Math.max(Number(count), 1);
  return words.length > kept ? words.slice(0, kept).join(' ') + toText(ending) : text;
}
