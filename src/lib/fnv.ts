/**
 * Returns the FNV-1a hash of a text's UTF-16 units: the same number on every machine, from 0 to 2^32 - 1. It keeps
 * nothing secret.
 */
export function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
