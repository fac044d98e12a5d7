import { err, ok, type Result } from '../../lib/result.ts';
import { ownValue, scalarText } from '../../lib/json.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';
import type { ParsedBody, SignedRequest } from '../basics/request.ts';

/** Reads one field of a body that is not verified yet. */
export type BodyFields = (path: string) => Result<string, SignatureRefusal>;

/** Returns the body for a scheme that reads a part of the signature from it. */
export async function readParsed(request: SignedRequest): Promise<Result<ParsedBody, SignatureRefusal>> {
  const parsed = await request.parsed();
  return parsed.ok
    ? parsed
    : err({ code: 'malformed', detail: `a part of the signature is in the body. ${parsed.error.detail}` });
}

/** Reads the text or number at a path of the payload: of JSON, or a field of a form. */
export const bodyFields =
  (payload: unknown): BodyFields =>
  (path) => {
    const value = ownValue(payload, path);
    // A field that appears twice in a form is a list: one value would be checked, and templates might show the other.
    if (Array.isArray(value)) return refuse('malformed', `body field ${path} is a list`);
    const text = scalarText(value);
    return text === null
      ? refuse('missing_field', `body field ${path} is missing, or not a text or number`)
      : ok(text);
  };

/** For schemes that read only the body's bytes: they never ask for a field. */
export const noFields: BodyFields = (path) => refuse('misconfigured', `body field ${path} was not read`);

/** Returns the list at a path of the payload, with 1 to `max` elements. */
export function bodyItems(
  payload: unknown,
  path: string,
  max: number,
): Result<readonly unknown[], SignatureRefusal> {
  const list = ownValue(payload, path);
  if (list === undefined) return refuse('missing_field', `body field ${path} is missing`);
  if (!Array.isArray(list)) return refuse('malformed', `body field ${path} is not a list`);
  // An empty list would pass without any check.
  if (list.length === 0) return refuse('missing_field', `body field ${path} is an empty list`);
  return list.length <= max
    ? ok(list)
    : refuse('malformed', `body field ${path} has more than ${max} elements`);
}
