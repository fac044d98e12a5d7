import type { RejectionEntry } from '../../registry/rejections.ts';
import { span, type Check } from './check.ts';

/** Older refusals are history. */
const RECENT_MS = 24 * 3_600_000;

const SAME_SECRET =
  'Copy the signing secret from the sender again, and set it (npx wrangler secret put). Behind a proxy, the source may need its own `url`';
const WRONG_SHAPE =
  'Is the source’s provider the right one, and does the sender sign? Compare its settings with `verify`';

/** What to do about each reason of `GET /rejections`. */
export const REMEDIES: Readonly<Record<string, string>> = {
  missing_header: WRONG_SHAPE,
  missing_field: WRONG_SHAPE,
  malformed: WRONG_SHAPE,
  unknown_key: WRONG_SHAPE,
  mismatch: SAME_SECRET,
  stale: 'Is the sender’s clock right? Replayed old requests are refused, too, and should be',
  secret_missing: 'Set the secret that the source names: npx wrangler secret put',
  misconfigured: 'The secret cannot be decoded as the source says: set it again, or fix `verify`',
  unavailable: 'Something that verification needs could not be reached; the sender tries again',
  unconfirmed: 'Have the sender confirm the subscription again',
  pairing_conflict:
    'Set neither key. Delete the webhook at the provider; publish the source under an id that nobody guesses, and pair that',
  pairing_closed: 'If you are setting this source up, open a pairing window and try again',
};

/** Reasons that the deployment's owner has to fix; no stranger can cause them. */
const OURS = new Set(['secret_missing', 'misconfigured']);

/**
 * Recently rejected requests: a check for each source and reason, the most frequent first. `rejections`: newest first.
 */
export function rejectionChecks(entries: readonly RejectionEntry[], now: number): readonly Check[] {
  const recent = entries.filter(({ at }) => now - Date.parse(at) < RECENT_MS);
  if (recent.length === 0)
    return [
      { id: 'rejections', status: 'ok', title: 'Refused requests', detail: 'none in the last 24 hours' },
    ];
  const groups = Map.groupBy(recent, ({ source, reason }) => `${source}:${reason}`);
  return [...groups]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([key, group]) => groupCheck(key, group, now));
}

function groupCheck(key: string, group: readonly RejectionEntry[], now: number): Check {
  const [newest] = group;
  const { source = '', reason = '', at = '', detail = '' } = newest ?? {};
  const remedy = REMEDIES[reason];
  return {
    id: `rejections:${key}`,
    status: OURS.has(reason) ? 'fail' : 'warn',
    title: 'Refused requests',
    detail: `source ${source}: ${group.length} (${reason}), the last ${span(now - Date.parse(at))} ago: ${detail}`,
    ...(remedy !== undefined && { remedy }),
  };
}
