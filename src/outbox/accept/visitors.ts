import { DAY } from '../../lib/time.ts';
import type { AcceptedEvent, DraftMessage } from '../state/acceptance.ts';
import { itemClaimKey } from '../state/event.ts';
import { claimedBy, insertClaim, type ClaimContext } from './dedupe.ts';

/** The maximum number of messages from one form to a number in any 24 hours: anybody can enter anybody's number. */
export const VISITOR_MESSAGES_PER_DAY = 3;

interface OfToday {
  readonly kept: readonly DraftMessage[];
  /** A claim for each message to a visitor's number, valid for a day. */
  readonly keys: readonly string[];
  /** Says what was left out, for a person; null if nothing was. */
  readonly reason: string | null;
}

/** Leaves out messages over the limit of their number. A number has as many claims as it may get messages. */
export function ofToday(
  context: ClaimContext,
  { source }: AcceptedEvent,
  messages: readonly DraftMessage[],
): OfToday {
  const keys: string[] = [];
  const kept = messages.filter(({ toVisitor = false, phone }) => {
    if (!toVisitor) return true;
    const free = claimsOf(phone).find(
      (key) => !keys.includes(key) && claimedBy(context, itemClaimKey(source, key)) === null,
    );
    if (free !== undefined) keys.push(free);
    return free !== undefined;
  });
  const leftOut = messages.length - kept.length;
  const reason =
    leftOut === 0
      ? null
      : `${leftOut} of its messages ${leftOut === 1 ? 'was' : 'were'} left out: a visitor’s number gets at most ${VISITOR_MESSAGES_PER_DAY} a day`;
  return { kept, keys, reason };
}

export function claimToday(context: ClaimContext, event: AcceptedEvent, keys: readonly string[]): void {
  for (const key of keys) insertClaim(context, event, itemClaimKey(event.source, key), DAY);
}

const claimsOf = (phone: string | null): readonly string[] =>
  Array.from({ length: VISITOR_MESSAGES_PER_DAY }, (_, at) => `visitor:${phone}:${at}`);
