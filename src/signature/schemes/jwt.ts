import * as z from 'zod/mini';
import { decodeText, decodeUtf8 } from '../../lib/encoding.ts';
import { parseObject } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { DAY } from '../../lib/time.ts';
import { duration, oneOf, someText, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import {
  cachedKey,
  hasKey,
  importPublicKey,
  isSignatureOf,
  keyConflicts,
  keyShape,
  readKeys,
} from '../basics/keys.ts';
import {
  digestOf,
  type Match,
  isHashOf,
  refuse,
  type SignedRequest,
  type Checked,
} from '../basics/request.ts';
import {
  type Attempt,
  type IssuerRefusal,
  type KeysAt,
  type VerifyContext,
  withKeys,
} from '../certificates/fetched.ts';
import { describePlace, readPlace } from '../signed/signed-bytes.ts';
import { errorsOf, headerNames, name, tolerance } from '../signed/signed-options.ts';

export type JwtClaims = Readonly<Record<string, unknown>>;

/** A token in its parts, with the expected algorithm. Nothing in it is verified yet. */
interface Jws {
  readonly header: JwtClaims;
  /** The header and the claims as they were signed. */
  readonly signed: Uint8Array;
  readonly claims: string;
  readonly signature: Uint8Array;
}

/** Longer than any token in a header, and than a cookie. UTF-16 units. */
export const MAX_TOKEN = 8_192;
/** The signature may be empty here, so that `alg: none` is reported as such. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** True if it looks like a JWS in its compact form (RFC 7515 §7.1). */
export const isCompact = (text: string, max = MAX_TOKEN): boolean => text.length <= max && COMPACT.test(text);

/**
 * Takes a compact JWS apart. The caller names the algorithm: one that the token chose could be `none`. Extensions that
 * must be understood (RFC 7515 §4.1.11) are refused, because this code understands none. `max`: in UTF-16 units.
 */
export function readJws(token: string, algorithm: string, max = MAX_TOKEN): Checked<Jws> {
  const [head = '', claims = '', tail = ''] = token.split('.');
  const header = jsonObject(head);
  if (header === null) return refuse('malformed', "the token's header is not JSON in base64url");
  if (header['alg'] !== algorithm) return refuse('mismatch', `the token's \`alg\` is not ${algorithm}`);
  if (header['crit'] !== undefined)
    return refuse('malformed', "the token's `crit` requires extensions, and none is supported");
  const signature = decodeText(tail, 'base64url');
  return isCompact(token, max) && signature !== null
    ? ok({ header, signed: new TextEncoder().encode(`${head}.${claims}`), claims, signature })
    : noToken();
}

interface JwtClaimRules {
  /** The required value of `iss`, or several. */
  readonly issuer?: string | readonly string[] | undefined;
  /** The allowed values, one of which must be in `aud`. */
  readonly audiences?: readonly string[] | undefined;
  readonly require_exp?: boolean | undefined;
  /** The largest age by `iat`, which is then required, in ms. */
  readonly max_age?: number | undefined;
  /** The largest clock difference to the sender for `exp` and `nbf`, in ms. */
  readonly tolerance: number;
}

/** The claims of a token, and the index of the key that it was made with. */
type TokenClaims = Readonly<{ key: number; claims: JwtClaims }>;

/** The claims of a token (RFC 7519 §4.1), or what is wrong with them; null if it was made with none of the keys. */
export async function verifiedClaims(
  { signed, signature, claims }: Jws,
  keys: readonly CryptoKey[],
  rules: JwtClaimRules,
  now: number,
): Promise<Checked<TokenClaims> | null> {
  // All of them are tried, so that the duration does not reveal which one it was.
  const tried = await Promise.all(keys.map(async (key) => isSignatureOf(key, signature, signed)));
  const key = tried.indexOf(true);
  if (key < 0) return null;
  const read = jsonObject(claims);
  return read === null ? noToken() : (wrongClaim(read, rules, now) ?? ok({ key, claims: read }));
}

type Refused = ReturnType<typeof refuse>;

function wrongClaim(claims: JwtClaims, rules: JwtClaimRules, now: number): Refused | null {
  const { issuer, audiences, require_exp, max_age } = rules;
  const { iss, aud, exp, nbf, iat } = claims;
  const needed = Object.entries({ iss: issuer, aud: audiences, exp: require_exp, iat: max_age });
  const missing = needed.find(([claim, rule]) => (rule ?? false) !== false && !Object.hasOwn(claims, claim));
  if (missing !== undefined) return refuse('missing_field', `the token has no \`${missing[0]}\``);
  if (issuer !== undefined && ![issuer].flat().some((one) => one === iss)) return unexpected('iss');
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (audiences !== undefined && !audiences.some((one) => named.includes(one))) return unexpected('aud');
  for (const claim of ['iat', 'nbf', 'exp'])
    if (Object.hasOwn(claims, claim) && typeof claims[claim] !== 'number')
      return refuse('malformed', `the token's \`${claim}\` is not a time in seconds`);
  const seconds = Math.floor(now / 1_000);
  const tolerance = rules.tolerance / 1_000;
  if (typeof nbf === 'number' && nbf > seconds + tolerance)
    return refuse('stale', 'the token is not valid yet: its `nbf` is ahead of this clock');
  if (max_age !== undefined && typeof iat === 'number' && iat < seconds - max_age / 1_000)
    return refuse('stale', `the token is older than ${max_age / 1_000} s (\`iat\`)`);
  return typeof exp === 'number' && exp <= seconds - tolerance
    ? refuse('stale', 'the token has expired (`exp`)')
    : null;
}

const unexpected = (claim: string): Refused =>
  refuse('mismatch', `the token's \`${claim}\` is not the one that this source expects`);

const noToken = (): Refused => refuse('malformed', 'the token is not a JSON Web Token');

/** Returns a part of a token as an object; null if it is not one. */
function jsonObject(part: string): JwtClaims | null {
  const bytes = decodeText(part, 'base64url');
  return parseObject((bytes && decodeUtf8(bytes)) ?? '');
}

export async function issuedClaims(
  jws: Jws,
  at: Omit<KeysAt, 'kid'>,
  rules: JwtClaimRules,
  context: VerifyContext,
): Promise<Result<TokenClaims, IssuerRefusal>> {
  const { kid } = jws.header;
  const issued = await withKeys({ ...at, kid }, context, async (keys) =>
    verifiedClaims(jws, keys, rules, context.now),
  );
  return issued.ok
    ? (issued.value ?? refuse('mismatch', "the token was not made with any of the issuer's keys"))
    : issued;
}

const jwtOptions = strictDocument({
  scheme: z.literal('jwt'),
  header: z.optional(headerNames),
  /** The token is the whole body, and its claims are the payload (Wix). */
  in: z.optional(z.literal('body', { error: 'must be `body`, or absent with a `header`' })),
  /** Text before the token, e.g. `Bearer `; upper and lower case are alike. */
  prefix: z.optional(name),
  prefix_optional: z.optional(z.boolean({ error: 'must be true or false' })),
  /** The only accepted one: a token that chose its own could choose none. */
  algorithm: z._default(oneOf(['HS256', 'HS384', 'HS512', 'RS256', 'ES256', 'EdDSA']), 'HS256'),
  ...keyShape,
  issuer: z.optional(name),
  /** The required value of `aud`; `url`: the source's `url`, if the token has an `aud`. */
  audience: z.optional(someText(2_048)),
  body_hash_claim: z.optional(name),
  /** Confirms that the author knows that the token does not cover the body. */
  unsigned_body: z.optional(z.literal(true, { error: 'must be true or absent' })),
  require_exp: z.optional(z.boolean({ error: 'must be true or false' })),
  /** Refuse a token that is older by its `iat`, or has none. */
  max_age: z.optional(duration(1_000, DAY)),
  /** The largest clock difference to the sender for `exp`, `nbf` and `iat`. */
  tolerance,
});

type JwtScheme = z.output<typeof jwtOptions>;

const NO_BODY =
  'does not cover the body, so whoever sees a token can send any body with it: name its hash in `body_hash_claim`, or write `unsigned_body: true` if there is none';

/** `verify: { scheme: jwt, … }`: a compact JWS in a header, whose claims may be about the request. */
export const jwtSchema = jwtOptions.check(
  withoutConflicts((scheme) => {
    const { in: place, header, prefix, prefix_optional, body_hash_claim, unsigned_body, algorithm } = scheme;
    const inBody = place === 'body';
    return [
      ...errorsOf([
        ...OF_HEADERS.map(
          (path) => [inBody && scheme[path] !== undefined, path, UNUSED, 'no-effect'] as const,
        ),
        [!inBody && header === undefined, 'header', NO_HEADER, 'required'],
        [
          !inBody && prefix_optional !== undefined && prefix === undefined,
          'prefix_optional',
          'needs a `prefix`',
        ],
        [!inBody && body_hash_claim === undefined && unsigned_body !== true, '', NO_BODY, 'unsafe'],
        [isShared(algorithm) && hasKey(scheme), 'algorithm', NO_PUBLIC_KEY],
      ]),
      ...(isShared(algorithm) ? [] : keyConflicts(scheme, algorithm)),
    ];
  }),
);

const OF_HEADERS = ['header', 'prefix', 'prefix_optional', 'body_hash_claim', 'unsigned_body'] as const;
const UNUSED = 'has no effect with `in: body`: the token is the whole body. Leave it out';
const NO_HEADER = 'is required, except with `in: body` for a token that is the whole body';
const NO_PUBLIC_KEY =
  'must be RS256, ES256 or EdDSA with `key` or `jwks`: the others are made with a secret, which both sides know';

const HASHES = { HS256: 'SHA-256', HS384: 'SHA-384', HS512: 'SHA-512' } as const;

/** True if tokens are made with the secret that verifies them. */
const isShared = (algorithm: JwtScheme['algorithm']): algorithm is keyof typeof HASHES => algorithm in HASHES;

/** A public key is known to everybody, so it must not pass for the secret of HMAC because the algorithm was forgotten. */
const PUBLIC_KEY = /-----BEGIN |^\s*\{\s*"/;

async function keyOf(secret: string, algorithm: JwtScheme['algorithm']): Promise<Result<CryptoKey, string>> {
  if (!isShared(algorithm)) return importPublicKey(secret, algorithm);
  if (PUBLIC_KEY.test(secret)) return err(`is a public key, and no secret for ${algorithm}`);
  const hash = HASHES[algorithm];
  const bytes = new TextEncoder().encode(secret);
  return ok(
    await cachedKey(`jwt ${hash}`, bytes, async () =>
      crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['verify']),
    ),
  );
}

export async function verifyJwt(scheme: JwtScheme, attempt: Attempt): Promise<Checked<Match>> {
  const { request, now } = attempt;
  const token = scheme.in === 'body' ? tokenInBody(request) : readToken(scheme, request);
  if (!token.ok) return token;
  const jws = readJws(token.value, scheme.algorithm, Math.max(MAX_TOKEN, request.body.byteLength));
  if (!jws.ok) return jws;
  const verified = await claimsOf(jws.value, scheme, attempt);
  if (!verified.ok) return verified;
  const { key, claims } = verified.value;
  const checked = await checkClaims(claims, scheme, request, now);
  return checked.ok
    ? ok({ secret: hasKey(scheme) ? null : key, once: onceOf(claims, scheme, now) })
    : checked;
}

async function claimsOf(
  jws: Jws,
  { algorithm, key, jwks: url, ...scheme }: JwtScheme,
  attempt: Attempt,
): Promise<Checked<TokenClaims>> {
  const { audience } = scheme;
  const audiences = audience === undefined || audience === 'url' ? undefined : [audience];
  const rules = { ...scheme, audiences };
  if (url !== undefined && !isShared(algorithm)) return issuedClaims(jws, { url, algorithm }, rules, attempt);
  const given = key === undefined ? attempt.secrets : [key];
  const keys = await readKeys(given, undefined, async (text) => keyOf(text, algorithm));
  if (!keys.ok) return keys;
  const imported = keys.value.map((one) => one.key);
  const claims = await verifiedClaims(jws, imported, rules, attempt.now);
  return claims ?? refuse('mismatch', `the token was not made with any of ${given.length} secret(s)`);
}

/**
 * Decides if a token that does not cover the body makes only one event: it does if it has an id (RFC 7519 §4.1.7).
 * Without an id, the same token may rightly come with several events, since its times are whole seconds.
 */
function onceOf({ jti, exp }: JwtClaims, { in: place, body_hash_claim, tolerance }: JwtScheme, now: number) {
  if (place === 'body' || body_hash_claim !== undefined || typeof jti !== 'string' || jti === '') return null;
  const freshMs = typeof exp === 'number' ? exp * 1_000 + tolerance - now : 0;
  return { digests: [digestOf(jti)], freshMs };
}

/** Returns the token in a request's header, without the text before it. Nothing in it is verified yet. */
function readToken(
  { header = [], prefix = '', prefix_optional }: Pick<JwtScheme, 'header' | 'prefix' | 'prefix_optional'>,
  request: SignedRequest,
): Checked<string> {
  const place = { kind: 'header', names: header } as const;
  const text = readPlace(place, { request, parsed: null });
  if (!text.ok) return text;
  const what = describePlace(place);
  const hasPrefix = text.value.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase();
  if (!hasPrefix && prefix_optional !== true)
    return refuse('malformed', `${what} does not start with \`${prefix}\``);
  const token = hasPrefix ? text.value.slice(prefix.length).trim() : text.value;
  if (token.length > MAX_TOKEN) return refuse('malformed', `${what} is longer than ${MAX_TOKEN} characters`);
  return isCompact(token) ? ok(token) : refuse('malformed', `${what} has no JSON Web Token`);
}

/** The body was read under a limit of its own. */
function tokenInBody({ body }: SignedRequest): Checked<string> {
  const text = decodeUtf8(body) ?? '';
  return isCompact(text, body.byteLength)
    ? ok(text)
    : refuse('malformed', 'the body is not a JSON Web Token');
}

/** Claims about this request: made by now, for this address, with this body. `now` in ms. */
async function checkClaims(
  claims: JwtClaims,
  scheme: Pick<JwtScheme, 'tolerance' | 'audience' | 'body_hash_claim'>,
  request: SignedRequest,
  now: number,
): Promise<Checked<void>> {
  const { iat } = claims;
  const { tolerance, body_hash_claim: claim } = scheme;
  if (typeof iat === 'number' && iat * 1_000 > now + tolerance)
    return refuse('stale', "the token's `iat` is ahead of this clock");
  const audience = scheme.audience === 'url' ? checkAddress(claims['aud'], request) : ok(undefined);
  if (!audience.ok || claim === undefined) return audience;
  return Object.hasOwn(claims, claim) && claims[claim] !== undefined
    ? isHashOf(request.body, claims[claim], `the token's \`${claim}\``)
    : refuse('missing_field', `the token has no \`${claim}\``);
}

/** Not with the request's own `Host`, which its sender chose. Without `aud` it is for everyone (RFC 7519 §4.1.3). */
function checkAddress(audience: unknown, { registeredUrl }: SignedRequest): Checked<void> {
  const own = registeredUrl === null ? null : addressOf(registeredUrl);
  if (own === null)
    return refuse('misconfigured', "the source has no `url` to compare the token's `aud` with");
  if (audience === undefined) return ok(undefined);
  const named: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return named.some((one) => typeof one === 'string' && addressOf(one) === own)
    ? ok(undefined)
    : refuse('mismatch', "the token's `aud` is not the address of this source");
}

/** Returns an address as it is sent in a request, without the fragment; null if the text is not an address. */
function addressOf(text: string): string | null {
  const url = URL.parse(text);
  return url === null ? null : `${url.origin}${url.pathname}${url.search}`;
}

/**
 * An OpenID Connect token in `Authorization: Bearer`, whose issuer publishes its keys. Anybody can get one for any
 * audience, so `email` names the account of this source. It never covers the body.
 */
export const oidcSchema = strictDocument({
  scheme: z.literal('oidc'),
  issuer: oneOf(['google']),
  /** The account that the tokens are for. It is not a secret, but it ties a request to this source. */
  email: someText(320).check(
    z.regex(/^[^\s@]+@[^\s@]+$/, { error: 'must be the e-mail address of the service account that posts' }),
  ),
  /** The required value of `aud`; default: the source's `url`. */
  audience: z.optional(someText(2_048)),
});

type OidcScheme = z.output<typeof oidcSchema>;

/** A document chooses one of these and never an address, so that keys come from no other host. */
const ISSUERS = {
  google: {
    names: ['https://accounts.google.com', 'accounts.google.com'],
    keys: 'https://www.googleapis.com/oauth2/v3/certs',
  },
} as const;

const BEARER = { header: ['Authorization'], prefix: 'Bearer ' };

/** The largest clock difference to the issuer, in ms; Google's tokens are valid for an hour. */
const TOLERANCE = 60_000;

export async function verifyOidc(
  { issuer, email, audience }: OidcScheme,
  { request, ...context }: Pick<Attempt, 'request' | 'now' | 'fetch'>,
): Promise<Checked<void>> {
  const token = readToken(BEARER, request);
  if (!token.ok) return token;
  const jws = readJws(token.value, 'RS256');
  if (!jws.ok) return jws;
  const { kid } = jws.value.header;
  if (typeof kid !== 'string') return refuse('malformed', "the token's header has no `kid`");
  const { names, keys } = ISSUERS[issuer];
  const audiences = audience === undefined ? undefined : [audience];
  const rules = { issuer: names, audiences, require_exp: true, tolerance: TOLERANCE };
  const issued = await issuedClaims(jws.value, { url: keys, algorithm: 'RS256' }, rules, context);
  if (!issued.ok) return issued;
  const { claims } = issued.value;
  const { aud, email: account, email_verified: verified } = claims;
  if (aud === undefined) return refuse('missing_field', 'the token has no `aud`');
  const expected = { tolerance: TOLERANCE, ...(audience === undefined && { audience: 'url' }) };
  const checked = await checkClaims(claims, expected, request, context.now);
  if (!checked.ok) return checked;
  if (account === undefined)
    return refuse('missing_field', 'the token has no `email`, so it does not belong to a service account');
  return account === email && verified === true
    ? ok(undefined)
    : refuse('mismatch', "the token's `email` is not the one in the source's `verify`, or is not verified");
}
