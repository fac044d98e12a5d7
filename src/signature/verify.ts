import { ok } from '../lib/result.ts';
import { verifyBasic, verifyToken } from './schemes/token.ts';
import type { Attempt, VerifyContext } from './certificates/fetched.ts';
import { ecdsaAlgorithm, ed25519Algorithm, hmacAlgorithm, verifyHash } from './schemes/signed.ts';
import { verifyJwt, verifyOidc } from './schemes/jwt.ts';
import {
  bySecret,
  type Match,
  refuse,
  type SignatureRefusal,
  REFUSALS,
  type SignedRequest,
  type Checked,
} from './basics/request.ts';
import { verifyRsa } from './schemes/rsa.ts';
import { verifySigned } from './signed/verify-signed.ts';
import { needsSecret, type ProvingScheme, type VerifyScheme } from './scheme.ts';

const WITHOUT_SECRET: Match = { secret: null, once: null };

/** With any of `secrets`, in the document's order. What is missing, unreadable or not set up is a refusal. */
export async function verifySignature(
  scheme: VerifyScheme,
  secrets: readonly string[],
  request: SignedRequest,
  context: VerifyContext,
): Promise<Checked<Match>> {
  if (scheme.scheme === 'none') return ok(WITHOUT_SECRET);
  const attempt = { ...context, secrets, request };
  if (scheme.scheme === 'oidc') {
    const verified = await verifyOidc(scheme, attempt);
    return verified.ok ? ok(WITHOUT_SECRET) : verified;
  }
  if (needsSecret(scheme) && secrets.length === 0) return refuse('misconfigured', 'no secret is set');
  const empty = secrets.indexOf('');
  if (empty >= 0) return refuse('misconfigured', `secret ${empty + 1} of ${secrets.length} is empty`);
  return scheme.scheme === 'any'
    ? verifyAny(scheme.of, async (one) => matchSecret(one, attempt))
    : matchSecret(scheme, attempt);
}

async function matchSecret(scheme: ProvingScheme, attempt: Attempt): Promise<Checked<Match>> {
  switch (scheme.scheme) {
    case 'hmac':
      return verifySigned(scheme, hmacAlgorithm(scheme), attempt);
    case 'hash':
      return verifyHash(scheme, attempt);
    case 'ed25519':
      return verifySigned(scheme, ed25519Algorithm(scheme), attempt);
    case 'ecdsa':
      return verifySigned(scheme, ecdsaAlgorithm(scheme), attempt);
    case 'rsa':
      return verifyRsa(scheme, attempt);
    case 'jwt':
      return verifyJwt(scheme, attempt);
    case 'basic':
      return shown(await verifyBasic(attempt));
    case 'token':
      return shown(await verifyToken(scheme, attempt));
  }
}

/** A sender that shows the secret itself may send any body. */
const shown = (index: Checked<number>): Checked<Match> => (index.ok ? ok(bySecret(index.value)) : index);

/** If none accepts it, the refusal is that of the scheme which came furthest: the sender uses that one. */
export async function verifyAny(
  schemes: readonly ProvingScheme[],
  verify: (scheme: ProvingScheme) => Promise<Checked<Match>>,
): Promise<Checked<Match>> {
  let furthest: SignatureRefusal = { code: 'misconfigured', detail: 'there is no scheme' };
  let progress = -1;
  for (const [index, scheme] of schemes.entries()) {
    const verified = await verify(scheme);
    if (verified.ok) return verified;
    const reached = REFUSALS.indexOf(verified.error.code);
    if (reached <= progress) continue;
    const { code, detail } = verified.error;
    progress = reached;
    furthest = { code, detail: `${scheme.scheme} (number ${index + 1}): ${detail}` };
  }
  const names = schemes.map(({ scheme }) => scheme).join(', ');
  return refuse(
    furthest.code,
    `none of the schemes ${names} accepted it; the closest was ${furthest.detail}`,
  );
}
