import { DAY } from '../../lib/duration.ts';

/** Longer than the other account tries (`hand-on/handings.ts`), so that it cannot bring the same again (ms). */
const CLAIM_MS = 30 * DAY;

/** The claim of another account's message for which a fallback was taken. A source's name cannot begin with `@`. */
const claimOf = (id: string): string => `@${id}`;

/** Returns the message that was taken for that one; null if none was. */
export const takenAs = (sql: SqlStorage, id: string): string | null =>
  sql.exec<{ event_id: string }>('SELECT event_id FROM dedupe_claims WHERE key = ?', claimOf(id)).toArray()[0]
    ?.event_id ?? null;

/** To be called in the transaction that queues the message. */
export const insertClaimOf = (sql: SqlStorage, id: string, message: string, now: number): unknown =>
  sql.exec(
    'INSERT INTO dedupe_claims (key, event_id, expires_at) VALUES (?, ?, ?)',
    claimOf(id),
    message,
    now + CLAIM_MS,
  );

/** Deletes claims that have expired: they belong to no event. */
export const sweepHandedClaims = (sql: SqlStorage, now: number): unknown =>
  sql.exec("DELETE FROM dedupe_claims WHERE key >= '@' AND key < 'A' AND expires_at < ?", now);
