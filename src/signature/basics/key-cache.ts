/**
 * More than the number of sources × secrets of a deployment in practice. Beyond that, the cache is emptied, which costs
 * one import for each secret.
 */
const MAX_KEYS = 64;
const imported = new Map<string, CryptoKey>();

/**
 * Returns the key that these bytes are for an algorithm, imported at most once: importing takes longer than checking a
 * webhook. Kept in memory only, where the secrets are anyway. The cache has the key, not its promise, which belongs to
 * one request.
 */
export async function cachedKey(
  algorithm: string,
  bytes: Uint8Array,
  importKey: () => Promise<CryptoKey>,
): Promise<CryptoKey> {
  const id = `${algorithm}:${String.fromCharCode(...bytes)}`;
  const known = imported.get(id);
  if (known !== undefined) return known;
  const key = await importKey();
  if (imported.size >= MAX_KEYS) imported.clear();
  imported.set(id, key);
  return key;
}
