import { durationOr, listOf, oneOf, recordOf, someText, strictDocument } from '../../schema/parts.ts';
import type { Encoding } from '../../lib/encoding.ts';
import { HEADER_NAME, parseSigned, piecesOf, type SignedPart, type SignedPiece } from './signed-template.ts';
import type { FieldCode } from '../../lib/api-codes.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import * as z from 'zod/mini';

const SECOND = 1_000;
/** Four days: the longest time for which a provider of the catalogue repeats a request with its first timestamp. */
const MAX_TOLERANCE = 4 * 86_400 * SECOND;
const DEFAULT_TOLERANCE = '300s';

const MAX_HEADERS = 4;
const notAHeader = {
  error: `must be the name of a header, or a list of at most ${MAX_HEADERS} alternatives`,
};
const headerName = z.string().check(z.regex(HEADER_NAME, notAHeader));
/** One name or several; the first that is in the request counts. */
export const headerNames = z.pipe(
  z.union([headerName, listOf(headerName, 'alternatives', { min: 1, max: MAX_HEADERS })], notAHeader),
  z.transform((names: string | string[]) => (typeof names === 'string' ? [names] : names)),
);

export const path = someText(256).check(
  z.regex(/^[^.]+(\.[^.]+)*$/, {
    error: 'must be a path of names with dots between them, such as `signature.timestamp`',
  }),
);
export const name = someText(128);

export const tolerance = durationOr(DEFAULT_TOLERANCE, SECOND, MAX_TOLERANCE);

/**
 * The place and the unit of the signing time, and its maximum distance from now, before or after. The output's
 * `tolerance` is in milliseconds. There is no "optional": a sender who replays a request could leave the time out.
 */
const timestampSchema = strictDocument({
  header: z.optional(headerNames),
  /** The key of the time beside the signature: `t` of `t=…,v1=…`. */
  key: z.optional(name),
  body: z.optional(path),
  /** `auto`: seconds or milliseconds, by the number of digits. */
  unit: z._default(oneOf(['s', 'ms', 'iso8601', 'auto']), 's'),
  tolerance,
});

export type Timestamp = z.output<typeof timestampSchema>;

/** The options of the schemes that sign a text made of pieces of the request: hmac, hash, ed25519, ecdsa. */
export const signedShape = {
  /** The place of the signature: exactly one of `header`, `query` and `field` (a JSON path or form field). */
  header: z.optional(headerNames),
  query: z.optional(name),
  field: z.optional(path),
  /** Text before each signature, e.g. `sha256=`. */
  prefix: z.optional(name),
  prefix_optional: z.optional(z.boolean({ error: 'must be true or false' })),
  /** The separator of several signatures; without it there is one, or with `keys` a comma. */
  list_separator: z.optional(oneOf([',', ';', ' '])),
  /** The separator between the key and value of an item, `=` with `keys`; the first one counts, since base64 contains `=`. */
  key_value_separator: z.optional(oneOf(['=', ','])),
  /** The keys under which signatures are accepted; items under others are parameters or ignored. */
  keys: z.optional(listOf(name, 'keys', { min: 1, max: 8 })),
  signed: z._default(someText(1_024), '{raw_body}'),
  /** Confirms that the author knows that this signature does not cover the body. */
  unsigned_body: z.optional(z.literal(true, { error: 'must be true or absent' })),
  /**
   * Confirms that the sender never signs the same text twice (it contains an id or a random token), and does not sign
   * every byte of the body. Each signed text then makes one event, whatever the rest of the request contains.
   */
  signed_once: z.optional(z.literal(true, { error: 'must be true or absent' })),
  /** A query parameter, covered by the signature, that holds the SHA-256 of the body in hex (Twilio). */
  body_hash_query: z.optional(name),
  /** The address as it was given to the sender, for `{url}`; without it, the source's `url`, or the request's own. */
  url: z.optional(
    someText(2_048).check(z.refine((url) => URL.canParse(url), { error: 'must be an absolute URL' })),
  ),
  /** As the sender writes it: HubSpot decodes some escapes, Twilio signs with and without the default port. */
  url_form: z.optional(oneOf(['as_is', 'percent_decoded', 'any_port'])),
  /** A path to a list whose elements are signed one by one (Adyen): `field` and `{item:path}` are of each element. */
  items: z.optional(path),
  /** Headers that must have these values, such as the version of the signature. */
  require_headers: z.optional(
    recordOf(name, 'must map header name to value').check(
      z.refine((headers) => Object.keys(headers).every((header) => HEADER_NAME.test(header)), {
        error: 'has a key that is not the name of a header',
      }),
    ),
  ),
  timestamp: z.optional(timestampSchema),
};

export const secretShape = {
  secret_encoding: z._default(oneOf(['utf8', 'base64', 'hex']), 'utf8'),
  /** The prefixes that are removed from a secret before it is decoded: the first one that matches. */
  strip_secret_prefixes: z.optional(listOf(name, 'prefixes', { max: 4 })),
  /** One Worker secret may hold several secrets, separated by this (Supabase: `|`). */
  secret_separator: z.optional(oneOf(['|', ',', ' '])),
};

export type SignedOptions = z.output<z.ZodMiniObject<typeof signedShape>>;
export type SecretOptions = z.output<z.ZodMiniObject<typeof secretShape>>;

export type SignedScheme = SignedOptions & { readonly encoding: Encoding };

/** The separators of a list of keys and values: `t=…,v1=…`, unless the scheme has others. */
export const separators = ({ keys, list_separator: list, key_value_separator: pair }: SignedScheme) =>
  keys === undefined || pair !== undefined ? { list, pair } : { list: list ?? ',', pair: '=' };

/** What options of a scheme must not be together, by their names in the document. */
type Conflict = readonly [isWrong: boolean, path: string, message: string, code?: FieldCode];

export const errorsOf = (conflicts: readonly Conflict[]): readonly FieldError[] =>
  conflicts.flatMap(([isWrong, path, message, code = 'conflict']) =>
    isWrong ? [fieldError(path, code, message)] : [],
  );

export function conflicts(scheme: SignedScheme & { readonly scheme: string }): readonly FieldError[] {
  const signed = parseSigned(scheme.signed);
  return errorsOf([
    ...placeConflicts(scheme),
    ...(signed.ok
      ? textConflicts(scheme, signed.value)
      : [[true, 'signed', signed.error, 'malformed'] as const]),
  ]);
}

const isOnlyOne = (...places: readonly unknown[]): boolean =>
  places.filter((place) => place !== undefined).length === 1;

function placeConflicts(scheme: SignedScheme): readonly Conflict[] {
  const { header, query, field, prefix, prefix_optional } = scheme;
  const { list_separator: list, key_value_separator: pair, keys } = scheme;
  return [
    [
      !isOnlyOne(header, query, field),
      '',
      'must say where the signature is: exactly one of `header`, `query` and `field`',
    ],
    [prefix_optional !== undefined && prefix === undefined, 'prefix_optional', 'needs a `prefix`'],
    [
      pair !== undefined && keys === undefined,
      'keys',
      'is required with `key_value_separator`: the keys that signatures have',
    ],
    [list !== undefined && list === pair, 'key_value_separator', 'must differ from `list_separator`'],
  ];
}

const UNUSED = 'is not used: `signed` has no `{url}`';

function textConflicts(
  scheme: SignedScheme & { readonly scheme: string },
  parts: readonly SignedPart[],
): readonly Conflict[] {
  const { url, url_form, body_hash_query, items, field, timestamp } = scheme;
  const pieces = piecesOf(parts);
  const has = (...kinds: readonly SignedPiece['kind'][]): boolean =>
    pieces.some(({ kind }) => kinds.includes(kind));
  /** Outside of `[…]`: a segment that may be left out covers nothing. */
  const hasAlways = (...kinds: readonly SignedPart['kind'][]): boolean =>
    parts.some(({ kind }) => kinds.includes(kind));
  const isHash = scheme.scheme === 'hash';
  const isList = items !== undefined;
  const usesParams = has('sig') || timestamp?.key !== undefined;
  const coversBody = hasAlways('raw_body', 'form_sorted', 'body', 'item') || body_hash_query !== undefined;
  const hasTime = timestamp !== undefined && isOnlyOne(timestamp.header, timestamp.key, timestamp.body);
  return [
    [isHash && !has('secret'), 'signed', 'must have `{secret}`: without it anybody could make the hash'],
    [!isHash && has('secret'), 'signed', 'has `{secret}`, which only scheme `hash` signs'],
    [has('ts') && timestamp === undefined, 'signed', 'uses `{ts}`, which needs a `timestamp`'],
    [
      usesParams && (scheme.keys === undefined || separators(scheme).list === undefined),
      '',
      'must have `keys` (and `list_separator`, if `key_value_separator` is not `=`) to read parameters from the signature',
    ],
    [url !== undefined && !has('url'), 'url', UNUSED],
    [url_form !== undefined && !has('url'), 'url_form', UNUSED],
    [
      body_hash_query !== undefined && !hasAlways('url'),
      'body_hash_query',
      'proves nothing: `signed` has no `{url}`',
    ],
    [!isList && has('item'), 'signed', 'uses `{item:…}`, which needs `items`: the path of the list'],
    [isList && field === undefined, 'field', 'is required with `items`: where an element has its signature'],
    [isList && !hasAlways('item'), 'signed', 'does not cover the elements of `items`: add `{item:…}`'],
    [
      isList && has('raw_body', 'form_sorted', 'body'),
      'signed',
      'must not have `{raw_body}`, `{form_sorted}` or `{body:…}` with `items`',
    ],
    [
      !coversBody && scheme.unsigned_body !== true,
      'signed',
      'does not cover the body, so whoever sees a signature can send any body with it: add `{raw_body}`, or write `unsigned_body: true` if the sender signs none',
    ],
    [
      scheme.signed_once === true && hasAlways('raw_body'),
      'signed_once',
      'is not for senders that sign the whole body: leave it out',
    ],
    [timestamp !== undefined && !hasTime, 'timestamp', 'must have exactly one of `header`, `key` and `body`'],
    [
      hasTime && !parts.some((part) => covers(part, timestamp)),
      'timestamp',
      'is not signed, so it proves nothing: put `{ts}` into `signed`, or leave `timestamp` out',
    ],
  ];
}

function covers(part: SignedPart, timestamp: Timestamp): boolean {
  const { header, key, body } = timestamp;
  if (part.kind === 'header') return part.names.join().toLowerCase() === header?.join().toLowerCase();
  if (part.kind === 'body') return part.path === body;
  if (part.kind === 'sig') return part.key === key;
  if (part.kind === 'raw_body' || part.kind === 'form_sorted') return body !== undefined;
  // It is left out only if the timestamp is absent, and then the request is refused.
  if (part.kind === 'optional')
    return part.pieces.every((piece) => piece.kind === 'literal' || covers(piece, timestamp));
  return part.kind === 'ts';
}
