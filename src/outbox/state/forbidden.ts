import type { Attempt } from './message.ts';

/**
 * A 403 may mean the account, or just this message: a gateway's firewall does not like its text. So the first one
 * only puts its message behind the others, and what happens to those tells which it is.
 */

/** A second message that is forbidden before any other was sent: then it is the account. */
export const isAccountForbidden = (earlier: number | null, seq: number): boolean =>
  earlier !== null && earlier !== seq;

export const ACCOUNT_FORBIDDEN =
  'the gateway answered 403 to two messages in a row, and sent none between them';

/** A message that was forbidden so often, while others were sent, will not be tried again. */
export const MAX_FORBIDDEN = 3;

/** How often a message was forbidden by now, and since when (ms); null: never. */
export function forbiddenSoFar(attempts: readonly Attempt[]): { count: number; since: number } | null {
  const forbidden = attempts.filter(({ outcome }) => outcome === 'forbidden');
  const [first] = forbidden;
  return first === undefined ? null : { count: forbidden.length, since: first.at };
}

/** So many of the newest messages are looked at: a 403 is rare, and an account that works sends all the time. */
const NEWEST = 500;

/** Whether another message was sent after `since` (ms). */
export const isOtherSent = (sql: SqlStorage, since: number): boolean =>
  sql
    .exec(
      `SELECT 1 FROM (SELECT sent_at FROM messages ORDER BY seq DESC LIMIT ${NEWEST}) WHERE sent_at > ? LIMIT 1`,
      since,
    )
    .toArray().length > 0;
