import * as z from 'zod/mini';
import { err, type Result } from '../../lib/result.ts';
import { oneOf, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import type { Match } from '../basics/match.ts';
import { importPublicKey } from '../basics/public-key.ts';
import type { SignatureRefusal, SignedRequest } from '../basics/request.ts';
import { MAX_PUBLIC_KEY_SIGNATURES, publicKeyAlgorithm, verifySigned } from '../signed/verify-signed.ts';
import { decodeSecret, readKeys } from '../signed/secret-key.ts';
import { ofLength } from '../signed/signature-list.ts';
import { conflicts, secretShape, signedShape } from '../signed/signed-options.ts';

/** `verify: { scheme: ed25519, … }`; the "secret" is the sender's public key, 32 bytes. */
export const ed25519Schema = strictDocument({
  scheme: z.literal('ed25519'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
  /** The encoding of the public key. */
  secret_encoding: z._default(oneOf(['hex', 'base64']), 'hex'),
}).check(withoutConflicts(conflicts));

type Ed25519Scheme = z.output<typeof ed25519Schema>;

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Returns the index of the public key that one of the request's signatures matches. `now` is in milliseconds. */
export async function verifyEd25519(
  scheme: Ed25519Scheme,
  secrets: readonly string[],
  request: SignedRequest,
  now: number,
): Promise<Result<Match, SignatureRefusal>> {
  const form = ofLength(SIGNATURE_BYTES, MAX_PUBLIC_KEY_SIGNATURES);
  const ed25519 = publicKeyAlgorithm(form, async (keys) =>
    readKeys(keys, scheme.secret_separator, async (text) => readKey(text, scheme)),
  );
  return verifySigned(scheme, ed25519, secrets, request, now);
}

async function readKey(text: string, scheme: Ed25519Scheme): Promise<Result<CryptoKey, string>> {
  const bytes = decodeSecret(text, scheme);
  if (!bytes.ok) return bytes;
  if (bytes.value.byteLength !== KEY_BYTES) return err(`is not a public key of ${KEY_BYTES} bytes`);
  return importPublicKey(`${SPKI_OF_ED25519}${btoa(String.fromCharCode(...bytes.value))}`, 'EdDSA');
}

/** The beginning of each such key in its binary form (RFC 8410 §4), in base64; the 32 bytes follow. */
const SPKI_OF_ED25519 = 'MCowBQYDK2VwAyEA';
