import { ok, err } from '../../lib/result.ts';
import { ownValue, scalarText } from '../../lib/json.ts';
import {
  refuse,
  type ParsedBody,
  type SignedRequest,
  type Checked,
  type SignatureRefusal,
} from '../basics/request.ts';
import { isPlace, type SignedPlace, type SignedPart, type SignedPiece } from './signed-template.ts';
import { concatenated } from '../../lib/encoding.ts';
import type { SignedOptions } from './signed-options.ts';

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
export function signedBytes(parts: readonly SignedPart[], given: SignedInput): Checked<SignedContent> {
  const input = { ...given, separators: separatorsOf(parts) };
  const joined: Bytes[] = [];
  for (const part of parts) {
    const bytes = part.kind === 'optional' ? readSegment(part.pieces, input) : readPiece(part, input);
    if (!bytes.ok) return bytes;
    if (Array.isArray(bytes.value)) joined.push(...bytes.value);
    else joined.push(bytes.value);
  }
  const fixed = joined.filter((bytes) => bytes !== null);
  if (fixed.length < joined.length)
    return ok((secret) => concatenated(joined.map((bytes) => bytes ?? secret)));
  const content = concatenated(fixed);
  return ok(() => content);
}

interface PieceInput extends SignedInput {
  readonly separators: ReturnType<typeof separatorsOf>;
}

/** Reads a segment; empty if one of the values is absent or empty. */
function readSegment(pieces: readonly SignedPiece[], input: PieceInput): Checked<Bytes[]> {
  const read: Bytes[] = [];
  for (const piece of pieces) {
    const bytes = readPiece(piece, input);
    if (!bytes.ok) return isAbsence(bytes.error) ? ok([]) : bytes;
    if (bytes.value?.byteLength === 0) return ok([]);
    read.push(bytes.value);
  }
  return ok(read);
}

const isAbsence = ({ code }: SignatureRefusal): boolean =>
  code === 'missing_header' || code === 'missing_field';

function readPiece(piece: SignedPiece, input: PieceInput): Checked<Bytes> {
  if (piece.kind === 'raw_body') return ok(input.request.body);
  if (piece.kind === 'secret') return ok(null);
  const text = readText(piece, input);
  if (!text.ok) return text;
  const separator = input.separators.get(piece)?.find((one) => text.value.includes(one));
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
  // Senders that sign elements write an absent value as an empty one.
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
export function separatorsOf(parts: readonly SignedPart[]): ReadonlyMap<SignedPiece, readonly string[]> {
  const steps = parts.flatMap((part, segment): readonly PieceStep[] =>
    part.kind === 'optional'
      ? part.pieces.map((piece) => ({ piece, segment, optional: true }))
      : [{ piece: part, segment, optional: false }],
  );
  const free = steps.findIndex(({ piece }) => isFree(piece));
  return new Map(
    steps.flatMap((step, at) => {
      if (!isPlace(step.piece) || at === free) return [];
      const others = free >= 0 && at > free ? steps.slice(free + 1, at).toReversed() : steps.slice(at + 1);
      return [[step.piece, neighbours(step, others)] as const];
    }),
  );
}

type PieceStep = Readonly<{ piece: SignedPiece; segment: number; optional: boolean }>;

const isFree = (piece: SignedPiece): boolean =>
  piece.kind === 'raw_body' || piece.kind === 'form_sorted' || ('free' in piece && piece.free);

/** Returns the literals that may come next: those of segments that may vanish, up to one that is always there. */
function neighbours({ segment }: PieceStep, others: readonly PieceStep[]): readonly string[] {
  const texts: string[] = [];
  for (const other of others) {
    const isSure = !other.optional || other.segment === segment;
    if (other.piece.kind === 'literal') texts.push(other.piece.text);
    if (isSure) break;
  }
  return texts;
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
  if (scheme.url_form === 'percent_decoded') return [...new Set(urls.map(decodeSome))];
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

const decodeSome = (url: string): string => url.replace(DECODED, decodeURIComponent);

/** Scheme with user and host, then port, then the rest; the host may be an IPv6 address in brackets. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*))(:\d*)?(.*)$/is;

/** Twilio signs the default port for some requests and leaves it out for others. */
function withAndWithoutPort(url: string): readonly string[] {
  const [, origin, port, rest = ''] = PARTS.exec(url) ?? [];
  if (origin === undefined) return [url];
  const defaultPort = /^https:/i.test(origin) ? ':443' : ':80';
  return [`${origin}${rest}`, `${origin}${port ?? defaultPort}${rest}`];
}
