import { ok, type Result } from '../lib/result.ts';
import { ownValue, scalarText } from './own-path.ts';
import { reject, type Rejection } from './rejection.ts';
import type { SignedRequest } from './request.ts';

/** Reads one field of a body that is not verified yet. */
export type BodyFields = (path: string) => Result<string, Rejection>;

/** Whether the body is a URL-encoded form. */
export const isForm = ({ headers }: SignedRequest): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers.get('Content-Type') ?? '');

/** As many as are parsed once the request is verified; sorting more would be work that anybody could ask for. */
const MAX_PARAMETERS = 5_000;

/** The parameters of a body that is a form, decoded, in the order in which they came. */
export function readForm({ body }: SignedRequest): Result<URLSearchParams, Rejection> {
  return body.filter((byte) => byte === AMPERSAND).byteLength < MAX_PARAMETERS
    ? ok(new URLSearchParams(new TextDecoder().decode(body)))
    : reject('malformed', `the form has more than ${MAX_PARAMETERS} parameters`);
}

const AMPERSAND = 0x26;

/**
 * Reads what a scheme needs from the body itself: a field of a URL-encoded form by its whole name, or the value at a
 * dotted path of JSON. Parsed at most once, and not at all by the schemes that only sign the raw body.
 */
export function bodyFields(request: SignedRequest): BodyFields {
  let read: BodyFields | null = null;
  return (path) => {
    read ??= isForm(request) ? formFields(request) : jsonFields(request.body);
    return read(path);
  };
}

/** The list at a path of a JSON body, with 1 to `max` elements. */
export function bodyItems(
  { body }: SignedRequest,
  path: string,
  max: number,
): Result<readonly unknown[], Rejection> {
  const json = parseJson(body);
  if (!json.ok) return json;
  const list = ownValue(json.value, path);
  if (list === undefined) return reject('missing_field', `body field ${path} is missing`);
  if (!Array.isArray(list)) return reject('malformed', `body field ${path} is not a list`);
  // Nothing to check would be nothing that could be wrong.
  if (list.length === 0) return reject('missing_field', `body field ${path} is an empty list`);
  return list.length <= max
    ? ok(list)
    : reject('malformed', `body field ${path} has more than ${max} elements`);
}

function formFields(request: SignedRequest): BodyFields {
  const form = readForm(request);
  return (name) => {
    if (!form.ok) return form;
    const [value, ...others] = form.value.getAll(name);
    if (value === undefined) return reject('missing_field', `body field ${name} is missing`);
    // The signature would cover one of them and the templates might show the other.
    return others.length === 0
      ? ok(value)
      : reject('malformed', `body field ${name} is given more than once`);
  };
}

function jsonFields(body: Uint8Array): BodyFields {
  const json = parseJson(body);
  return (path) => {
    if (!json.ok) return json;
    const text = scalarText(ownValue(json.value, path));
    return text === null
      ? reject('missing_field', `body field ${path} is missing, or no text or number`)
      : ok(text);
  };
}

function parseJson(body: Uint8Array): Result<unknown, Rejection> {
  try {
    return ok<unknown>(JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body)));
  } catch {
    return reject('malformed', 'the body, which carries a part of the signature, is not JSON');
  }
}
