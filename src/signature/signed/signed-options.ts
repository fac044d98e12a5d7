import { durationOr, listOf, oneOf, recordOf, someText, strictDocument } from '../../schema/parts.ts';
import type { Encoding } from '../../lib/encoding.ts';
import { suggest } from '../../lib/suggest.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { FieldCode } from '../../lib/api-codes.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import * as z from 'zod/mini';

export type SignedPlace =
  /** The first of these headers that is there and not empty. */
  | { readonly kind: 'header'; readonly names: readonly string[] }
  /** `lower`: as the sender signs it, in lower case. */
  | { readonly kind: 'query'; readonly name: string; readonly lower?: boolean }
  | { readonly kind: 'body'; readonly path: string }
  /** In the current element of the list that a scheme with `items` names. */
  | { readonly kind: 'item'; readonly path: string }
  /** A parameter that is listed with the signatures. */
  | { readonly kind: 'sig'; readonly key: string };

/** One piece of the signed content, in the order in which the pieces are joined. */
export type SignedPiece = (
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly [K in Bare]: { readonly kind: K } }[Bare]
  /** `free`: the one value that may contain the text that separates it from the others, see `separatorsOf`. */
  | (SignedPlace & { readonly free?: boolean })
) & {
  /** The number of its `[…]`, which is left out if a value in it is absent. Undefined: it is always signed. */
  readonly segment?: number | undefined;
};

/** A valid header name (RFC 9110 `token`): other names make `Headers.get` throw. */
export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;

const BARE = ['raw_body', 'form_sorted', 'secret', 'ts', 'method', 'url'] as const;
type Bare = (typeof BARE)[number];
const KNOWN = [
  '{raw_body}',
  '{ts}',
  '{header:Name}',
  '{sig.key}',
  '{method}',
  '{url}',
  '{query:name}',
  '{query_lower:name}',
  '{body:path}',
  '{item:path}',
  '{form_sorted}',
  '{secret}',
  '{free header:Name}',
];

/** May be absent from a request; without one of the others, the request is refused. */
const MAY_BE_ABSENT: ReadonlySet<SignedPiece['kind']> = new Set(['header', 'query', 'body', 'item', 'sig']);

/** Always signed: an optional segment with such a piece could leave out the very part that the signature is for. */
const NEVER_OPTIONAL: ReadonlySet<SignedPiece['kind']> = new Set(['raw_body', 'form_sorted', 'secret']);

/** Returns the pieces of a `signed` template such as `{ts}.{raw_body}`, or the error. */
export function parseSigned(template: string): Result<readonly SignedPiece[], string> {
  const pieces: SignedPiece[] = [];
  let segment: number | undefined;
  // With a capture group `split` alternates: literal, token, literal, token, …, literal.
  for (const [index, text] of template.split(/(\{[^{}]*\}|[[\]])/).entries()) {
    if (text === '[') {
      if (segment !== undefined) return err('has a `[` inside of `[…]`: optional segments cannot be nested');
      segment = index;
    } else if (text === ']') {
      if (segment === undefined) return err('has a `]` that closes nothing; write a literal one as `{]}`');
      const problem = segmentProblem(pieces.filter((piece) => piece.segment === segment));
      if (problem !== null) return err(problem);
      segment = undefined;
    } else if (text !== '') {
      const piece = index % 2 === 1 ? parseToken(text.slice(1, -1)) : parseLiteral(text);
      if (!piece.ok) return piece;
      pieces.push({ ...piece.value, segment });
    }
  }
  if (segment !== undefined) return err('has a `[` that is not closed; write a literal one as `{[}`');
  return pieces.filter((piece) => 'free' in piece).length > 1
    ? err('has two `{free …}`: only one value may contain its separator')
    : ok(pieces);
}

function segmentProblem(segment: readonly SignedPiece[]): string | null {
  const whole = segment.find(({ kind }) => NEVER_OPTIONAL.has(kind));
  if (whole !== undefined) return `has \`{${whole.kind}}\` in an optional segment, which may be left out`;
  return segment.some(isPlace) ? null : 'has an optional segment `[…]` without a value that could be absent';
}

const parseLiteral = (text: string): Result<SignedPiece, string> =>
  /[{}]/.test(text)
    ? err('has a brace that belongs to no token: each `{` needs its `}`')
    : ok({ kind: 'literal', text });

const PLACES: Readonly<Record<string, (value: string) => SignedPlace>> = {
  'header:': (value) => ({ kind: 'header', names: value.split(',') }),
  'sig.': (key) => ({ kind: 'sig', key }),
  'query:': (name) => ({ kind: 'query', name }),
  'query_lower:': (name) => ({ kind: 'query', name, lower: true }),
  'body:': (path) => ({ kind: 'body', path }),
  'item:': (path) => ({ kind: 'item', path }),
};

function parseToken(token: string): Result<SignedPiece, string> {
  if (token === '[' || token === ']') return ok({ kind: 'literal', text: token });
  const bare = BARE.find((kind) => kind === token);
  if (bare !== undefined) return ok({ kind: bare });
  const [, free, kind = '', value = ''] = /^(free )?([a-z_]+[:.])(.+)$/.exec(token) ?? [];
  const place = PLACES[kind]?.(value);
  const isValid = place?.kind !== 'header' || place.names.every((name) => HEADER_NAME.test(name));
  if (place !== undefined && isValid) return ok(free === undefined ? place : { ...place, free: true });
  const close = suggest(`{${token}}`, KNOWN);
  const hint = close === null ? `; known: ${KNOWN.join(', ')}` : `; did you mean \`${close}\`?`;
  return err(`has an unknown token \`{${token}}\`${hint}`);
}

export const isPlace = (piece: SignedPiece): piece is SignedPlace => MAY_BE_ABSENT.has(piece.kind);

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
const timestampSchema = strictDocument(() => ({
  header: z.optional(headerNames),
  /** The key of the time beside the signature: `t` of `t=…,v1=…`. */
  key: z.optional(name),
  body: z.optional(path),
  /** `auto`: seconds or milliseconds, by the number of digits. */
  unit: z._default(oneOf(['s', 'ms', 'iso8601', 'auto']), 's'),
  tolerance,
}));

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

const isOnlyOne = (...places: readonly unknown[]): boolean =>
  places.filter((place) => place !== undefined).length === 1;

const UNUSED = 'is not used: `signed` has no `{url}`';

export function conflicts(scheme: SignedScheme & { readonly scheme: string }): readonly FieldError[] {
  const { header, query, field, items, prefix, prefix_optional, keys, timestamp } = scheme;
  const { url, url_form, body_hash_query, list_separator: list, key_value_separator: pair } = scheme;
  const ofPlace: readonly Conflict[] = [
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
  const signed = parseSigned(scheme.signed);
  if (!signed.ok) return errorsOf([...ofPlace, [true, 'signed', signed.error, 'malformed']]);
  const pieces = signed.value;
  const has = (...kinds: readonly SignedPiece['kind'][]): boolean =>
    pieces.some(({ kind }) => kinds.includes(kind));
  /** Outside of `[…]`: a segment that may be left out covers nothing. */
  const hasAlways = (...kinds: readonly SignedPiece['kind'][]): boolean =>
    pieces.some(({ kind, segment }) => segment === undefined && kinds.includes(kind));
  const isHash = scheme.scheme === 'hash';
  const isList = items !== undefined;
  const usesParams = has('sig') || timestamp?.key !== undefined;
  const coversBody = hasAlways('raw_body', 'form_sorted', 'body', 'item') || body_hash_query !== undefined;
  const hasTime = timestamp !== undefined && isOnlyOne(timestamp.header, timestamp.key, timestamp.body);
  return errorsOf([
    ...ofPlace,
    [isHash && !has('secret'), 'signed', 'must have `{secret}`: without it anybody could make the hash'],
    [!isHash && has('secret'), 'signed', 'has `{secret}`, which only scheme `hash` signs'],
    [has('ts') && timestamp === undefined, 'signed', 'uses `{ts}`, which needs a `timestamp`'],
    [
      usesParams && (keys === undefined || separators(scheme).list === undefined),
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
      hasTime && !coversTime(pieces, timestamp),
      'timestamp',
      'is not signed, so it proves nothing: put `{ts}` into `signed`, or leave `timestamp` out',
    ],
  ]);
}

function coversTime(pieces: readonly SignedPiece[], { header, key, body }: Timestamp): boolean {
  const covers = (piece: SignedPiece): boolean => {
    if (piece.kind === 'header') return piece.names.join().toLowerCase() === header?.join().toLowerCase();
    if (piece.kind === 'body') return piece.path === body;
    if (piece.kind === 'sig') return piece.key === key;
    if (piece.kind === 'raw_body' || piece.kind === 'form_sorted') return body !== undefined;
    return piece.kind === 'ts';
  };
  // A segment is left out only if a value in it is absent: that may be the timestamp, without which the request is refused.
  const mayVanish = (piece: SignedPiece): boolean =>
    piece.segment !== undefined && piece.kind !== 'literal' && !covers(piece);
  return pieces.some(
    (piece) => covers(piece) && !pieces.some((other) => other.segment === piece.segment && mayVanish(other)),
  );
}
