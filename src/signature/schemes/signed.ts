import * as z from 'zod/mini';
import { oneOf, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import { type Match, refuse, type Checked } from '../basics/request.ts';
import {
  digestAlgorithm,
  HASHES,
  verifySigned,
  type Algorithm,
  type SignedAttempt,
  MAX_PUBLIC_KEY_SIGNATURES,
  publicKeyAlgorithm,
  ofLength,
  type SignatureForm,
} from '../signed/verify-signed.ts';
import { conflicts, secretShape, signedShape } from '../signed/signed-options.ts';
import { cachedKey, importPublicKey } from '../basics/public-key.ts';
import { decodeUtf8 } from '../../lib/encoding.ts';
import { type Result, err } from '../../lib/result.ts';
import { readKeys, decodeSecret } from '../signed/secret-key.ts';

/** `verify: { scheme: hmac, … }`: the options, checked to fit together. */
export const hmacSchema = strictDocument({
  scheme: z.literal('hmac'),
  /** `md5` (in workerd's WebCrypto) is for old senders: its collisions are easy, but not those of its HMAC. */
  algorithm: z._default(oneOf(['md5', 'sha1', 'sha256', 'sha512']), 'sha256'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
}).check(withoutConflicts(conflicts));

type HmacScheme = z.output<typeof hmacSchema>;

export const hmacAlgorithm = (scheme: HmacScheme): Algorithm<Uint8Array> =>
  digestAlgorithm(scheme, async (content, secret) =>
    crypto.subtle.sign('HMAC', await hmacKey(secret, HASHES[scheme.algorithm]), content),
  );

type Hash = (typeof HASHES)[keyof typeof HASHES];

export const hmacKey = async (bytes: Uint8Array, hash: Hash): Promise<CryptoKey> =>
  cachedKey(hash, bytes, async () =>
    crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign']),
  );

/** A plain digest of a text that contains the secret (`{secret}` in `signed`), as in HubSpot v1. */
export const hashSchema = strictDocument({
  scheme: z.literal('hash'),
  algorithm: z._default(oneOf(['sha256', 'sha512']), 'sha256'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
}).check(withoutConflicts(conflicts));

type HashScheme = z.output<typeof hashSchema>;

/** Returns the secret that was part of the text whose digest the request carries. */
export async function verifyHash(scheme: HashScheme, attempt: SignedAttempt): Promise<Checked<Match>> {
  // Length extension: the digest of a text gives that of a longer text without the secret. The padding between the two
  // begins with the byte 0x80, which cannot follow text in UTF-8.
  if (decodeUtf8(attempt.request.body) === null) return refuse('malformed', 'the body is not UTF-8');
  const hash = digestAlgorithm(scheme, async (content) =>
    crypto.subtle.digest(HASHES[scheme.algorithm], content),
  );
  return verifySigned(scheme, hash, attempt);
}

/** `verify: { scheme: ecdsa, … }`: P-256 with SHA-256; the "secret" is the public key (PEM, also without its first and last line, or JWK). */
export const ecdsaSchema = strictDocument({
  scheme: z.literal('ecdsa'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'base64'),
  /** The encoding of the signature's two numbers: ASN.1 DER, or 64 bytes one after the other. */
  signature_format: z._default(oneOf(['der', 'raw']), 'der'),
  ...signedShape,
}).check(withoutConflicts(conflicts));

type EcdsaScheme = z.output<typeof ecdsaSchema>;

const RAW_BYTES = 64;

export const ecdsaAlgorithm = ({ signature_format: format }: EcdsaScheme): Algorithm<CryptoKey> =>
  publicKeyAlgorithm(FORMS[format], async (keys) =>
    readKeys(keys, undefined, async (text) => importPublicKey(text, 'ES256')),
  );

const FORMS: Readonly<Record<EcdsaScheme['signature_format'], SignatureForm>> = {
  raw: ofLength(RAW_BYTES, MAX_PUBLIC_KEY_SIGNATURES),
  der: { description: 'in ASN.1 DER', max: MAX_PUBLIC_KEY_SIGNATURES, read: derToRaw },
};

const NUMBER_BYTES = 32;
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/**
 * Converts an ECDSA signature of P-256 from ASN.1 DER (RFC 3279 §2.2.3) to the 64 bytes that WebCrypto needs. Null
 * unless it is encoded exactly as DER requires: no second text may count as the same signature.
 */
export function derToRaw(der: Uint8Array): Uint8Array | null {
  // The length is one byte: two numbers with their headers have 70 bytes at most.
  if (der[0] !== SEQUENCE || der[1] !== der.byteLength - 2) return null;
  const r = readInteger(der, 2);
  const s = r === null ? null : readInteger(der, r.end);
  if (r === null || s === null || s.end !== der.byteLength) return null;
  const raw = new Uint8Array(2 * NUMBER_BYTES);
  raw.set(r.digits, NUMBER_BYTES - r.digits.byteLength);
  raw.set(s.digits, 2 * NUMBER_BYTES - s.digits.byteLength);
  return raw;
}

function readInteger(der: Uint8Array, at: number): { digits: Uint8Array; end: number } | null {
  const [tag, length = 0, first = 0, second = 0] = der.subarray(at, at + 4);
  const end = at + 2 + length;
  if (tag !== INTEGER || length === 0 || end > der.byteLength) return null;
  const isNegative = first >= 0x80;
  // A leading zero is valid only if it keeps a number positive.
  const isPadded = first === 0 && length > 1;
  if (isNegative || (isPadded && second < 0x80)) return null;
  const digits = der.subarray(isPadded ? at + 3 : at + 2, end);
  return digits.byteLength <= NUMBER_BYTES ? { digits, end } : null;
}

/** `verify: { scheme: ed25519, … }`; the "secret" is the sender's public key, 32 bytes. */
export const ed25519Schema = strictDocument({
  scheme: z.literal('ed25519'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
  secret_encoding: z._default(oneOf(['hex', 'base64']), 'hex'),
}).check(withoutConflicts(conflicts));

type Ed25519Scheme = z.output<typeof ed25519Schema>;

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

export const ed25519Algorithm = (scheme: Ed25519Scheme): Algorithm<CryptoKey> =>
  publicKeyAlgorithm(ofLength(SIGNATURE_BYTES, MAX_PUBLIC_KEY_SIGNATURES), async (keys) =>
    readKeys(keys, scheme.secret_separator, async (text) => readKey(text, scheme)),
  );

async function readKey(text: string, scheme: Ed25519Scheme): Promise<Result<CryptoKey, string>> {
  const bytes = decodeSecret(text, scheme);
  if (!bytes.ok) return bytes;
  if (bytes.value.byteLength !== KEY_BYTES) return err(`is not a public key of ${KEY_BYTES} bytes`);
  return importPublicKey(`${SPKI_OF_ED25519}${btoa(String.fromCharCode(...bytes.value))}`, 'EdDSA');
}

/** The beginning of each such key in its binary form (RFC 8410 §4), in base64; the 32 bytes follow. */
const SPKI_OF_ED25519 = 'MCowBQYDK2VwAyEA';
