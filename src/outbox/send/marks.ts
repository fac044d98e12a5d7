import type { AccountPolicy } from '../../config/config.ts';
import { callsOf, MAX_CALLS_OF_ONE, type Calls } from '../state/calls.ts';
import type { MessageRow } from '../state/message.ts';
import type { Claims } from './claims.ts';
import { tokensAfter } from './pace.ts';
import type { Timing } from './timing.ts';

/**
 * Whether the commit that accepts a message will also claim it: the tokens that are left then, for its row;
 * null: it will not. To be asked once for each message, in the order of their numbers.
 */
export type Mark = (row: MessageRow) => number | null;

export const NO_MARK: Mark = () => null;

interface MarkDeps {
  readonly claims: Pick<Claims, 'pace' | 'queue'>;
  readonly timing: Pick<Timing, 'capacity'>;
  readonly calls: Pick<Calls, 'forMessages'>;
  readonly random: () => number;
}

/**
 * Foretells a claim without making it, for a commit that may fail. Only while nothing else could be claimed, so that it is
 * nearly always right. Where it is wrong, the claim costs a row more: see {@link Claims.settleMarks}.
 */
export function marksFor(
  policy: AccountPolicy,
  { claims, timing, calls, random }: MarkDeps,
  now: number,
): Mark {
  const { pace, queue } = claims;
  if ((queue.nextAt(now) ?? Infinity) <= now) return NO_MARK;
  let capacity = timing.capacity(policy, now);
  let callsLeft = calls.forMessages;
  let { tokens } = pace;
  const receivers = new Set<string>();
  const isFree = (phone: string | null): boolean =>
    phone === null ||
    (!receivers.has(phone) &&
      !queue.turns.isKnown(phone) &&
      pace.nextSendToAt(policy.perRecipient, phone, now) <= now);
  return (row) => {
    if (capacity <= 0 || callsLeft < MAX_CALLS_OF_ONE) return null;
    const { next_at: nextAt, expires_at: expiresAt, phone } = row;
    if ((nextAt ?? now) > now || (expiresAt ?? Infinity) <= now || !isFree(phone)) return null;
    if (phone !== null) receivers.add(phone);
    capacity -= 1;
    callsLeft -= callsOf(row);
    // An urgent message goes first, and is found by its moment.
    if (nextAt !== null) return null;
    tokens = tokensAfter(tokens, policy.rate, random());
    return tokens;
  };
}
