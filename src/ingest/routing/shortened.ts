/** Characters of a text, elements of a list and keys of an object that are kept, one try after the other. */
const LENGTHS = [4_096, 256, 16, 2];
const MAX_DEPTH = 6;
const MAX_KEY_LENGTH = 64;

/** JSON of at most `max` characters (65,536 or more): long texts, lists and objects in the value are cut. */
export function shortened(value: unknown, max: number): string {
  let text = '';
  for (const length of LENGTHS) {
    text = JSON.stringify(cut(value, length, MAX_DEPTH));
    if (text.length <= max) break;
  }
  return text;
}

function cut(value: unknown, length: number, depth: number): unknown {
  if (typeof value === 'string')
    return value.length <= length ? value : `${value.slice(0, length).toWellFormed()}…`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.slice(0, length).map((one: unknown) => cut(one, length, depth - 1));
  const entries = Object.entries(value).filter(([key]) => key.length <= MAX_KEY_LENGTH);
  return Object.fromEntries(
    entries.slice(0, length).map(([key, inner]: [string, unknown]) => [key, cut(inner, length, depth - 1)]),
  );
}
