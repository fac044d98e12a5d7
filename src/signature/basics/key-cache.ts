/** More than one deployment's sources × secrets in practice; past that, starting again costs one import a secret. */
const MAX_KEYS = 64;
const imported = new Map<string, CryptoKey>();

/**
 * The key of an algorithm that these bytes are, imported at most once: importing takes longer than checking a webhook.
 * Kept in memory only, where the secrets are anyway. The key is kept, not its promise, which belongs to one request.
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
