import { ok, err } from '../../lib/result.ts';
import { ownValue, scalarText } from '../../lib/json.ts';
import { refuse, type ParsedBody, type SignedRequest, type Checked } from '../basics/request.ts';
import type { SignedPlace } from './signed-template.ts';

export interface PlaceInput {
  readonly request: SignedRequest;
  /** The parsed body, for schemes that read more of it than its bytes; null for the others. */
  readonly parsed: ParsedBody | null;
  /** Absent before the signatures are read. */
  readonly params?: ReadonlyMap<string, readonly string[]>;
  /** An element of a list in the parsed body; undefined for schemes without `items`. */
  readonly item?: unknown;
}

/** Returns the text at a place, which must be there exactly once. */
export function readPlace(
  place: SignedPlace,
  { request, parsed, params, item }: PlaceInput,
): Checked<string> {
  if (place.kind === 'body') return bodyField(parsed?.payload, place.path);
  if (place.kind === 'item') return itemText(ownValue(item, place.path), place);
  if (place.kind === 'query') {
    const text = onlyOne(request.url.searchParams.getAll(place.name), place);
    return text.ok && place.lower === true ? ok(text.value.toLowerCase()) : text;
  }
  if (place.kind === 'sig') return onlyOne(params?.get(place.key) ?? [], place);
  const text = place.names.map((name) => request.headers.get(name) ?? '').find((value) => value !== '');
  return text === undefined ? refuse('missing_header', `${describePlace(place)} is missing`) : ok(text);
}

/** Senders that sign elements write booleans as in JSON, and null as the empty text. */
function itemText(value: unknown, place: SignedPlace): Checked<string> {
  if (value === undefined || value === null)
    return refuse('missing_field', `${describePlace(place)} is missing`);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? ok(String(value))
    : refuse('malformed', `${describePlace(place)} is not a text, number or boolean`);
}

/** If there were two values, one would be checked and the other might be used. */
function onlyOne(values: readonly string[], place: SignedPlace): Checked<string> {
  const [text, ...others] = values;
  if (text === undefined) return refuse('missing_field', `${describePlace(place)} is missing`);
  return others.length === 0
    ? ok(text)
    : refuse('malformed', `${describePlace(place)} appears more than once`);
}

/** Returns the name of a place in a refusal, e.g. `header Stripe-Signature`. */
export function describePlace(place: SignedPlace): string {
  if (place.kind === 'header') return `header ${place.names.join(' or ')}`;
  if (place.kind === 'query') return `query parameter ${place.name}`;
  return place.kind === 'sig' ? `signature parameter ${place.key}` : `body field ${place.path}`;
}

/** Returns the body for a scheme that reads a part of the signature from it. */
export async function readParsed(request: SignedRequest): Promise<Checked<ParsedBody>> {
  const parsed = await request.parsed();
  return parsed.ok
    ? parsed
    : err({ code: 'malformed', detail: `a part of the signature is in the body. ${parsed.error.detail}` });
}

/** Reads the text or number at a path of the payload: of JSON, or a field of a form. */
export function bodyField(payload: unknown, path: string): Checked<string> {
  const value = ownValue(payload, path);
  // A field that appears twice in a form is a list: one value would be checked, and templates might show the other.
  if (Array.isArray(value)) return refuse('malformed', `body field ${path} is a list`);
  const text = scalarText(value);
  return text === null
    ? refuse('missing_field', `body field ${path} is missing, or not a text or number`)
    : ok(text);
}

/** Returns the list at a path of the payload, with 1 to `max` elements. */
export function bodyItems(payload: unknown, path: string, max: number): Checked<readonly unknown[]> {
  const list = ownValue(payload, path);
  if (list === undefined) return refuse('missing_field', `body field ${path} is missing`);
  if (!Array.isArray(list)) return refuse('malformed', `body field ${path} is not a list`);
  // An empty list would pass without any check.
  if (list.length === 0) return refuse('missing_field', `body field ${path} is an empty list`);
  return list.length <= max
    ? ok(list)
    : refuse('malformed', `body field ${path} has more than ${max} elements`);
}
