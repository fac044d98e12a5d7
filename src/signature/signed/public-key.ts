import { err, ok, type Result } from '../../lib/result.ts';
import type { Claim } from './claim.ts';
import { cachedKey } from '../basics/key-cache.ts';
import { readKeys } from './secret-key.ts';
import type { SignatureForm } from './signature-list.ts';
import type { Algorithm } from './verify-signed.ts';

/**
 * Each one is verified over the whole content, which cannot be hashed once for all of them; a few senders list two or
 * three.
 */
export const MAX_PUBLIC_KEY_SIGNATURES = 4;

/** One kind of signature that is checked with a public key. */
interface PublicKeyAlgorithm {
  readonly form: SignatureForm;
  readonly separator?: string | undefined;
  readonly readKey: (text: string) => Promise<Result<CryptoKey, string>>;
  /** As `subtle.verify` names it. */
  readonly parameters: { readonly name: string; readonly hash?: string };
}

/** An algorithm whose signatures are checked with the sender's public key. */
export const publicKeyAlgorithm = ({
  form,
  separator,
  readKey,
  parameters,
}: PublicKeyAlgorithm): Algorithm<CryptoKey> => ({
  form,
  keys: async (secrets) => readKeys(secrets, separator, readKey),
  matches: async (key, claim) => isSigned(claim, key, parameters),
});

const NO_SECRET = new Uint8Array();

/** Stops at the first one that is right: a public key is not a secret, so the duration reveals nothing. */
async function isSigned(
  { signatures, contents }: Claim,
  key: CryptoKey,
  parameters: PublicKeyAlgorithm['parameters'],
): Promise<boolean> {
  for (const content of contents) {
    for (const signature of signatures) {
      if (await crypto.subtle.verify(parameters, key, signature, content(NO_SECRET))) return true;
    }
  }
  return false;
}

/** Imports a public key, once. Invalid bytes give an error value, not an exception. */
export async function importPublicKey(
  format: 'raw' | 'spki',
  bytes: Uint8Array,
  algorithm: { readonly name: string; readonly namedCurve?: string },
): Promise<Result<CryptoKey, string>> {
  try {
    const key = await cachedKey(algorithm.name, bytes, async () =>
      crypto.subtle.importKey(format, bytes, algorithm, false, ['verify']),
    );
    return ok(key);
  } catch {
    return err(`is not a public key for ${algorithm.name}`);
  }
}
