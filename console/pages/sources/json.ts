import type { Written } from '../../api/documents.ts';

export type Parsed =
  { readonly ok: true; readonly value: Written } | { readonly ok: false; readonly error: string };

/** A document as it is typed. `error`: the browser's message; empty if it is JSON, but not an object. */
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
