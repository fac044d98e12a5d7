import type { Handed } from './handed.ts';
import { handOnAt } from './fallback.ts';
import type { MessageRow } from './message.ts';

/**
 * Messages whose fallback another account sends, or may have to. `waits`: until the message has not been sent for too
 * long. `leaves`: until the other account has taken its fallback, which is in the row. `away`: until the other account
 * reports how that ended. `reports`: for a message that was taken from another account, until that account knows how it
 * ended.
 */
export interface HandingRow extends Record<string, SqlStorageValue> {
  seq: number;
  phase: 'waits' | 'leaves' | 'away' | 'reports';
  /** The other account; null if it waits. */
  account: string | null;
  /** JSON for the other account; null if there is none. */
  what: string | null;
  /** The time since which it is in this phase (ms). */
  since: number;
  tries: number;
  next_at: number;
}

/** Records when another account is to send a message's fallback. Needs a row only if a fallback has `after`. */
export function watchMessage(
  sql: SqlStorage,
  row: Pick<MessageRow, 'seq' | 'fallback' | 'created_at' | 'next_at'>,
  now: number,
): void {
  const at = handOnAt(row);
  if (at !== null)
    sql.exec(
      `INSERT INTO handings (seq, phase, since, next_at) VALUES (?, 'waits', ?, ?) ON CONFLICT (seq) DO NOTHING`,
      row.seq,
      now,
      at,
    );
}

/** Records that a fallback is to be given to another account, at once. */
export const addLeaving = (
  sql: SqlStorage,
  seq: number,
  account: string,
  handed: Handed,
  now: number,
): unknown => replace(sql, seq, 'leaves', account, handed, now);

/** Records that the end of a message is to be reported to the account that it was taken from. */
export const addReport = (
  sql: SqlStorage,
  seq: number,
  account: string,
  what: unknown,
  now: number,
): unknown => replace(sql, seq, 'reports', account, what, now);

const replace = (
  sql: SqlStorage,
  seq: number,
  phase: HandingRow['phase'],
  account: string,
  what: unknown,
  now: number,
): unknown =>
  sql.exec(
    'INSERT OR REPLACE INTO handings (seq, phase, account, what, since, tries, next_at) VALUES (?, ?, ?, ?, ?, 0, ?)',
    seq,
    phase,
    account,
    JSON.stringify(what),
    now,
    now,
  );

export const handingOf = (sql: SqlStorage, seq: number): HandingRow | null =>
  sql.exec<HandingRow>('SELECT * FROM handings WHERE seq = ?', seq).toArray()[0] ?? null;

export const removeHanding = (sql: SqlStorage, seq: number): unknown =>
  sql.exec('DELETE FROM handings WHERE seq = ?', seq);

/** True if another account has a message's fallback, or is to get it. */
export const isWithOthers = (sql: SqlStorage, seq: number): boolean =>
  ['leaves', 'away'].includes(handingOf(sql, seq)?.phase ?? '');
