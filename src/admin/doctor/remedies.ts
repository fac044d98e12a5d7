import type { RejectionReason } from '../../signature/basics/rejection.ts';

const SAME_SECRET =
  'Copy the signing secret from the sender again and set it (npx wrangler secret put). Behind a proxy, the source may need a `url`';
const WRONG_SHAPE =
  'Check that the source has the right provider and that the sender signs. Compare its settings with `verify`';

/** Reasons that no scheme of verification has. */
type OwnReason =
  | 'secret_missing'
  | 'unconfirmed'
  | 'pairing_busy'
  | 'pairing_closed'
  | 'pairing_conflict'
  | 'origin'
  | 'spam'
  | 'limited';

/** The fix for each reason of a rejection. */
export const REMEDIES: Readonly<Record<RejectionReason | OwnReason, string>> = {
  missing_header: WRONG_SHAPE,
  missing_field: WRONG_SHAPE,
  malformed: WRONG_SHAPE,
  unknown_key: WRONG_SHAPE,
  mismatch: SAME_SECRET,
  stale: 'Check the sender’s clock. Old requests that are sent again are refused, too',
  secret_missing: 'Set the secret that the source names: npx wrangler secret put',
  misconfigured: 'The secret cannot be decoded as the source says: set it again, or fix `verify`',
  unavailable: 'Something that verification needs could not be reached; the sender tries again',
  unconfirmed: 'Let the sender confirm the subscription again',
  pairing_conflict:
    'Set neither key. Delete the webhook at the provider, publish the source under an id that nobody can guess, and pair that one',
  origin:
    'If the page is yours, add its origin to the source’s `origins`. With and without www are two origins',
  spam: 'If it is not spam, release it: npx hookbell rejections release',
  pairing_closed: 'If you are setting this source up, open a pairing window and try again',
  pairing_busy: 'Another key is being handed over right now; the sender tries again',
  limited:
    'If these webhooks are yours, raise the `limit` of the source. Otherwise somebody is flooding its address',
};

const isKnown = (reason: string): reason is keyof typeof REMEDIES => Object.hasOwn(REMEDIES, reason);

/** The fix for a rejection; undefined: none is known. */
export const remedyFor = (reason: string): string | undefined =>
  isKnown(reason) ? REMEDIES[reason] : undefined;
