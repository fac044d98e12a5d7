import * as z from 'zod/mini';
import { ok, type Result } from '../../lib/result.ts';
import { oneOf, someText, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import { type JwtClaims, isCompact, MAX_TOKEN, readJws, verifiedClaims } from '../basics/jws.ts';
import { cachedKey } from '../basics/key-cache.ts';
import { digestOf, type Match, type SignedOnce } from '../basics/match.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';
import type { SignedRequest } from '../basics/request.ts';
import type { VerifyContext } from '../certificates/context.ts';
import { describePlace, readPlace } from '../signed/place.ts';
import { headerNames, name, tolerance } from '../signed/signed-options.ts';
import { checkClaims } from './jwt-claims.ts';

const jwtOptions = strictDocument({
  scheme: z.literal('jwt'),
  header: headerNames,
  /** Text before the token, e.g. `Bearer `; upper and lower case are alike. */
  prefix: z.optional(name),
  prefix_optional: z.optional(z.boolean({ error: 'must be true or false' })),
  algorithm: z._default(oneOf(['HS256', 'HS384', 'HS512']), 'HS256'),
  /** The required value of `iss`. */
  issuer: z.optional(name),
  /** The required value of `aud`; `url`: the source's `url`, if the token has an `aud`. */
  audience: z.optional(someText(2_048)),
  /** The claim that holds the body's SHA-256 in hex. */
  body_hash_claim: z.optional(name),
  /** Confirms that the author knows that the token does not cover the body. */
  unsigned_body: z.optional(z.literal(true, { error: 'must be true or absent' })),
  /** Refuse a token without `exp`. */
  require_exp: z.optional(z.boolean({ error: 'must be true or false' })),
  /** The largest clock difference to the sender for `exp`, `nbf` and `iat`. */
  tolerance,
});

type JwtScheme = z.output<typeof jwtOptions>;

const NO_BODY =
  'does not cover the body, so whoever sees a token can send any body with it: name its hash in `body_hash_claim`, or write `unsigned_body: true` if there is none';

/** `verify: { scheme: jwt, … }`: a compact JWS in a header, whose claims may be about the request. */
export const jwtSchema = jwtOptions.check(
  withoutConflicts(({ prefix, prefix_optional, body_hash_claim, unsigned_body }) => [
    ...(prefix_optional !== undefined && prefix === undefined
      ? [{ path: 'prefix_optional', message: 'needs a `prefix`' }]
      : []),
    ...(body_hash_claim === undefined && unsigned_body !== true ? [{ path: '', message: NO_BODY }] : []),
  ]),
);

const HASHES = { HS256: 'SHA-256', HS384: 'SHA-384', HS512: 'SHA-512' } as const;

async function keyOf(secret: string, hash: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret);
  return cachedKey(`jwt ${hash}`, bytes, async () =>
    crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['verify']),
  );
}

/** Returns the secret that the request's token was made with. */
export async function verifyJwt(
  scheme: JwtScheme,
  secrets: readonly string[],
  request: SignedRequest,
  { now }: VerifyContext,
): Promise<Result<Match, SignatureRefusal>> {
  const token = readToken(scheme, request);
  if (!token.ok) return token;
  const jws = readJws(token.value, scheme.algorithm);
  if (!jws.ok) return jws;
  const { audience } = scheme;
  const rules = {
    ...scheme,
    audiences: audience === undefined || audience === 'url' ? undefined : [audience],
  };
  // All of them are tried, so that the duration does not reveal which one it was.
  const tried = await Promise.all(
    secrets.map(async (secret) => {
      const key = await keyOf(secret, HASHES[scheme.algorithm]);
      return verifiedClaims(jws.value, key, rules, now);
    }),
  );
  const index = tried.findIndex((one) => one !== null);
  const claims = tried[index];
  if (claims === undefined || claims === null) {
    return refuse('mismatch', `the token was not made with any of ${secrets.length} secret(s)`);
  }
  if (!claims.ok) return claims;
  const checked = await checkClaims(claims.value, scheme, request, now);
  return checked.ok ? ok({ secret: index, once: onceOf(claims.value, scheme, now) }) : checked;
}

/**
 * Decides if a token that does not cover the body makes only one event: it does if it has an id (RFC 7519 §4.1.7).
 * Without an id, the same token may rightly come with several events, since its times are whole seconds.
 */
function onceOf(
  { jti, exp }: JwtClaims,
  { body_hash_claim, tolerance }: JwtScheme,
  now: number,
): SignedOnce | null {
  if (body_hash_claim !== undefined || typeof jti !== 'string' || jti === '') return null;
  const freshMs = typeof exp === 'number' ? exp * 1_000 + tolerance - now : 0;
  return { digests: [digestOf(jti)], freshMs };
}

/** Returns the token in a request's header, without the text before it. Nothing in it is verified yet. */
export function readToken(
  { header, prefix = '', prefix_optional = false }: Pick<JwtScheme, 'header' | 'prefix' | 'prefix_optional'>,
  request: SignedRequest,
): Result<string, SignatureRefusal> {
  const place = { kind: 'header', names: header } as const;
  const text = readPlace(place, { request, fields: noFields, parsed: null, params: new Map() });
  if (!text.ok) return text;
  const what = describePlace(place);
  const hasPrefix = text.value.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase();
  if (!hasPrefix && !prefix_optional) return refuse('malformed', `${what} does not start with \`${prefix}\``);
  const token = hasPrefix ? text.value.slice(prefix.length).trim() : text.value;
  if (token.length > MAX_TOKEN) return refuse('malformed', `${what} is longer than ${MAX_TOKEN} characters`);
  return isCompact(token) ? ok(token) : refuse('malformed', `${what} has no JSON Web Token`);
}

const noFields = () => refuse('missing_field', 'the token is in a header');
