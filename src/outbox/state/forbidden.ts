import type { Attempt } from './message.ts';

/**
 * A 403 may be about the account, or only about this message, if a gateway's firewall blocks its text. So the first 403
 * only puts its message behind the others, and their outcomes show which of the two it is.
 */

/** True if a second message is forbidden before any other was sent: then the 403s are about the account. */
export const isAccountForbidden = (earlier: number | null, seq: number): boolean =>
  earlier !== null && earlier !== seq;

export const ACCOUNT_FORBIDDEN = 'the gateway answered 403 to two messages, and sent none in between';

/** A message that was forbidden this many times, while others were sent, is not tried again. */
export const MAX_FORBIDDEN = 3;

/** Returns the number of times that a message was forbidden so far, and the first time (ms); null if never. */
export function forbiddenSoFar(attempts: readonly Attempt[]): { count: number; since: number } | null {
  const forbidden = attempts.filter(({ outcome }) => outcome === 'forbidden');
  const [first] = forbidden;
  return first === undefined ? null : { count: forbidden.length, since: first.at };
}

/** The number of the newest messages that are searched: an account that works sends all the time. */
const NEWEST = 500;

/** True if another message was sent after `since` (ms). */
export const isOtherSent = (sql: SqlStorage, since: number): boolean =>
  sql
    .exec(
      `SELECT 1 FROM (SELECT sent_at FROM messages ORDER BY seq DESC LIMIT ${NEWEST}) WHERE sent_at > ? LIMIT 1`,
      since,
    )
    .toArray().length > 0;
