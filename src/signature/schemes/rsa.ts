import * as z from 'zod/mini';
import { ok, type Result } from '../../lib/result.ts';
import { oneOf, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import type { Match } from '../basics/match.ts';
import { importPublicKey } from '../basics/public-key.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';
import type { SignedRequest } from '../basics/request.ts';
import type { VerifyContext } from '../certificates/fetched.ts';
import { noKeys, withKeys } from '../certificates/jwks.ts';
import { keyConflicts, keyShape, readKeys } from '../signed/secret-key.ts';
import { MAX_PUBLIC_KEY_SIGNATURES, publicKeyAlgorithm, verifySigned } from '../signed/verify-signed.ts';
import type { SignatureForm } from '../signed/signature-list.ts';
import { conflicts, signedShape, tolerance } from '../signed/signed-options.ts';
import { verifyPaypal } from './rsa-paypal.ts';
import { verifySns } from './rsa-sns.ts';

const scheme = z.literal('rsa');

/** RSASSA-PKCS1-v1_5 with SHA-256; the "secret" is the public key, if it is not in the document or at an address. */
const ownSchema = strictDocument({
  scheme,
  format: z.optional(z.literal('signed')),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'base64'),
  ...signedShape,
  ...keyShape,
}).check(withoutConflicts((own) => [...conflicts(own), ...keyConflicts(own, 'RS256')]));

/**
 * `verify: { scheme: rsa, … }`. With a `format`, signatures are made with a certificate that the sender names; it is
 * fetched only from the format's own hosts. The "secret" ties a request to this source. `sns`: the topic's ARN;
 * `paypal`: the webhook's id.
 */
export const rsaSchema = z.discriminatedUnion(
  'format',
  [ownSchema, strictDocument({ scheme, format: oneOf(['sns', 'paypal']), tolerance })],
  { error: 'must be `sns`, `paypal`, or left out for a signature over a `signed` text' },
);

type RsaScheme = z.output<typeof rsaSchema>;

const FORMATS = { sns: verifySns, paypal: verifyPaypal } as const;

/** Returns the secret (a public key, a topic's ARN, a webhook's id) that the request was signed with or for. */
export async function verifyRsa(
  rsa: RsaScheme,
  secrets: readonly string[],
  request: SignedRequest,
  context: VerifyContext,
): Promise<Result<Match, SignatureRefusal>> {
  if ('tolerance' in rsa) return FORMATS[rsa.format](rsa, secrets, request, context);
  const { key, jwks: url } = rsa;
  if (url !== undefined) return verifyByIssuer(rsa, url, request, context);
  const algorithm = publicKeyAlgorithm(FORM, async (given) =>
    readKeys(given, undefined, async (text) => importPublicKey(text, 'RS256')),
  );
  const verified = await verifySigned(
    rsa,
    algorithm,
    key === undefined ? secrets : [key],
    request,
    context.now,
  );
  return verified.ok && key !== undefined ? ok({ ...verified.value, secret: null }) : verified;
}

/** The number of bytes is that of the key, so a signature of another size is not one of it. */
const FORM: SignatureForm = {
  description: 'of at least 256 bytes',
  max: MAX_PUBLIC_KEY_SIGNATURES,
  read: (bytes) => (bytes.byteLength >= 256 ? bytes : null),
};

/** A signature names no key, so each of the issuer's is tried. */
async function verifyByIssuer(
  rsa: Extract<RsaScheme, { encoding: string }>,
  url: string,
  request: SignedRequest,
  context: VerifyContext,
): Promise<Result<Match, SignatureRefusal>> {
  let refused: Result<Match, SignatureRefusal> = refuse('mismatch', 'the issuer has no key for RS256');
  const found = await withKeys({ url, algorithm: 'RS256' }, context, async (keys) => {
    const algorithm = publicKeyAlgorithm(FORM, async () =>
      ok(keys.map((one) => ({ secret: null, key: one }))),
    );
    const verified = await verifySigned(rsa, algorithm, [], request, context.now);
    if (verified.ok || verified.error.code !== 'mismatch') return verified;
    refused = verified;
    return null;
  });
  return found.ok ? (found.value ?? refused) : noKeys(found.error);
}
