import * as z from 'zod/mini';
import type { Result } from '../../lib/result.ts';
import { oneOf, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import type { Match } from '../basics/match.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';
import type { SignedRequest } from '../basics/request.ts';
import { decodeUtf8 } from '../basics/encoding.ts';
import { digestAlgorithm, HASHES, verifySigned } from '../signed/verify-signed.ts';
import { conflicts } from '../signed/signed-conflicts.ts';
import { secretShape, signedShape } from '../signed/signed-options.ts';

/**
 * `verify: { scheme: hash, … }`: a plain digest of a text that contains the secret (`{secret}` in `signed`), as in
 * HubSpot v1.
 */
export const hashSchema = strictDocument({
  scheme: z.literal('hash'),
  algorithm: z._default(oneOf(['sha256', 'sha512']), 'sha256'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
}).check(withoutConflicts(conflicts));

type HashScheme = z.output<typeof hashSchema>;

/** Returns the secret that was part of the text whose digest the request carries. `now` is in milliseconds. */
export async function verifyHash(
  scheme: HashScheme,
  secrets: readonly string[],
  request: SignedRequest,
  now: number,
): Promise<Result<Match, SignatureRefusal>> {
  // Length extension: the digest of a text gives that of a longer text without the secret. The padding between the two
  // begins with the byte 0x80, which cannot follow text in UTF-8.
  if (decodeUtf8(request.body) === null) return refuse('malformed', 'the body is not UTF-8');
  const hash = digestAlgorithm(scheme, async (content) =>
    crypto.subtle.digest(HASHES[scheme.algorithm], content),
  );
  return verifySigned(scheme, hash, secrets, request, now);
}
