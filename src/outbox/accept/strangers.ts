import { DAY, HOUR } from '../../lib/time.ts';
import type { Acceptance, AcceptedEvent, DraftMessage, EventReason } from '../state/acceptance.ts';
import { itemClaimKey } from '../state/event.ts';
import { claimedBy, firstOf, isStored, type Claim, type ClaimContext } from './dedupe.ts';

/** The maximum number of messages from one form to a number in any 24 hours: anybody can enter anybody's number. */
const VISITOR_MESSAGES_PER_DAY = 3;

/** Returns a claim on one of `count` places that nobody has; null if all are taken. */
function freePlace(
  context: ClaimContext,
  source: string,
  { of, count, windowMs }: { readonly of: string; readonly count: number; readonly windowMs: number },
  taken: readonly Claim[] = [],
): Claim | null {
  for (let at = 0; at < count; at += 1) {
    const key = `${of}:${at}`;
    if (!taken.some((one) => one.key === key) && claimedBy(context, itemClaimKey(source, key)) === null)
      return { key, windowMs };
  }
  return null;
}

/** Returns the claim of one more form from its address; null if the address is not limited, or over its limit. */
export const addressClaim = (context: ClaimContext, { event, address }: Acceptance): Claim | null =>
  address === undefined
    ? null
    : freePlace(context, event.source, {
        of: `address:${address.code}`,
        count: address.perHour,
        windowMs: HOUR,
      });

/** True if this is a new form, and its address has used up its forms of the last hour. */
export const isOverAddress = (context: ClaimContext, acceptance: Acceptance): boolean =>
  acceptance.address !== undefined &&
  firstOf(context, acceptance.event) === null &&
  !isStored(context, acceptance.event.id) &&
  addressClaim(context, acceptance) === null;

/** Leaves out messages over the limit of their number. `claims`: one for each message to a visitor's number. */
export function ofToday(context: ClaimContext, { source }: AcceptedEvent, messages: readonly DraftMessage[]) {
  const claims: Claim[] = [];
  const kept = messages.filter(({ toVisitor = false, phone }) => {
    if (!toVisitor) return true;
    const places = { of: `visitor:${phone}`, count: VISITOR_MESSAGES_PER_DAY, windowMs: DAY };
    const free = freePlace(context, source, places, claims);
    if (free !== null) claims.push(free);
    return free !== null;
  });
  const leftOut = messages.length - kept.length;
  const reasons: EventReason[] = [];
  if (leftOut === 0) return { kept, claims, reasons };
  const message = `${leftOut} of its messages ${leftOut === 1 ? 'was' : 'were'} left out: a visitor’s number gets at most ${VISITOR_MESSAGES_PER_DAY} a day`;
  const params = { left: String(leftOut), max: String(VISITOR_MESSAGES_PER_DAY) };
  reasons.push({ code: 'left-out', message, params });
  return { kept, claims, reasons };
}
