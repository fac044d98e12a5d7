import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import type { Random } from '../simulation.ts';
import { refusing } from './refusing.ts';

const HASHES: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};

interface Key {
  readonly type: 'secret';
  readonly algorithm: { readonly name: string; readonly hash?: { readonly name: string } };
  readonly bytes: Uint8Array;
  readonly secret: KeyObject;
}

const TAG_BYTES = 16;

/**
 * `crypto` with random bytes of the seed. Node computes on threads that end in any order; here all is computed at once. It has the
 * algorithms that the simulated sources and people use, and refuses others.
 */
export function seededCrypto(random: Random): object {
  return refusing('`crypto`', {
    getRandomValues: (array: Uint8Array) => {
      array.set(random.bytes(array.length));
      return array;
    },
    randomUUID: () => {
      const hex = Array.from(random.bytes(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
    subtle: refusing('`crypto.subtle`', SUBTLE),
  });
}

const SUBTLE = {
  digest: async (algorithm: unknown, data: unknown) =>
    bufferOf(hash(hashOf(algorithm), bytesOf(data), 'buffer')),
  importKey: async (
    format: string,
    data: unknown,
    algorithm: { name: string; hash?: unknown } | string,
  ): Promise<Key> => {
    const { name, hash: digest } =
      typeof algorithm === 'string' ? { name: algorithm, hash: undefined } : algorithm;
    if (format !== 'raw' || !['HMAC', 'AES-GCM'].includes(name))
      throw notThere(`keys of ${name} (${format})`);
    const bytes = Uint8Array.from(bytesOf(data));
    return {
      type: 'secret',
      algorithm: { name, ...(digest !== undefined && { hash: { name: nameOf(digest) } }) },
      bytes,
      secret: createSecretKey(bytes),
    };
  },
  sign: async (algorithm: unknown, key: Key, data: unknown) => bufferOf(macOf(algorithm, key, data)),
  verify: async (algorithm: unknown, key: Key, signature: unknown, data: unknown) =>
    isEqual(macOf(algorithm, key, data), bytesOf(signature)),
  encrypt: async ({ iv }: { iv: unknown }, key: Key, data: unknown) => {
    const cipher = createCipheriv('aes-256-gcm', key.bytes, bytesOf(iv));
    return joined(cipher.update(bytesOf(data)), cipher.final(), cipher.getAuthTag());
  },
  decrypt: async ({ iv }: { iv: unknown }, key: Key, data: unknown) => {
    const sealed = bytesOf(data);
    const cipher = createDecipheriv('aes-256-gcm', key.bytes, bytesOf(iv));
    cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return joined(cipher.update(sealed.subarray(0, -TAG_BYTES)), cipher.final());
  },
  timingSafeEqual: (a: unknown, b: unknown) => timingSafeEqual(bytesOf(a), bytesOf(b)),
};

const macOf = (algorithm: unknown, { algorithm: own, secret }: Key, data: unknown): Uint8Array => {
  if (nameOf(algorithm) !== 'HMAC') throw notThere(`signatures by ${nameOf(algorithm)}`);
  return createHmac(hashOf(own.hash ?? 'SHA-256'), secret)
    .update(bytesOf(data))
    .digest();
};

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

const nameOf = (algorithm: unknown): string =>
  typeof algorithm === 'object' && algorithm !== null && 'name' in algorithm
    ? String(algorithm.name)
    : String(algorithm);

function hashOf(algorithm: unknown): string {
  const name = HASHES[nameOf(algorithm).toUpperCase()];
  if (name === undefined) throw notThere(`the hash ${nameOf(algorithm)}`);
  return name;
}

function bytesOf(data: unknown): Uint8Array {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new TypeError('these are no bytes');
}

const joined = (...parts: readonly Uint8Array[]): ArrayBuffer =>
  Uint8Array.from(parts.flatMap((part) => [...part])).buffer;

const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

const notThere = (what: string): Error =>
  new Error(`the simulated platform has no ${what}: build it in test/simulation/platform/crypto.ts`);
