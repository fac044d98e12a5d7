/** Sources × secrets of one deployment in practice; past that, starting again costs one import a secret. */
const MAX_KEYS = 64;
const imported = new Map<string, CryptoKey>();

/**
 * The key for signing with `bytes`. Importing takes twice as long as signing a webhook, so imported keys are kept:
 * in memory only, where the secrets stand anyway. The key is kept, not its promise, which belongs to one request.
 */
export async function hmacKey(bytes: Uint8Array, hash: 'SHA-1' | 'SHA-256' | 'SHA-512'): Promise<CryptoKey> {
  const id = `${hash}:${bytes.join()}`;
  const known = imported.get(id);
  if (known !== undefined) return known;
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign']);
  if (imported.size >= MAX_KEYS) imported.clear();
  imported.set(id, key);
  return key;
}
