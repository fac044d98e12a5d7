import type { Written } from '../../api/documents.ts';

export type Parsed =
  { readonly ok: true; readonly value: Written } | { readonly ok: false; readonly error: string };

/** A document as it is typed. `error`: what the browser says of it; empty: it is JSON, and no object. */
export function parseDocument(text: string): Parsed {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ok: true, value: { ...value } }
      : { ok: false, error: '' };
  } catch (thrown) {
    return { ok: false, error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** True if two values say the same; the order of an object's keys says nothing. */
export const sameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
