import {
  type Acceptance,
  type Receipt,
  type Refusal,
  type WebhookSize,
  storedBytes,
} from '../state/acceptance.ts';
import type { Committed } from './commit.ts';
import { isOverAddress } from './strangers.ts';
import { isKnown, type ClaimContext } from './dedupe.ts';
import type { SourceLimits } from './source-limits.ts';

/**
 * The time after which senders should try again while an outbox is full, in ms: nobody knows when it will have space.
 */
const FULL_WAIT_MS = 60_000;

/** More came at once than fits into memory; it is written within a second. */
export const BUSY: Refusal = { by: 'load', waitMs: 1_000 };

/** A duplicate is as much work as an event, but it stores nothing. */
const NOTHING: WebhookSize = { bytes: 0, messages: 0 };

/** Returns why an event is refused; null if it is accepted. To be called before any of it is written. */
export function refusalOf(
  context: ClaimContext,
  { limits, bytesLeft }: { readonly limits: SourceLimits; readonly bytesLeft: number },
  acceptance: Acceptance,
): Refusal | null {
  const { event, quota } = acceptance;
  // First: a flood from one address uses none of its source's limit.
  if (isOverAddress(context, acceptance)) return { by: 'address', waitMs: 0 };
  // A duplicate takes no space, and its sender stops once it is answered.
  if (storedBytes(acceptance) > bytesLeft && isKnown(context, event) === null)
    return { by: 'storage', waitMs: FULL_WAIT_MS };
  if (quota === undefined) return null;
  const over = limits.over(event.source, quota, context.now);
  if (over === null) return null;
  const known = isKnown(context, event);
  // The Worker repeats a call whose answer was lost: that webhook was counted already.
  if (known === 'accepted') return null;
  if (known === 'duplicate') return limits.over(event.source, { ...quota, ...NOTHING }, context.now);
  return over;
}

/** Counts an accepted webhook, without messages that other events made before. */
export function countAdmitted(
  limits: SourceLimits,
  { event, quota }: Acceptance,
  { isNew, receipt, repeats = 0 }: Committed,
  now: number,
): void {
  if (quota === undefined || (!isNew && !receipt.duplicate)) return;
  const size = isNew ? { messages: Math.max(0, quota.messages - repeats) } : NOTHING;
  limits.take(event.source, { ...quota, ...size }, now);
}

/** The receipt of an event that was refused. */
export const refusedReceipt = (event: string, refused: Refusal): Receipt => ({
  event,
  duplicate: false,
  messages: [],
  refused,
});
