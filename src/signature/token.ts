import * as z from 'zod';
import { someText, strictDocument } from '../config/schema-parts.ts';
import { ok, type Result } from '../lib/result.ts';
import { MAX_CREDENTIAL, matchToken } from './match-token.ts';
import { reject, type Rejection } from './rejection.ts';
import type { SignedRequest } from './request.ts';
import { HEADER_NAME } from './signed-template.ts';

const scheme = z.literal('token');
const prefix = z.optional(someText(128));

/** `verify: { scheme: token, in: … }`: a secret that stands in a header, the query, or the path after the source. */
export const tokenSchema = z.discriminatedUnion(
  'in',
  [
    strictDocument({
      scheme,
      in: z.literal('header'),
      name: someText(128).regex(HEADER_NAME, { error: 'must be the name of a header' }),
      /** Text before the token, e.g. `Bearer `; upper and lower case are alike, as in HTTP's own schemes. */
      prefix,
    }),
    strictDocument({ scheme, in: z.literal('query'), name: someText(128), prefix }),
    strictDocument({ scheme, in: z.literal('path') }),
  ],
  { error: 'must say where the token stands: `in: header`, `in: query` or `in: path`' },
);

export type TokenScheme = z.output<typeof tokenSchema>;

/** The index of the secret that stands where the scheme says. */
export async function verifyToken(
  scheme: TokenScheme,
  secrets: readonly string[],
  request: SignedRequest,
): Promise<Result<number, Rejection>> {
  const given = readToken(scheme, request);
  if (!given.ok) return given;
  if (given.value.length > MAX_CREDENTIAL) return reject('malformed', `${describePlace(scheme)} is too long`);
  return matchToken(given.value, secrets, `the token in ${describePlace(scheme)}`);
}

function readToken(scheme: TokenScheme, request: SignedRequest): Result<string, Rejection> {
  if (scheme.in === 'path') {
    const token = request.pathToken ?? '';
    return token === '' ? reject('missing_field', 'the path has no token after the source') : ok(token);
  }
  const place = describePlace(scheme);
  const values =
    scheme.in === 'header'
      ? [request.headers.get(scheme.name) ?? '']
      : request.url.searchParams.getAll(scheme.name);
  // Which of several counts is a matter of taste, and proxies differ.
  if (values.length > 1) return reject('malformed', `${place} is given more than once`);
  const [value = ''] = values;
  if (value !== '') return afterPrefix(value, scheme.prefix, place);
  return reject(scheme.in === 'header' ? 'missing_header' : 'missing_field', `${place} is missing`);
}

function afterPrefix(value: string, prefix: string | undefined, place: string): Result<string, Rejection> {
  if (prefix === undefined) return ok(value);
  if (value.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase()) {
    return reject('malformed', `${place} does not start with \`${prefix}\``);
  }
  const token = value.slice(prefix.length);
  return token === '' ? reject('malformed', `${place} has no token after \`${prefix}\``) : ok(token);
}

const describePlace = (scheme: TokenScheme): string =>
  scheme.in === 'path'
    ? 'the path'
    : `${scheme.in === 'header' ? 'header' : 'query parameter'} ${scheme.name}`;
