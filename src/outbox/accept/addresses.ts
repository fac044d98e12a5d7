import { HOUR } from '../../lib/time.ts';
import type { Acceptance, AddressLimit } from '../state/acceptance.ts';
import { itemClaimKey } from '../state/event.ts';
import { claimedBy, firstOf, insertClaim, isStored, type ClaimContext } from './dedupe.ts';

/** True if this is a new form, and its address has used up its forms of the last hour. */
export function isOverAddress(context: ClaimContext, { event, address }: Acceptance): boolean {
  if (address === undefined || firstOf(context, event) !== null || isStored(context, event.id)) return false;
  return freeKey(context, event.source, address) === null;
}

/** Returns the claim of one more form from its address; null if the address is not limited. */
export const addressKey = (context: ClaimContext, { event, address }: Acceptance): string | null =>
  address === undefined ? null : freeKey(context, event.source, address);

export function claimAddress(context: ClaimContext, { event }: Acceptance, key: string | null): void {
  if (key !== null) insertClaim(context, event, itemClaimKey(event.source, key), HOUR);
}

/** An address has as many claims as it may send forms. */
function freeKey(context: ClaimContext, source: string, { code, perHour }: AddressLimit): string | null {
  for (let at = 0; at < perHour; at += 1) {
    const key = `address:${code}:${at}`;
    if (claimedBy(context, itemClaimKey(source, key)) === null) return key;
  }
  return null;
}
