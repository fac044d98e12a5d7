import { isForm, readForm } from './body-fields.ts';
import type { SignedRequest } from './request.ts';

/**
 * `{form_sorted}`: every parameter of a form, name and value, in the order of the names, as Twilio signs them. Of a
 * name that comes several times each value counts once, and they are sorted too. Empty when the body is no form.
 */
export function formSorted(request: SignedRequest): string {
  if (!isForm(request)) return '';
  const values = new Map<string, Set<string>>();
  for (const [name, value] of readForm(request)) {
    const known = values.get(name);
    if (known === undefined) values.set(name, new Set([value]));
    else known.add(value);
  }
  return [...values]
    .toSorted(([a], [b]) => byCodeUnit(a, b))
    .flatMap(([name, some]) => [...some].toSorted(byCodeUnit).map((value) => name + value))
    .join('');
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
