import { excerptOf } from '../../lib/text.ts';
import { suggest } from '../../lib/suggest.ts';

/** Null is empty, a list its elements joined (as in all Liquids), and an object JSON, not `[object Object]`. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(toText).join('');
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : '';
}

/** The same for any value; see {@link excerptOf}. */
export const glimpse = (value: unknown): string => excerptOf(toText(value));

/** Returns ` (did you mean "x"?)` if a known word is close, otherwise an empty text. */
export function hint(word: string, known: Iterable<string>): string {
  const close = suggest(word, [...known]);
  return close === null ? '' : ` (did you mean "${close}"?)`;
}
