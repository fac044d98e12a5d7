import type { Result } from '../lib/result.ts';
import type { Match } from './basics/match.ts';
import { refuse, type SignatureRefusal, type RefusalReason } from './basics/refusal.ts';
import type { ProvingScheme } from './scheme.ts';

/**
 * In order of progress, from the first step at which a request can fail to the last. A scheme that is not set up comes
 * first.
 */
const PROGRESS: readonly RefusalReason[] = [
  'misconfigured',
  'missing_header',
  'missing_field',
  'malformed',
  'unknown_key',
  'stale',
  'mismatch',
  'unavailable',
];

/**
 * Returns the secret that the first scheme accepts. If none does, returns the refusal of the scheme that came furthest:
 * it is the one that the sender uses.
 */
export async function verifyAny(
  schemes: readonly ProvingScheme[],
  verify: (scheme: ProvingScheme) => Promise<Result<Match, SignatureRefusal>>,
): Promise<Result<Match, SignatureRefusal>> {
  let furthest: SignatureRefusal = { reason: 'misconfigured', detail: 'there is no scheme' };
  let progress = -1;
  for (const [index, scheme] of schemes.entries()) {
    const verified = await verify(scheme);
    if (verified.ok) return verified;
    const reached = PROGRESS.indexOf(verified.error.reason);
    if (reached <= progress) continue;
    progress = reached;
    furthest = {
      ...verified.error,
      detail: `${scheme.scheme} (number ${index + 1}): ${verified.error.detail}`,
    };
  }
  const names = schemes.map(({ scheme }) => scheme).join(', ');
  return refuse(
    furthest.reason,
    `none of the schemes ${names} accepted it; the closest was ${furthest.detail}`,
  );
}
