import type { Claim } from './claim.ts';
import { decodeSecret, readKeys } from './secret-key.ts';
import { ofLength } from './signature-list.ts';
import type { SecretOptions } from './signed-options.ts';
import type { Algorithm } from './verify-signed.ts';

/** The number of bytes of each algorithm's digest. */
const LENGTHS = { md5: 16, sha1: 20, sha256: 32, sha512: 64 } as const;
export const HASHES = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' } as const;

export const MAX_SIGNATURES = 16;

/** Repeats the sender's computation for a content and a secret. */
type Digest = (content: Uint8Array, secret: Uint8Array) => Promise<ArrayBuffer>;

/** An algorithm whose signatures are computed again and compared. */
export const digestAlgorithm = (
  scheme: SecretOptions & { readonly algorithm: keyof typeof LENGTHS },
  digest: Digest,
): Algorithm<Uint8Array> => ({
  form: ofLength(LENGTHS[scheme.algorithm], MAX_SIGNATURES),
  keys: async (secrets) => readKeys(secrets, scheme.secret_separator, (text) => decodeSecret(text, scheme)),
  matches: async (secret, claim) => isDigest(claim, secret, digest),
});

/**
 * Computed once per secret and compared in constant time. `subtle.verify` would hash a large body once for each pair of
 * secret and listed signature: work that anyone could cause. The lengths are equal, since signatures of other lengths
 * are not in the list.
 */
async function isDigest(
  { signatures, contents }: Claim,
  secret: Uint8Array,
  digest: Digest,
): Promise<boolean> {
  const expected = await Promise.all(contents.map(async (content) => digest(content(secret), secret)));
  const equal = expected.flatMap((one) =>
    signatures.filter((given) => crypto.subtle.timingSafeEqual(given, one)),
  );
  return equal.length > 0;
}
