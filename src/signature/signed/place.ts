import { ok, type Result } from '../../lib/result.ts';
import type { BodyFields } from './body-fields.ts';
import { ownValue } from '../../lib/json.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';
import type { ParsedBody, SignedRequest } from '../basics/request.ts';
import type { SignatureList } from './signature-list.ts';
import type { SignedPlace } from './signed-template.ts';

/** The parts of a request that places are read from. */
export interface PlaceInput {
  readonly request: SignedRequest;
  readonly fields: BodyFields;
  /** The parsed body, for schemes that read more of it than its bytes; null for the others. */
  readonly parsed: ParsedBody | null;
  readonly params: SignatureList['params'];
  /** An element of a list in the parsed body; undefined for schemes without `items`. */
  readonly item?: unknown;
}

/** Returns the text at a place, which must be there exactly once. */
export function readPlace(
  place: SignedPlace,
  { request, fields, params, item }: PlaceInput,
): Result<string, SignatureRefusal> {
  if (place.kind === 'body') return fields(place.path);
  if (place.kind === 'item') return itemText(ownValue(item, place.path), place);
  if (place.kind === 'query') {
    const text = onlyOne(request.url.searchParams.getAll(place.name), place);
    return text.ok && place.lower === true ? ok(text.value.toLowerCase()) : text;
  }
  if (place.kind === 'sig') return onlyOne(params.get(place.key) ?? [], place);
  const text = place.names.map((name) => request.headers.get(name) ?? '').find((value) => value !== '');
  return text === undefined ? refuse('missing_header', `${describePlace(place)} is missing`) : ok(text);
}

/** Senders that sign elements write booleans as in JSON, and null as the empty text. */
function itemText(value: unknown, place: SignedPlace): Result<string, SignatureRefusal> {
  if (value === undefined || value === null)
    return refuse('missing_field', `${describePlace(place)} is missing`);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? ok(String(value))
    : refuse('malformed', `${describePlace(place)} is not a text, number or boolean`);
}

/** If there were two values, one would be checked and the other might be used. */
function onlyOne(values: readonly string[], place: SignedPlace): Result<string, SignatureRefusal> {
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
