import { ok, type Result } from '../lib/result.ts';
import { ownValue, scalarText } from './own-path.ts';
import { reject, type Rejection } from './rejection.ts';
import type { SignedRequest } from './request.ts';

/** Reads one field of a body that is not verified yet. */
export type BodyFields = (path: string) => Result<string, Rejection>;

/**
 * Reads what a scheme needs from the body itself: a field of a URL-encoded form by its whole name, or the value at a
 * dotted path of JSON. Parsed at most once, and not at all by the schemes that only sign the raw body.
 */
export function bodyFields({ body, headers }: SignedRequest): BodyFields {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers.get('Content-Type') ?? '');
  let read: BodyFields | null = null;
  return (path) => {
    read ??= isForm ? formFields(body) : jsonFields(body);
    return read(path);
  };
}

function formFields(body: Uint8Array): BodyFields {
  const form = new URLSearchParams(new TextDecoder().decode(body));
  return (name) => {
    const [value, ...others] = form.getAll(name);
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
