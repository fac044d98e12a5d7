import type { Result } from '../../lib/result.ts';
import { isSignatureOf } from '../basics/public-key.ts';
import type { SignatureRefusal } from '../basics/refusal.ts';
import type { Claim } from './claim.ts';
import type { SecretKey } from './secret-key.ts';
import type { SignatureForm } from './signature-list.ts';
import type { Algorithm } from './verify-signed.ts';

/**
 * Each one is verified over the whole content, which cannot be hashed once for all of them; a few senders list two or
 * three.
 */
export const MAX_PUBLIC_KEY_SIGNATURES = 4;

/** An algorithm whose signatures are checked with the sender's public key. */
export const publicKeyAlgorithm = (
  form: SignatureForm,
  keys: (secrets: readonly string[]) => Promise<Result<readonly SecretKey<CryptoKey>[], SignatureRefusal>>,
): Algorithm<CryptoKey> => ({ form, keys, matches: async (key, claim) => isSigned(claim, key) });

const NO_SECRET = new Uint8Array();

/** Stops at the first one that is right: a public key is not a secret, so the duration reveals nothing. */
async function isSigned({ signatures, contents }: Claim, key: CryptoKey): Promise<boolean> {
  for (const content of contents) {
    for (const signature of signatures) {
      if (await isSignatureOf(key, signature, content(NO_SECRET))) return true;
    }
  }
  return false;
}
