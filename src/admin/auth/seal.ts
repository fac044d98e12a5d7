import { secretValues } from '../../lib/secret.ts';
import { decodeText } from '../../signature/basics/encoding.ts';

/**
 * Makes texts that a viewer may hold but not read or make up: ids and cursors of incidents hold the incident's key, which
 * may be anybody's number. The same text is always sealed the same, so that two ids can be told apart; a new secret or
 * variable ends all of them.
 */
export interface Seal {
  readonly seal: (text: string) => Promise<string>;
  /** Null: it was not sealed here. */
  readonly open: (sealed: string) => Promise<string | null>;
}

/** The key is made of what only the deployment knows. */
export async function sealOf(env: Env): Promise<Seal> {
  const known = new TextEncoder().encode(
    JSON.stringify(['hookbell viewer ids', secretValues(env).toSorted()]),
  );
  const hash = await crypto.subtle.digest('SHA-256', known);
  const key = await crypto.subtle.importKey('raw', hash, AES, false, ['encrypt', 'decrypt']);
  return {
    seal: async (text) => {
      const bytes = await crypto.subtle.encrypt(AES, key, new TextEncoder().encode(text));
      return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    },
    open: async (sealed) => {
      const bytes = decodeText(sealed, 'hex');
      if (bytes === null) return null;
      try {
        const text = await crypto.subtle.decrypt(AES, key, bytes);
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text);
      } catch {
        return null;
      }
    },
  };
}

/** Without a random part, which would make each answer's ids others. */
const AES = { name: 'AES-CBC', iv: new Uint8Array(16) };
