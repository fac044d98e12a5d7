import { cachedKey } from '../basics/key-cache.ts';

/** Returns the key for signing with `bytes`. */
export const hmacKey = async (
  bytes: Uint8Array,
  hash: 'MD5' | 'SHA-1' | 'SHA-256' | 'SHA-512',
): Promise<CryptoKey> =>
  cachedKey(hash, bytes, async () =>
    crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign']),
  );
