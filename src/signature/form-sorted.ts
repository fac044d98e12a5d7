import { ok, type Result } from '../lib/result.ts';
import { reject, type Rejection } from './rejection.ts';
import type { SignedRequest } from './request.ts';

/** As many as are parsed once the request is verified; sorting more would be work that anybody could ask for. */
const MAX_PARAMETERS = 5_000;
const AMPERSAND = 0x26;

/** Whether the body is a URL-encoded form. */
export const isForm = ({ headers }: SignedRequest): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers.get('Content-Type') ?? '');

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

/** The parameters as they came: the payload has no order, and lists for those that came twice. */
function readForm({ body }: SignedRequest): Result<URLSearchParams, Rejection> {
  return body.filter((byte) => byte === AMPERSAND).byteLength < MAX_PARAMETERS
    ? ok(new URLSearchParams(new TextDecoder().decode(body)))
    : reject('malformed', `the form has more than ${MAX_PARAMETERS} parameters`);
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
