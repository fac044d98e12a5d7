import * as z from 'zod/mini';
import { oneOf, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import type { Match } from '../basics/match.ts';
import { refuse, type Checked } from '../basics/request.ts';
import {
  digestAlgorithm,
  HASHES,
  verifySigned,
  type Algorithm,
  type SignedAttempt,
} from '../signed/verify-signed.ts';
import { conflicts, secretShape, signedShape } from '../signed/signed-options.ts';
import { cachedKey } from '../basics/public-key.ts';
import { decodeUtf8 } from '../../lib/encoding.ts';

/** `verify: { scheme: hmac, … }`: the options, checked to fit together. */
export const hmacSchema = strictDocument({
  scheme: z.literal('hmac'),
  /** `md5` (in workerd's WebCrypto) is for old senders: its collisions are easy, but not those of its HMAC. */
  algorithm: z._default(oneOf(['md5', 'sha1', 'sha256', 'sha512']), 'sha256'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
}).check(withoutConflicts(conflicts));

type HmacScheme = z.output<typeof hmacSchema>;

export const hmacAlgorithm = (scheme: HmacScheme): Algorithm<Uint8Array> =>
  digestAlgorithm(scheme, async (content, secret) =>
    crypto.subtle.sign('HMAC', await hmacKey(secret, HASHES[scheme.algorithm]), content),
  );

type Hash = (typeof HASHES)[keyof typeof HASHES];

export const hmacKey = async (bytes: Uint8Array, hash: Hash): Promise<CryptoKey> =>
  cachedKey(hash, bytes, async () =>
    crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign']),
  );

/** A plain digest of a text that contains the secret (`{secret}` in `signed`), as in HubSpot v1. */
export const hashSchema = strictDocument({
  scheme: z.literal('hash'),
  algorithm: z._default(oneOf(['sha256', 'sha512']), 'sha256'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
}).check(withoutConflicts(conflicts));

type HashScheme = z.output<typeof hashSchema>;

/** Returns the secret that was part of the text whose digest the request carries. */
export async function verifyHash(scheme: HashScheme, attempt: SignedAttempt): Promise<Checked<Match>> {
  // Length extension: the digest of a text gives that of a longer text without the secret. The padding between the two
  // begins with the byte 0x80, which cannot follow text in UTF-8.
  if (decodeUtf8(attempt.request.body) === null) return refuse('malformed', 'the body is not UTF-8');
  const hash = digestAlgorithm(scheme, async (content) =>
    crypto.subtle.digest(HASHES[scheme.algorithm], content),
  );
  return verifySigned(scheme, hash, attempt);
}
