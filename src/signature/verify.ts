import { ok, type Result } from '../lib/result.ts';
import { verifyBasic } from './basic.ts';
import { verifyHmac } from './hmac.ts';
import { reject, type Rejection } from './rejection.ts';
import type { SignedRequest } from './request.ts';
import { needsSecret, type VerifyScheme } from './scheme.ts';
import { verifyToken } from './token.ts';

/** A request that is its source's; `secretIndex` says which of the secrets it used, null when the scheme has none. */
export interface Verified {
  readonly secretIndex: number | null;
}

/**
 * Whether `request` comes from who the scheme says, by any of `secrets` (their values, in the document's order).
 * `now` is in milliseconds since 1970. Whatever is missing, unreadable or not set up is a refusal.
 */
export async function verifySignature(
  scheme: VerifyScheme,
  secrets: readonly string[],
  request: SignedRequest,
  now: number,
): Promise<Result<Verified, Rejection>> {
  if (scheme.scheme === 'none') return ok({ secretIndex: null });
  if (needsSecret(scheme) && secrets.length === 0) return reject('misconfigured', 'no secret is set');
  const empty = secrets.indexOf('');
  if (empty >= 0) return reject('misconfigured', `secret ${empty + 1} of ${secrets.length} is empty`);
  const matched = await matchSecret(scheme, secrets, request, now);
  return matched.ok ? ok({ secretIndex: matched.value }) : matched;
}

function matchSecret(
  scheme: Exclude<VerifyScheme, { scheme: 'none' }>,
  secrets: readonly string[],
  request: SignedRequest,
  now: number,
): Promise<Result<number, Rejection>> {
  if (scheme.scheme === 'hmac') return verifyHmac(scheme, secrets, request, now);
  if (scheme.scheme === 'basic') return verifyBasic(secrets, request);
  return verifyToken(scheme, secrets, request);
}
