/** Imported by what verifies signatures: the verifier is made for workerd, whose crypto has this, and Node's module has it. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const { subtle } = crypto;
const importKey = subtle.importKey.bind(subtle);
const sign = subtle.sign.bind(subtle);
const digest = subtle.digest.bind(subtle);
/** The bytes of keys that sign with MD5, which Node's `subtle` refuses. */
const md5Keys = new WeakMap<CryptoKey, Uint8Array>();

Object.assign(subtle, {
  timingSafeEqual,
  importKey: async (...given: Parameters<typeof importKey>) => {
    const [format, bytes, algorithm, ...use] = given;
    if (Reflect.get(Object(algorithm), 'hash') !== 'MD5' || !(bytes instanceof Uint8Array))
      return importKey(...given);
    const key = await importKey(format, bytes, { name: 'HMAC', hash: 'SHA-256' }, ...use);
    md5Keys.set(key, bytes);
    return key;
  },
  sign: async (...given: Parameters<typeof sign>) => {
    const [, key, content] = given;
    const bytes = md5Keys.get(key);
    return bytes === undefined ? sign(...given) : bufferOf(createHmac('md5', bytes).update(bytesOf(content)));
  },
  digest: async (...given: Parameters<typeof digest>) =>
    given[0] === 'MD5' ? bufferOf(createHash('md5').update(bytesOf(given[1]))) : digest(...given),
});

const bytesOf = (content: Parameters<typeof sign>[2]): Uint8Array =>
  ArrayBuffer.isView(content)
    ? new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
    : new Uint8Array(content);

const bufferOf = (made: { readonly digest: () => Uint8Array }): ArrayBuffer =>
  new Uint8Array(made.digest()).buffer;
