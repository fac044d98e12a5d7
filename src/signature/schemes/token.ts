import * as z from 'zod/mini';
import { ownValue, scalarText } from '../../lib/json.ts';
import { ok } from '../../lib/result.ts';
import { someText, strictDocument } from '../../schema/parts.ts';
import { MAX_CREDENTIAL, matchToken, refuse, type SignedRequest, type Checked } from '../basics/request.ts';
import type { Attempt } from '../certificates/fetched.ts';
import { bodyItems, describePlace, readParsed, readPlace } from '../signed/signed-bytes.ts';
import { path, HEADER_NAME, type SignedPlace } from '../signed/signed-options.ts';
import { decodeText, decodeUtf8 } from '../../lib/encoding.ts';

const scheme = z.literal('token');
const prefix = z.optional(someText(128));

/** `verify: { scheme: token, in: … }`: a secret in a header, the query, the body, or the path. */
export const tokenSchema = z.discriminatedUnion(
  'in',
  [
    strictDocument({
      scheme,
      in: z.literal('header'),
      name: someText(128).check(z.regex(HEADER_NAME, { error: 'must be the name of a header' })),
      /** Text before the token, e.g. `Bearer `; upper and lower case are alike, as in HTTP's own schemes. */
      prefix,
      /** The sender may leave the prefix out, or the secret may contain it. */
      prefix_optional: z.optional(z.boolean({ error: 'must be true or false' })),
    }).check(
      z.refine((token) => token.prefix_optional === undefined || token.prefix !== undefined, {
        path: ['prefix_optional'],
        error: 'needs a `prefix`',
      }),
    ),
    strictDocument({ scheme, in: z.literal('query'), name: someText(128), prefix }),
    strictDocument({ scheme, in: z.literal('path') }),
    strictDocument({
      scheme,
      in: z.literal('body'),
      name: path,
      /** A JSON path to a list; `name` is read from each of its elements, and each token must be right. */
      items: z.optional(path),
    }),
  ],
  { error: 'must say where the token is: `in: header`, `in: query`, `in: path` or `in: body`' },
);

export type TokenScheme = z.output<typeof tokenSchema>;

/** A notification has one token per element; this is more than any sender batches. */
const MAX_ITEMS = 1_000;

type TokenAttempt = Pick<Attempt, 'secrets' | 'request'>;

export async function verifyToken(
  scheme: TokenScheme,
  { secrets, request }: TokenAttempt,
): Promise<Checked<number>> {
  const place = scheme.in === 'path' ? 'the path' : describePlace(placeOf(scheme));
  const tokens = await readTokens(scheme, request, place);
  if (!tokens.ok) return tokens;
  if (tokens.value.some(({ length }) => length > MAX_CREDENTIAL))
    return refuse('malformed', `${place} is too long`);
  // With an optional prefix there are two readings, of which one has to be right; of a list, each token has to.
  const isEither = scheme.in === 'header' && scheme.prefix_optional === true;
  let first: Checked<number> | null = null;
  for (const token of tokens.value) {
    const matched = await matchToken(token, secrets, `the token in ${place}`);
    if (matched.ok === isEither) return matched;
    first ??= matched;
  }
  return first ?? refuse('missing_field', `${place} is missing`);
}

async function readTokens(
  scheme: TokenScheme,
  request: SignedRequest,
  place: string,
): Promise<Checked<readonly string[]>> {
  if (scheme.in === 'path') {
    const { pathToken: token = '' } = request;
    return token === '' ? refuse('missing_field', 'the path has no token after the source') : ok([token]);
  }
  const parsed = scheme.in === 'body' ? await readParsed(request) : ok(null);
  if (!parsed.ok) return parsed;
  if (scheme.in === 'body' && scheme.items !== undefined)
    return readItems(parsed.value?.payload, scheme.items, scheme.name);
  const text = readPlace(placeOf(scheme), { request, parsed: parsed.value });
  if (!text.ok) return text;
  if (text.value === '') return refuse('missing_field', `${place} is missing`);
  const after = scheme.in === 'body' ? text : afterPrefix(text.value, scheme.prefix, place);
  if (scheme.in === 'header' && scheme.prefix_optional === true)
    return ok([...(after.ok ? [after.value] : []), text.value]);
  return after.ok ? ok([after.value]) : after;
}

function readItems(payload: unknown, path: string, name: string): Checked<readonly string[]> {
  const items = bodyItems(payload, path, MAX_ITEMS);
  if (!items.ok) return items;
  const tokens = items.value.map((item) => scalarText(ownValue(item, name)) ?? '');
  const missing = tokens.indexOf('');
  return missing >= 0
    ? refuse('missing_field', `body field ${path}.${missing}.${name} is missing`)
    : // The elements of a batch usually share their token, which is then compared once.
      ok([...new Set(tokens)]);
}

function afterPrefix(value: string, prefix: string | undefined, place: string): Checked<string> {
  if (prefix === undefined) return ok(value);
  if (value.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase())
    return refuse('malformed', `${place} does not start with \`${prefix}\``);
  // Of `prefix: Bearer ` without quotes, YAML leaves out the blank.
  const token = value.slice(prefix.length).trimStart();
  return token === '' ? refuse('malformed', `${place} has no token after \`${prefix}\``) : ok(token);
}

/** With `items`, the place is of each element, and only for refusals. */
function placeOf(scheme: Exclude<TokenScheme, { in: 'path' }>): SignedPlace {
  if (scheme.in === 'header') return { kind: 'header', names: [scheme.name] };
  if (scheme.in === 'query') return { kind: 'query', name: scheme.name };
  const { items, name } = scheme;
  return { kind: 'body', path: items === undefined ? name : `${items}.*.${name}` };
}

/** `verify: { scheme: basic }`: HTTP Basic (RFC 7617); the secret is "user:password" in UTF-8. */
export const basicSchema = strictDocument({ scheme: z.literal('basic') });

export async function verifyBasic({ secrets, request }: TokenAttempt): Promise<Checked<number>> {
  const wrong = secrets.findIndex((secret) => !secret.includes(':'));
  if (wrong >= 0)
    return refuse(
      'misconfigured',
      `secret ${wrong + 1} of ${secrets.length} must have the form "user:password"`,
    );
  const header = request.headers.get('Authorization') ?? '';
  if (header === '') return refuse('missing_header', 'header Authorization is missing');
  if (header.length > MAX_CREDENTIAL) return refuse('malformed', 'header Authorization is too long');
  const [, encoded] = /^basic +(\S+)$/i.exec(header) ?? [];
  if (encoded === undefined) return refuse('malformed', 'header Authorization is not `Basic` and base64');
  const bytes = decodeText(encoded, 'base64');
  // Lenient decoding would make different passwords equal; so would a dropped byte order mark.
  const credentials = bytes && decodeUtf8(bytes);
  // A user cannot contain a colon, so comparing "user:password" as a whole is the same as splitting it.
  return credentials?.includes(':') === true
    ? matchToken(credentials, secrets, 'the login in header Authorization')
    : refuse('malformed', 'header Authorization is not base64 of "user:password" in UTF-8');
}
