import { ok } from '../../lib/result.ts';
import { decodeText, decodeUtf8 } from '../../lib/encoding.ts';
import { isSignatureOf } from './public-key.ts';
import { refuse, type Checked } from './request.ts';
import { parseObject } from '../../lib/json.ts';

export type JwtClaims = Readonly<Record<string, unknown>>;

/** A token in its parts, with the expected algorithm. Nothing in it is verified yet. */
export interface Jws {
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

export interface JwtClaimRules {
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
export type TokenClaims = Readonly<{ key: number; claims: JwtClaims }>;

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
  const { issuer, audiences, require_exp = false, max_age } = rules;
  const { iss, aud, exp, nbf, iat } = claims;
  const needed = {
    iss: issuer !== undefined,
    aud: audiences !== undefined,
    exp: require_exp,
    iat: max_age !== undefined,
  };
  for (const [claim, isNeeded] of Object.entries(needed))
    if (isNeeded && !Object.hasOwn(claims, claim))
      return refuse('missing_field', `the token has no \`${claim}\``);
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
