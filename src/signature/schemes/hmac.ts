import * as z from 'zod/mini';
import type { Result } from '../../lib/result.ts';
import { oneOf, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import type { Match } from '../basics/match.ts';
import type { SignatureRefusal } from '../basics/refusal.ts';
import type { SignedRequest } from '../basics/request.ts';
import { digestAlgorithm, HASHES, verifySigned } from '../signed/verify-signed.ts';
import { conflicts } from '../signed/signed-conflicts.ts';
import { secretShape, signedShape } from '../signed/signed-options.ts';
import { cachedKey } from '../basics/key-cache.ts';

/** `verify: { scheme: hmac, … }`: the options, checked to fit together. */
export const hmacSchema = strictDocument({
  scheme: z.literal('hmac'),
  /**
   * `md5` (which workerd's WebCrypto has) is for old senders: collisions of MD5 are easy, but not those of its HMAC.
   */
  algorithm: z._default(oneOf(['md5', 'sha1', 'sha256', 'sha512']), 'sha256'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
}).check(withoutConflicts(conflicts));

type HmacScheme = z.output<typeof hmacSchema>;

/** Returns the secret that one of the request's signatures was made with. `now` is in milliseconds. */
export async function verifyHmac(
  scheme: HmacScheme,
  secrets: readonly string[],
  request: SignedRequest,
  now: number,
): Promise<Result<Match, SignatureRefusal>> {
  const hmac = digestAlgorithm(scheme, async (content, secret) =>
    crypto.subtle.sign('HMAC', await hmacKey(secret, HASHES[scheme.algorithm]), content),
  );
  return verifySigned(scheme, hmac, secrets, request, now);
}

/** Returns the key for signing with `bytes`. */
export const hmacKey = async (
  bytes: Uint8Array,
  hash: 'MD5' | 'SHA-1' | 'SHA-256' | 'SHA-512',
): Promise<CryptoKey> =>
  cachedKey(hash, bytes, async () =>
    crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign']),
  );
