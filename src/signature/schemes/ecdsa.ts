import * as z from 'zod/mini';
import { err, type Result } from '../../lib/result.ts';
import { oneOf, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import { derToRaw } from '../basics/der-signature.ts';
import { decodeText } from '../basics/encoding.ts';
import type { Match } from '../basics/match.ts';
import type { SignatureRefusal } from '../basics/refusal.ts';
import type { SignedRequest } from '../basics/request.ts';
import { importPublicKey, MAX_PUBLIC_KEY_SIGNATURES, publicKeyAlgorithm } from '../signed/public-key.ts';
import { ofLength, type SignatureForm } from '../signed/signature-list.ts';
import { conflicts } from '../signed/signed-conflicts.ts';
import { signedShape } from '../signed/signed-options.ts';
import { verifySigned } from '../signed/verify-signed.ts';

/** `verify: { scheme: ecdsa, … }`: P-256 with SHA-256; the "secret" is the public key (SPKI in base64, PEM or not). */
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
  const ecdsa = publicKeyAlgorithm({
    form: FORMS[scheme.signature_format],
    readKey,
    parameters: { name: 'ECDSA', hash: 'SHA-256' },
  });
  return verifySigned(scheme, ecdsa, secrets, request, now);
}

const FORMS: Readonly<Record<EcdsaScheme['signature_format'], SignatureForm>> = {
  raw: ofLength(RAW_BYTES, MAX_PUBLIC_KEY_SIGNATURES),
  der: { description: 'in ASN.1 DER', max: MAX_PUBLIC_KEY_SIGNATURES, read: derToRaw },
};

const ARMOUR = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]*)-----END PUBLIC KEY-----\s*$/;

/** Reads SPKI in base64, as a PEM file or only its lines. */
async function readKey(text: string): Promise<Result<CryptoKey, string>> {
  const [, body = text] = ARMOUR.exec(text) ?? [];
  const bytes = decodeText(body.replaceAll(/\s/g, ''), 'base64');
  if (bytes === null || bytes.byteLength === 0) return err('is not a public key in base64 or PEM');
  return importPublicKey('spki', bytes, { name: 'ECDSA', namedCurve: 'P-256' });
}
