import * as z from 'zod/mini';
import type { Result } from '../../lib/result.ts';
import { oneOf, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import { derToRaw } from '../basics/der-signature.ts';
import type { Match } from '../basics/match.ts';
import { importPublicKey } from '../basics/public-key.ts';
import type { SignatureRefusal } from '../basics/refusal.ts';
import type { SignedRequest } from '../basics/request.ts';
import { MAX_PUBLIC_KEY_SIGNATURES, publicKeyAlgorithm } from '../signed/public-key.ts';
import { readKeys } from '../signed/secret-key.ts';
import { ofLength, type SignatureForm } from '../signed/signature-list.ts';
import { conflicts } from '../signed/signed-conflicts.ts';
import { signedShape } from '../signed/signed-options.ts';
import { verifySigned } from '../signed/verify-signed.ts';

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
