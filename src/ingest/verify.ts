import { secret, type Env } from '../env.ts';
import type { Problem } from '../lib/problem.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { verifySignature } from '../signature/verify.ts';
import { needsSecret } from '../signature/scheme.ts';
import type { RawRequest, VerifiedRequest } from './event.ts';

/** Why a request was turned away. The caller sees the problem, which says nothing; the admin sees reason and detail. */
export interface Rejected {
  readonly problem: Problem;
  readonly reason: string;
  readonly detail: string;
}

/** Checks the sender's signature, token or password over the raw bytes. Fails closed. */
export async function verify(
  raw: RawRequest,
  env: Env,
  now: number,
): Promise<Result<VerifiedRequest, Rejected>> {
  const { verify: scheme, secrets: names } = raw.source;
  const secrets = names.map((name) => secret(env, name));
  const missing = names.filter((_, index) => secrets[index] === undefined);
  // While a rotation is half done one secret may be absent; with none left there is nothing to check against.
  const present = secrets.filter((value) => value !== undefined);
  const notSet = missing.length === 0 ? '' : `not set: ${missing.join(', ')}`;
  if (needsSecret(scheme) && present.length === 0) {
    return err({ problem: UNCONFIGURED, reason: 'secret_missing', detail: notSet });
  }
  const checked = await verifySignature(scheme, present, raw, now);
  if (checked.ok) return ok(asVerified(raw));
  const { reason, detail } = checked.error;
  return err({
    // A secret that cannot be used is no fault of the sender, who might switch the webhook off at a 401.
    problem: reason === 'misconfigured' ? UNCONFIGURED : UNAUTHORIZED,
    reason,
    detail: notSet === '' ? detail : `${detail}; ${notSet}`,
  });
}

/** The mark that the later steps ask for. A preview sets it too: it has no sender to verify. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only place where the mark is made
export const asVerified = (raw: RawRequest): VerifiedRequest => raw as VerifiedRequest;

/** One and the same for every failure: a guesser must not learn which part was wrong. */
const UNAUTHORIZED: Problem = {
  status: 401,
  type: 'verification-failed',
  title: 'Verification failed',
  detail:
    'This request could not be verified. The admin API lists the reason under /admin/api/v1/rejections.',
};

const UNCONFIGURED: Problem = {
  status: 503,
  type: 'source-not-configured',
  title: 'Source not configured',
  detail: 'This source cannot verify webhooks at the moment, so it accepts none. Send it again later.',
  headers: { 'retry-after': '60' },
};
