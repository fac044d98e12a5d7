import { durationOr, listOf, oneOf, recordOf, someText, strictDocument } from '../../schema/parts.ts';
import type { Encoding } from '../basics/encoding.ts';
import { HEADER_NAME, parseSigned, piecesOf, type SignedPart, type SignedPiece } from './signed-template.ts';
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
  /** The signed text, see `parseSigned`. */
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
  /**
   * The sender's form of the address: `as_is`; `percent_decoded` (HubSpot decodes some escapes); `any_port` (Twilio:
   * with and without the default port).
   */
  url_form: z.optional(oneOf(['as_is', 'percent_decoded', 'any_port'])),
  /**
   * A JSON path to a list whose elements are signed one by one (Adyen): `field` and `{item:path}` are read from each
   * element, and each signature must be right.
   */
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

/** The options that turn secrets into keys. */
export const secretShape = {
  secret_encoding: z._default(oneOf(['utf8', 'base64', 'hex']), 'utf8'),
  /** The prefixes that are removed from a secret before it is decoded: the first one that matches. */
  strip_secret_prefixes: z.optional(listOf(name, 'prefixes', { max: 4 })),
  /** One Worker secret may hold several secrets, separated by this (Supabase: `|`). */
  secret_separator: z.optional(oneOf(['|', ',', ' '])),
};

/** The checked options of this family of schemes. */
export type SignedOptions = z.output<z.ZodMiniObject<typeof signedShape>>;
export type SecretOptions = z.output<z.ZodMiniObject<typeof secretShape>>;

/** A scheme of this family, whatever its algorithm. */
export type SignedScheme = SignedOptions & { readonly encoding: Encoding };

/** The separators of a list of keys and values: `t=…,v1=…`, unless the scheme has others. */
export function separators({ keys, list_separator, key_value_separator }: SignedScheme): {
  readonly list: string | undefined;
  readonly pair: string | undefined;
} {
  if (keys === undefined || key_value_separator !== undefined)
    return { list: list_separator, pair: key_value_separator };
  return { list: list_separator ?? ',', pair: '=' };
}

type Conflict = FieldError | null;

/** Returns errors for options of a scheme that do not fit together, by their names in the document. */
export function conflicts(scheme: SignedScheme & { readonly scheme: string }): readonly FieldError[] {
  const signed = parseSigned(scheme.signed);
  const checks = [...placeConflicts(scheme), ...listConflicts(scheme)];
  if (!signed.ok) checks.push(fieldError('signed', 'malformed', signed.error));
  else {
    const parts = signed.value;
    checks.push(
      secretConflict(scheme.scheme, parts),
      ...paramConflicts(scheme, parts),
      ...urlConflicts(scheme, parts),
      ...itemConflicts(scheme, parts),
      bodyConflict(scheme, parts),
      onceConflict(scheme, parts),
      scheme.timestamp === undefined ? null : timestampConflict(scheme.timestamp, parts),
    );
  }
  return checks.filter((check) => check !== null);
}

const problemIf = (wrong: boolean, path: string, message: string): Conflict =>
  wrong ? fieldError(path, 'conflict', message) : null;

const has = (parts: readonly SignedPart[], ...kinds: readonly SignedPiece['kind'][]): boolean =>
  piecesOf(parts).some(({ kind }) => kinds.includes(kind));

/** Outside of `[…]`: a segment that may be left out covers nothing. */
const hasAlways = (parts: readonly SignedPart[], ...kinds: readonly SignedPart['kind'][]): boolean =>
  parts.some(({ kind }) => kinds.includes(kind));

function placeConflicts({ header, query, field, prefix, prefix_optional }: SignedScheme): Conflict[] {
  const places = [header, query, field].filter((place) => place !== undefined);
  return [
    problemIf(
      places.length !== 1,
      '',
      'must say where the signature is: exactly one of `header`, `query` and `field`',
    ),
    problemIf(prefix_optional !== undefined && prefix === undefined, 'prefix_optional', 'needs a `prefix`'),
  ];
}

function listConflicts({ list_separator, key_value_separator, keys }: SignedScheme): Conflict[] {
  return [
    problemIf(
      key_value_separator !== undefined && keys === undefined,
      'keys',
      'is required with `key_value_separator`: the keys that signatures have',
    ),
    problemIf(
      list_separator !== undefined && list_separator === key_value_separator,
      'key_value_separator',
      'must differ from `list_separator`',
    ),
  ];
}

function secretConflict(scheme: string, parts: readonly SignedPart[]): Conflict {
  const isIn = has(parts, 'secret');
  if (scheme === 'hash')
    return problemIf(!isIn, 'signed', 'must have `{secret}`: without it anybody could make the hash');
  return problemIf(isIn, 'signed', 'has `{secret}`, which only scheme `hash` signs');
}

function paramConflicts(scheme: SignedScheme, parts: readonly SignedPart[]): Conflict[] {
  const usesParams = has(parts, 'sig') || scheme.timestamp?.key !== undefined;
  return [
    problemIf(
      has(parts, 'ts') && scheme.timestamp === undefined,
      'signed',
      'uses `{ts}`, which needs a `timestamp`',
    ),
    problemIf(
      usesParams && (scheme.keys === undefined || separators(scheme).list === undefined),
      '',
      'must have `keys` (and `list_separator`, if `key_value_separator` is not `=`) to read parameters from the signature',
    ),
  ];
}

function urlConflicts(
  { url, url_form, body_hash_query }: SignedScheme,
  parts: readonly SignedPart[],
): Conflict[] {
  const unused = 'is not used: `signed` has no `{url}`';
  return [
    problemIf(url !== undefined && !has(parts, 'url'), 'url', unused),
    problemIf(url_form !== undefined && !has(parts, 'url'), 'url_form', unused),
    problemIf(
      body_hash_query !== undefined && !hasAlways(parts, 'url'),
      'body_hash_query',
      'proves nothing: `signed` has no `{url}`',
    ),
  ];
}

function itemConflicts({ items, field }: SignedScheme, parts: readonly SignedPart[]): Conflict[] {
  if (items === undefined) {
    return [
      problemIf(has(parts, 'item'), 'signed', 'uses `{item:…}`, which needs `items`: the path of the list'),
    ];
  }
  return [
    problemIf(field === undefined, 'field', 'is required with `items`: where an element has its signature'),
    problemIf(!hasAlways(parts, 'item'), 'signed', 'does not cover the elements of `items`: add `{item:…}`'),
    problemIf(
      has(parts, 'raw_body', 'form_sorted', 'body'),
      'signed',
      'must not have `{raw_body}`, `{form_sorted}` or `{body:…}` with `items`',
    ),
  ];
}

function bodyConflict(scheme: SignedScheme, parts: readonly SignedPart[]): Conflict {
  const isCovered =
    hasAlways(parts, 'raw_body', 'form_sorted', 'body', 'item') || scheme.body_hash_query !== undefined;
  return problemIf(
    !isCovered && scheme.unsigned_body !== true,
    'signed',
    'does not cover the body, so whoever sees a signature can send any body with it: add `{raw_body}`, or write `unsigned_body: true` if the sender signs none',
  );
}

const onceConflict = ({ signed_once }: SignedScheme, parts: readonly SignedPart[]): Conflict =>
  problemIf(
    signed_once === true && hasAlways(parts, 'raw_body'),
    'signed_once',
    'is not for senders that sign the whole body: leave it out',
  );

function timestampConflict(timestamp: Timestamp, parts: readonly SignedPart[]): Conflict {
  const { header, key, body } = timestamp;
  const places = [header, key, body].filter((place) => place !== undefined);
  if (places.length !== 1) {
    return fieldError('timestamp', 'conflict', 'must have exactly one of `header`, `key` and `body`');
  }
  return problemIf(
    !parts.some((part) => covers(part, timestamp)),
    'timestamp',
    'is not signed, so it proves nothing: put `{ts}` into `signed`, or leave `timestamp` out',
  );
}

function covers(part: SignedPart, timestamp: Timestamp): boolean {
  const { header, key, body } = timestamp;
  switch (part.kind) {
    case 'ts':
      return true;
    case 'header':
      return part.names.join().toLowerCase() === header?.join().toLowerCase();
    case 'body':
      return part.path === body;
    case 'sig':
      return part.key === key;
    case 'raw_body':
    case 'form_sorted':
      return body !== undefined;
    case 'optional':
      // It is left out only if the timestamp is absent, and then the request is refused.
      return part.pieces.every((piece) => piece.kind === 'literal' || covers(piece, timestamp));
    case 'literal':
    case 'method':
    case 'url':
    case 'query':
    case 'item':
    case 'secret':
      return false;
  }
}
