import { Drop, toValue } from 'liquidjs';
import { suggest } from '../../lib/suggest.ts';

/**
 * The text of a value in a message: null is empty, a list is its elements joined (as in all Liquids), an object is
 * JSON, which says more than `[object Object]`.
 */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  const plain: unknown = value instanceof Drop ? toValue(value) : value;
  if (plain === undefined || plain === null) return '';
  if (Array.isArray(plain)) return plain.map(toText).join('');
  if (typeof plain === 'object') return JSON.stringify(plain);
  return typeof plain === 'number' || typeof plain === 'boolean' || typeof plain === 'bigint'
    ? String(plain)
    : '';
}

/** At most four characters of a value for an error: enough to recognise, too little to leak. */
export function glimpse(value: unknown): string {
  const [...characters] = toText(value).slice(0, 8);
  return characters.length > 4 ? `"${characters.slice(0, 4).join('')}…"` : `"${characters.join('')}"`;
}

/** ` (did you mean "x"?)` for an error about an unknown word when a known one is close, else nothing. */
export function hint(word: string, known: Iterable<string>): string {
  const close = suggest(word, [...known]);
  return close === null ? '' : ` (did you mean "${close}"?)`;
}
