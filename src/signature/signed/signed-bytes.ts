import { ok, err } from '../../lib/result.ts';
import { ownValue, scalarText } from '../../lib/json.ts';
import {
  refuse,
  type ParsedBody,
  type SignedRequest,
  type Checked,
  type SignatureRefusal,
} from '../basics/request.ts';
import { concatenated } from '../../lib/encoding.ts';
import { isPlace, type SignedOptions, type SignedPiece, type SignedPlace } from './signed-options.ts';

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
  const what = describePlace(place);
  if (place.kind === 'header') {
    const text = place.names.map((name) => request.headers.get(name) ?? '').find((value) => value !== '');
    return text === undefined ? refuse('missing_header', `${what} is missing`) : ok(text);
  }
  if (place.kind === 'item') {
    const value = ownValue(item, place.path) ?? null;
    if (value === null) return refuse('missing_field', `${what} is missing`);
    // Senders that sign elements write booleans as in JSON.
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? ok(String(value))
      : refuse('malformed', `${what} is not a text, number or boolean`);
  }
  const isQuery = place.kind === 'query';
  const [text, ...others] = isQuery
    ? request.url.searchParams.getAll(place.name)
    : (params?.get(place.key) ?? []);
  if (text === undefined) return refuse('missing_field', `${what} is missing`);
  // If there were two values, one would be checked and the other might be used.
  if (others.length > 0) return refuse('malformed', `${what} appears more than once`);
  return ok(isQuery && place.lower === true ? text.toLowerCase() : text);
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

export interface SignedInput extends PlaceInput {
  /** The timestamp exactly as it was sent: the sender signed this text, not its number. */
  readonly timestamp: string | null;
  readonly url: string;
}

/** Returns the bytes that were signed, given the secret that may be one of their pieces (`{secret}`). */
export type SignedContent = (secret: Uint8Array) => Uint8Array;

/** Null marks the place of the secret. */
type Bytes = Uint8Array | null;

const encoder = new TextEncoder();

/** Returns the bytes that were signed. The body is joined as it came: decoding could change it. */
export function signedBytes(pieces: readonly SignedPiece[], input: SignedInput): Checked<SignedContent> {
  const separators = separatorsOf(pieces);
  const read: { readonly segment: number | undefined; readonly bytes: Bytes }[] = [];
  /** The segments with a value that is absent or empty. */
  const leftOut = new Set<number>();
  for (const piece of pieces) {
    const { segment } = piece;
    if (segment !== undefined && leftOut.has(segment)) continue;
    const bytes = readPiece(piece, input, separators.get(piece));
    const isEmpty = bytes.ok ? bytes.value?.byteLength === 0 : isAbsence(bytes.error);
    if (segment !== undefined && isEmpty) leftOut.add(segment);
    else if (!bytes.ok) return bytes;
    else read.push({ segment, bytes: bytes.value });
  }
  const joined = read.flatMap(({ segment, bytes }) =>
    segment !== undefined && leftOut.has(segment) ? [] : [bytes],
  );
  const fixed = joined.filter((bytes) => bytes !== null);
  if (fixed.length < joined.length)
    return ok((secret) => concatenated(joined.map((bytes) => bytes ?? secret)));
  const content = concatenated(fixed);
  return ok(() => content);
}

const isAbsence = ({ code }: SignatureRefusal): boolean =>
  code === 'missing_header' || code === 'missing_field';

function readPiece(
  piece: SignedPiece,
  input: SignedInput,
  separators: readonly string[] = [],
): Checked<Bytes> {
  if (piece.kind === 'raw_body') return ok(input.request.body);
  if (piece.kind === 'secret') return ok(null);
  const text = readText(piece, input);
  if (!text.ok) return text;
  const separator = separators.find((one) => text.value.includes(one));
  return separator === undefined
    ? ok(encoder.encode(text.value))
    : refuse(
        'malformed',
        `a value of \`signed\` (${piece.kind}) contains its separator \`${separator}\`: what was signed could be split in two ways`,
      );
}

function readText(piece: Exclude<SignedPiece, { kind: 'raw_body' | 'secret' }>, input: SignedInput) {
  const { request, timestamp, url, parsed } = input;
  if (piece.kind === 'literal') return ok(piece.text);
  if (piece.kind === 'method') return ok(request.method.toUpperCase());
  if (piece.kind === 'url') return ok(url);
  if (piece.kind === 'form_sorted') return formSorted(parsed);
  if (piece.kind === 'ts')
    return timestamp === null ? refuse('misconfigured', '`{ts}` needs a `timestamp`') : ok(timestamp);
  const text = readPlace(piece, input);
  // Senders that sign elements write an absent value, and null, as the empty text.
  return piece.kind !== 'item' || text.ok || !isAbsence(text.error) ? text : ok('');
}

export const isForm = (body: ParsedBody | null): boolean => body?.format === 'form';

/**
 * `{form_sorted}`: every field of a form, name and value, in the order of the names, as Twilio signs them. A field with
 * several values appears once with each different one, and these are sorted too. Made from the fields that become the
 * payload, so that a form is parsed in only one way. Empty if the body is not a form.
 */
export function formSorted(body: ParsedBody | null): Checked<string> {
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

/**
 * Returns the texts that a value of a template must not contain, since they end it: with `id:{query:id};`, the id
 * `1;request-id:2` would be read as an id and a request's id. Before the one piece that may contain anything
 * (`{raw_body}`, or a `{free …}`), a value must not contain the text that follows it; after that piece, not the text
 * that precedes it. So the signed text can be split into its values in only one way. Times have a fixed form, and the
 * address is known.
 */
export function separatorsOf(pieces: readonly SignedPiece[]): ReadonlyMap<SignedPiece, readonly string[]> {
  const free = pieces.findIndex(isFree);
  return new Map(
    pieces.flatMap((piece, at) => {
      if (!isPlace(piece) || at === free) return [];
      const others = free >= 0 && at > free ? pieces.slice(free + 1, at).toReversed() : pieces.slice(at + 1);
      return [[piece, neighbours(piece, others)] as const];
    }),
  );
}

const isFree = (piece: SignedPiece): boolean =>
  piece.kind === 'raw_body' || piece.kind === 'form_sorted' || ('free' in piece && piece.free);

/** Returns the literals that may come next: those of segments that may vanish, up to a piece that is always there. */
function neighbours({ segment }: SignedPiece, others: readonly SignedPiece[]): readonly string[] {
  const sure = others.findIndex((other) => other.segment === undefined || other.segment === segment);
  const near = sure < 0 ? others : others.slice(0, sure + 1);
  return near.flatMap((piece) => (piece.kind === 'literal' ? [piece.text] : []));
}

/** The texts that the sender may have signed as its address, at least one. `hashName`: the query parameter that proves the body. */
export function signedUrls(
  scheme: Pick<SignedOptions, 'url' | 'url_form'>,
  request: SignedRequest,
  hashName?: string,
): readonly string[] {
  const given = scheme.url ?? request.registeredUrl;
  const own = request.sentUrl ?? request.url.href;
  const urls = spellings(given === null ? own : withBodyHash(given, hashName, request));
  if (scheme.url_form === 'percent_decoded')
    return [...new Set(urls.map((one) => one.replace(DECODED, decodeURIComponent)))];
  return scheme.url_form === 'any_port' ? [...new Set(urls.flatMap(withAndWithoutPort))] : urls;
}

/** The escapes of ASCII characters that mean nothing in an address: programs differ in which of them they escape. */
const OPTIONAL = /%(?:2[01278A9]|3[CE]|5[BDE]|60|7[B-E])/gi;
/** The escapes of characters beyond ASCII. Programs that show addresses do not escape them. */
const BEYOND_ASCII = /(?:%[89A-F][\dA-F])+/gi;

/**
 * A sender may sign the address that it was given, and post to the one that its program makes of it, or the other way
 * round. The first is the same for all, since `signed_once` needs one text for an address.
 */
function spellings(given: string): readonly string[] {
  const { href } = new URL(given);
  const readable = href.replace(OPTIONAL, unescapeText);
  return [
    ...new Set([
      readable.replace(BEYOND_ASCII, unescapeText),
      href,
      readable,
      href.replace(BEYOND_ASCII, unescapeText),
      given,
    ]),
  ];
}

function unescapeText(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

/** The sender adds the hash to its address. Outside of the signed text it would prove nothing. */
function withBodyHash(given: string, name: string | undefined, { url }: SignedRequest): string {
  if (name === undefined) return given;
  return `${given}${given.includes('?') ? '&' : '?'}${name}=${url.searchParams.get(name) ?? ''}`;
}

/** The escapes that HubSpot decodes before it signs; the rest stays encoded. */
const DECODED = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi;

/** Scheme with user and host, then port, then the rest; the host may be an IPv6 address in brackets. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*))(:\d*)?(.*)$/is;

/** Twilio signs the default port for some requests and leaves it out for others. */
function withAndWithoutPort(url: string): readonly string[] {
  const [, origin, port, rest = ''] = PARTS.exec(url) ?? [];
  if (origin === undefined) return [url];
  const defaultPort = /^https:/i.test(origin) ? ':443' : ':80';
  return [`${origin}${rest}`, `${origin}${port ?? defaultPort}${rest}`];
}
