import * as z from 'zod/mini';
import type { Result } from '../../lib/result.ts';
import { oneOf, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import type { Match } from '../basics/match.ts';
import { importPublicKey } from '../basics/public-key.ts';
import type { SignatureRefusal, SignedRequest } from '../basics/request.ts';
import { MAX_PUBLIC_KEY_SIGNATURES, publicKeyAlgorithm, verifySigned } from '../signed/verify-signed.ts';
import { readKeys } from '../signed/secret-key.ts';
import { ofLength, type SignatureForm } from '../signed/signature-list.ts';
import { conflicts, signedShape } from '../signed/signed-options.ts';

/** `verify: { scheme: ecdsa, … }`: P-256 with SHA-256; the "secret" is the public key (PEM, also without its first and last line, or JWK). */
export const ecdsaSchema = strictDocument({
  scheme: z.literal('ecdsa'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'base64'),
  /** The encoding of the signature's two numbers: ASN.1 DER, or 64 bytes one after the other. */
  signature_format: z._default(oneOf(['der', 'raw']), 'der'),
  ...signedShape,
}).check(withoutConflicts(conflicts));

type EcdsaScheme = z.output<typeof ecdsaSchema>;

/** Two numbers of the size of the curve's order. */
const RAW_BYTES = 64;

/** Returns the index of the public key that one of the request's signatures matches. `now` is in milliseconds. */
export async function verifyEcdsa(
  scheme: EcdsaScheme,
  secrets: readonly string[],
  request: SignedRequest,
  now: number,
): Promise<Result<Match, SignatureRefusal>> {
  const ecdsa = publicKeyAlgorithm(FORMS[scheme.signature_format], async (keys) =>
    readKeys(keys, undefined, async (text) => importPublicKey(text, 'ES256')),
  );
  return verifySigned(scheme, ecdsa, secrets, request, now);
}

const FORMS: Readonly<Record<EcdsaScheme['signature_format'], SignatureForm>> = {
  raw: ofLength(RAW_BYTES, MAX_PUBLIC_KEY_SIGNATURES),
  der: { description: 'in ASN.1 DER', max: MAX_PUBLIC_KEY_SIGNATURES, read: derToRaw },
};

/** The number of bytes of a number below the order of P-256. */
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

/** Returns a number without its leading zero, and its end. */
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
