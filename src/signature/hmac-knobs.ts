import * as z from 'zod';
import { duration, oneOf, someText, strictDocument } from '../config/schema-parts.ts';
import { HEADER_NAME } from './signed-template.ts';

const SECOND = 1_000;
/** A day: whoever needs more has a broken clock, and a captured request would stay good for that long. */
const MAX_TOLERANCE = 86_400 * SECOND;
const DEFAULT_TOLERANCE = '300s';

const notAHeader = { error: 'must be the name of a header, or a list of at most 4 alternatives' };
const headerName = z.string().regex(HEADER_NAME, notAHeader);
/** One name or several; the first that is in the request counts. */
const headerNames = z
  .union([headerName, z.array(headerName).min(1).max(4)], notAHeader)
  .transform((names) => (typeof names === 'string' ? [names] : names));

const path = someText(256).regex(/^[^.]+(\.[^.]+)*$/, {
  error: 'must be a path of names with dots between them, such as `signature.timestamp`',
});
const name = someText(128);

/**
 * Where the time of signing stands, in which unit, and how far from now it may be, before or after. The output's
 * `tolerance` is in milliseconds. There is no "optional": whoever replays a request could leave the time out.
 */
const timestampSchema = strictDocument({
  header: z.optional(headerNames),
  signature_param: z.optional(name),
  body: z.optional(path),
  unit: oneOf(['s', 'ms', 'iso8601']).default('s'),
  tolerance: duration(SECOND, MAX_TOLERANCE).prefault(DEFAULT_TOLERANCE),
});

/** The knobs of the declarative HMAC, before they are checked against each other. */
export const hmacKnobs = strictDocument({
  scheme: z.literal('hmac'),
  /** Where the signature stands: exactly one of `header`, `query` and `field` (a JSON path or form field). */
  header: z.optional(headerNames),
  query: z.optional(name),
  field: z.optional(path),
  algorithm: oneOf(['sha1', 'sha256', 'sha512']).default('sha256'),
  encoding: oneOf(['hex', 'base64', 'base64url']).default('hex'),
  /** Text before each signature, e.g. `sha256=`. */
  prefix: z.optional(name),
  prefix_optional: z.optional(z.boolean({ error: 'must be true or false' })),
  /** What separates several signatures; without it there is one. */
  list_separator: z.optional(oneOf([',', ';', ' '])),
  /** What separates an item's key from its value; the first one counts, since base64 contains `=`. */
  key_value_separator: z.optional(oneOf(['=', ','])),
  /** The keys under which signatures are accepted; items under others are parameters or ignored. */
  keys: z.optional(
    z.array(name, { error: 'must be a list of keys' }).min(1, { error: 'must not be empty' }).max(8),
  ),
  /** What is signed, see `parseSigned`. */
  signed: someText(1_024).prefault('{raw_body}'),
  /** Says that the author knows that this signature does not cover the body. */
  unsigned_body: z.optional(z.literal(true, { error: 'must be true or absent' })),
  /** The address as it was given to the sender, for `{url}`; without it the request's own. */
  url: z.optional(someText(2_048).refine((url) => URL.canParse(url), { error: 'must be an absolute URL' })),
  secret_encoding: oneOf(['utf8', 'base64', 'hex']).default('utf8'),
  /** Taken off a secret before it is decoded: the first that fits. */
  strip_secret_prefixes: z.optional(z.array(name, { error: 'must be a list of prefixes' }).max(4)),
  timestamp: z.optional(timestampSchema),
});

export type HmacScheme = z.output<typeof hmacKnobs>;
export type Timestamp = z.output<typeof timestampSchema>;
