import type { Result } from '../../lib/result.ts';
import { digestAlgorithm, HASHES } from '../signed/digest.ts';
import { hmacKey } from './hmac-key.ts';
import type { HmacScheme } from './hmac-scheme.ts';
import type { Match } from '../basics/match.ts';
import type { Rejection } from '../basics/rejection.ts';
import type { SignedRequest } from '../basics/request.ts';
import { verifySigned } from '../signed/verify-signed.ts';

/** The secret with which one of the request's signatures was made. `now` is in milliseconds. */
export async function verifyHmac(
  scheme: HmacScheme,
  secrets: readonly string[],
  request: SignedRequest,
  now: number,
): Promise<Result<Match, Rejection>> {
  const hmac = digestAlgorithm(scheme, async (content, secret) =>
    crypto.subtle.sign('HMAC', await hmacKey(secret, HASHES[scheme.algorithm]), content),
  );
  return verifySigned(scheme, hmac, secrets, request, now);
}
