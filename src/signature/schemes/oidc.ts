import * as z from 'zod/mini';
import { ok, type Result } from '../../lib/result.ts';
import { oneOf, someText, strictDocument } from '../../schema/parts.ts';
import { readJws } from '../basics/jws.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';
import type { SignedRequest } from '../basics/request.ts';
import type { VerifyContext } from '../certificates/fetched.ts';
import { issuedClaims, noKeys, NOT_ISSUED } from '../certificates/jwks.ts';
import { checkClaims, readToken } from './jwt.ts';

/**
 * `verify: { scheme: oidc, … }`: an OpenID Connect token in `Authorization: Bearer`, whose issuer publishes its keys.
 * Anybody can get such a token for any audience, so `email` names the account whose tokens belong to this source. Such
 * a token never covers the body.
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

/** True if the request has a token of the source's account. */
export async function verifyOidc(
  { issuer, email, audience }: OidcScheme,
  request: SignedRequest,
  context: VerifyContext,
): Promise<Result<void, SignatureRefusal>> {
  const token = readToken(BEARER, request);
  if (!token.ok) return token;
  const jws = readJws(token.value, 'RS256');
  if (!jws.ok) return jws;
  const { kid } = jws.value.header;
  if (typeof kid !== 'string') return refuse('malformed', "the token's header has no `kid`");
  const { names, keys } = ISSUERS[issuer];
  const rules = {
    issuer: names,
    audiences: audience === undefined ? undefined : [audience],
    require_exp: true,
    tolerance: TOLERANCE,
  };
  const issued = await issuedClaims(jws.value, { url: keys, algorithm: 'RS256' }, rules, context);
  if (!issued.ok) return noKeys(issued.error);
  if (issued.value === null) return NOT_ISSUED;
  const { claims } = issued.value;
  if (!claims.ok) return claims;
  const { aud, email: account, email_verified: verified } = claims.value;
  if (aud === undefined) return refuse('missing_field', 'the token has no `aud`');
  const expected = { tolerance: TOLERANCE, ...(audience === undefined && { audience: 'url' }) };
  const checked = await checkClaims(claims.value, expected, request, context.now);
  if (!checked.ok) return checked;
  if (account === undefined)
    return refuse('missing_field', 'the token has no `email`, so it does not belong to a service account');
  return account === email && verified === true
    ? ok(undefined)
    : refuse('mismatch', "the token's `email` is not the one in the source's `verify`, or is not verified");
}
