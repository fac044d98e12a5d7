import type { Acceptance, Receipt, Refusal } from '../state/acceptance.ts';
import type { Committed } from './commit.ts';
import { isKnown, type ClaimContext } from './dedupe.ts';
import type { SourceLimits } from './source-limits.ts';

/** Until a full outbox has space again, in ms: nobody knows how long its owner takes. */
const FULL_WAIT_MS = 60_000;

/** A row, its index and its message's own words, beside the payload: about so many bytes. */
const ROW_BYTES = 1_024;

/** About how many bytes an event and its messages take on disk. */
export const storedBytes = ({ event, messages }: Acceptance): number =>
  event.payload.length + event.headers.length + ROW_BYTES * (1 + messages.length);

/** About how many bytes it takes in memory: two for each of a text's units. */
export const heldBytes = ({ event, messages }: Acceptance): number =>
  2 * (event.payload.length + event.headers.length + event.query.length) +
  messages.reduce(
    (sum, { params }) =>
      Object.values(params).reduce((bytes, text) => bytes + 2 * text.length, sum + ROW_BYTES),
    ROW_BYTES,
  );

/** More has come at once than there is memory for; a second later it is written. */
export const BUSY: Refusal = { by: 'load', waitMs: 1_000 };

/** Why an event is not to be taken over; null: it is. To be asked before anything of it is written. */
export function refusalOf(
  context: ClaimContext,
  { limits, bytesLeft }: { readonly limits: SourceLimits; readonly bytesLeft: number },
  acceptance: Acceptance,
): Refusal | null {
  const { event, quota } = acceptance;
  // What is there already takes no space: its sender is answered, and comes no more.
  if (storedBytes(acceptance) > bytesLeft && isKnown(context, event) === null)
    return { by: 'storage', waitMs: FULL_WAIT_MS };
  if (quota === undefined) return null;
  const over = limits.over(event.source, quota, context.now);
  if (over === null) return null;
  const known = isKnown(context, event);
  // The Worker repeats a call whose answer was lost: that webhook was counted.
  if (known === 'taken') return null;
  if (known === 'duplicate') return limits.over(event.source, { ...quota, bytes: 0 }, context.now);
  return over;
}

/** Counts what was taken over. A duplicate is as much work as an event, but it stores nothing. */
export function countAdmitted(
  limits: SourceLimits,
  { event, quota }: Acceptance,
  { isNew, receipt }: Committed,
  now: number,
): void {
  if (quota === undefined || (!isNew && !receipt.duplicate)) return;
  limits.take(event.source, { ...quota, bytes: isNew ? quota.bytes : 0 }, now);
}

/** What the Worker is told of an event that was not taken over. */
export const refusedReceipt = (event: string, refused: Refusal): Receipt => ({
  event,
  duplicate: false,
  messages: [],
  refused,
});
