import { ok, type Result } from '../../lib/result.ts';
import { isHashOf } from '../basics/match.ts';
import type { JwtClaims } from '../basics/jws.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';
import type { SignedRequest } from '../basics/request.ts';

/** A source's requirements for a token's claims besides its signature, as the options of a `jwt` block. */
interface JwtClaimOptions {
  /** The largest clock difference to the sender, in ms. */
  readonly tolerance: number;
  /** `url`: `aud` must be the source's `url`. */
  readonly audience?: string | undefined;
  readonly body_hash_claim?: string | undefined;
}

/**
 * Checks that the claims of a token are about this request: made by now, for this address, with this body. `now` in ms.
 */
export async function checkClaims(
  claims: JwtClaims,
  scheme: JwtClaimOptions,
  request: SignedRequest,
  now: number,
): Promise<Result<void, SignatureRefusal>> {
  const { iat } = claims;
  if (typeof iat === 'number' && iat * 1_000 > now + scheme.tolerance)
    return refuse('stale', "the token's `iat` is ahead of this clock");
  const audience = scheme.audience === 'url' ? checkAddress(claims['aud'], request) : ok(undefined);
  if (!audience.ok) return audience;
  return scheme.body_hash_claim === undefined
    ? ok(undefined)
    : checkBodyHash(claims, scheme.body_hash_claim, request.body);
}

/**
 * Compared with the source's own `url`, never with the request's address: its sender chose the `Host`. A token without
 * `aud` is for everyone (RFC 7519 §4.1.3).
 */
function checkAddress(audience: unknown, { registeredUrl }: SignedRequest): Result<void, SignatureRefusal> {
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

async function checkBodyHash(
  claims: JwtClaims,
  claim: string,
  body: Uint8Array,
): Promise<Result<void, SignatureRefusal>> {
  const text = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (text === undefined) return refuse('missing_field', `the token has no \`${claim}\``);
  return isHashOf(body, text, `the token's \`${claim}\``);
}
