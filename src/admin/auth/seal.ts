import { secretValues } from '../../lib/secret.ts';
import type { SealedSort } from '../../registry/view.ts';
import { decodeText } from '../../signature/basics/encoding.ts';

/**
 * Makes texts that a viewer may hold but can neither read nor forge. Ids and cursors of incidents contain the
 * incident's key, which may be anybody's number. The same text always gets the same seal, so that ids can be compared.
 * A new secret or variable invalidates all seals.
 */
export interface Seal {
  readonly seal: (text: string) => Promise<string>;
  /** Null if the text was not sealed by this deployment, or not as this kind. */
  readonly open: (sealed: string) => Promise<string | null>;
}

/** Texts of similar length get seals of the same length. The byte that fills them up never occurs in UTF-8. */
const STEP = 64;
const FILL = 0xff;

const IV_BYTES = 16;

/** The part of the IV that counts blocks. No text comes close to that many. */
const COUNTER_BITS = 64;

/**
 * Encrypts with a synthetic IV. The HMAC of the text is both the proof of the text and the IV, so the same text always
 * gets the same seal. The keys come from the secrets of the deployment, and each kind has its own.
 */
export async function sealOf(env: Env, kind: SealedSort): Promise<Seal> {
  const { mac, cipher } = await keysOf(env, kind);
  const ivOf = async (filled: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign('HMAC', mac, filled)).subarray(0, IV_BYTES);
  return {
    seal: async (text) => {
      const filled = fill(bytesOf(text));
      const iv = await ivOf(filled);
      const encrypted = new Uint8Array(await crypto.subtle.encrypt(ctr(iv), cipher, filled));
      return base64url([...iv, ...encrypted]);
    },
    open: async (sealed) => {
      const bytes = /^[\w-]+$/.test(sealed) ? decodeText(sealed, 'base64url') : null;
      if (bytes === null || bytes.length < IV_BYTES) return null;
      const iv = bytes.subarray(0, IV_BYTES);
      const filled = new Uint8Array(await crypto.subtle.decrypt(ctr(iv), cipher, bytes.subarray(IV_BYTES)));
      // Nothing reads the decrypted text before its proof is checked.
      if (!crypto.subtle.timingSafeEqual(await ivOf(filled), iv)) return null;
      const end = filled.indexOf(FILL);
      return decoder.decode(end < 0 ? filled : filled.subarray(0, end));
    },
  };
}

const ctr = (iv: Uint8Array) => ({ name: 'AES-CTR', counter: iv, length: COUNTER_BITS });

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

async function keysOf(env: Env, kind: SealedSort) {
  const known = bytesOf(JSON.stringify(secretValues(env).toSorted()));
  const root = await crypto.subtle.importKey('raw', known, 'HKDF', false, ['deriveKey']);
  const hkdf = (use: string) => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: bytesOf(`hookbell viewer ${kind} ${use}`),
  });
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 };
  const aes = { name: 'AES-CTR', length: 256 };
  const [mac, cipher] = await Promise.all([
    crypto.subtle.deriveKey(hkdf('mac'), root, hmac, false, ['sign']),
    crypto.subtle.deriveKey(hkdf('cipher'), root, aes, false, ['encrypt', 'decrypt']),
  ]);
  return { mac, cipher };
}

function fill(bytes: Uint8Array): Uint8Array {
  const filled = new Uint8Array(Math.ceil(bytes.length / STEP) * STEP).fill(FILL);
  filled.set(bytes);
  return filled;
}

const base64url = (bytes: readonly number[]): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
