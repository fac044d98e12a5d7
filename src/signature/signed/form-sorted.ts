import { ok, type Result } from '../../lib/result.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';
import type { ParsedBody } from '../basics/request.ts';

/** True if the body is a form whose fields are the payload. */
export const isForm = (body: ParsedBody | null): boolean => body?.format === 'form';

/**
 * `{form_sorted}`: every field of a form, name and value, in the order of the names, as Twilio signs them. A field with
 * several values appears once with each different one, and these are sorted too. Made from the fields that become the
 * payload, so that a form is parsed in only one way. Empty if the body is not a form.
 */
export function formSorted(body: ParsedBody | null): Result<string, SignatureRefusal> {
  if (body === null || !isForm(body)) return ok('');
  const { sent } = body;
  const fields = typeof sent === 'object' && sent !== null ? Object.entries(sent) : [];
  const sorted: string[] = [];
  for (const [name, value] of fields.toSorted(([a], [b]) => byCodeUnit(a, b))) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const texts = values.filter((one) => typeof one === 'string');
    if (texts.length < values.length) return refuse('malformed', 'the form has a field that is not text');
    sorted.push(...[...new Set(texts)].toSorted(byCodeUnit).map((text) => name + text));
  }
  return ok(sorted.join(''));
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
