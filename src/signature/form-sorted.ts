import { ok, type Result } from '../lib/result.ts';
import { isForm, readForm } from './body-fields.ts';
import type { Rejection } from './rejection.ts';
import type { SignedRequest } from './request.ts';

/**
 * `{form_sorted}`: every parameter of a form, name and value, in the order of the names, as Twilio signs them. Of a
 * name that comes several times each value counts once, and they are sorted too. Empty when the body is no form.
 */
export function formSorted(request: SignedRequest): Result<string, Rejection> {
  if (!isForm(request)) return ok('');
  const form = readForm(request);
  if (!form.ok) return form;
  const values = new Map<string, Set<string>>();
  for (const [name, value] of form.value) {
    const known = values.get(name);
    if (known === undefined) values.set(name, new Set([value]));
    else known.add(value);
  }
  const sorted = [...values]
    .toSorted(([a], [b]) => byCodeUnit(a, b))
    .flatMap(([name, some]) => [...some].toSorted(byCodeUnit).map((value) => name + value));
  return ok(sorted.join(''));
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
