import { secretValues } from '../../lib/secret.ts';
import type { SealedSort } from '../../registry/view.ts';
import { decodeText } from '../../signature/basics/encoding.ts';

/**
 * Makes texts that a viewer may hold but neither read nor make up: ids and cursors of incidents hold the incident's key,
 * which may be anybody's number. The same text is always sealed the same, so that two ids can be distinguished; a new
 * secret or variable ends all of them.
 */
export interface Seal {
  readonly seal: (text: string) => Promise<string>;
  /** Null: it was not sealed here, or not as this kind. */
  readonly open: (sealed: string) => Promise<string | null>;
}

/** Texts of about one length are sealed to one length; no UTF-8 has the byte that fills them up. */
const STEP = 64;
const FILL = 0xff;

const IV_BYTES = 16;

/** The part of the IV that counts blocks: no text has nearly as many. */
const COUNTER_BITS = 64;

/**
 * Encrypts with a synthetic IV: the HMAC of the text is both the tag that proves it and the IV, so nothing random makes
 * two seals of one text differ. The keys come from what only the deployment knows, other ones for each kind.
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
      // Nothing of what was decrypted is looked at before it is proved.
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
