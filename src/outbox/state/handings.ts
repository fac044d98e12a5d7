import type { Alarm } from '../../lib/alarm.ts';
import { insertRow, replaceRow } from '../../lib/store.ts';
import { handOnAt, linkAccount, nextAccount, reportsTo } from './fallback.ts';
import type { MessageRow } from './message.ts';

/**
 * Messages whose fallback another account sends, or may have to. `waits`: until the message has not been sent for too
 * long. `leaves`: until the other account has taken its fallback. `away`: until the other account reports how that ended.
 * `reports`: for a message that was taken from another account, until that account knows how it ended.
 */
export interface HandingRow extends Record<string, SqlStorageValue> {
  seq: number;
  phase: 'waits' | 'leaves' | 'away' | 'reports';
  account: string | null;
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
    insertRow(
      sql,
      'handings',
      { seq: row.seq, phase: 'waits', since: now, next_at: at },
      'ON CONFLICT DO NOTHING',
    );
}

export const handingOf = (sql: SqlStorage, seq: number): HandingRow | null =>
  sql.exec<HandingRow>('SELECT * FROM handings WHERE seq = ?', seq).toArray()[0] ?? null;

/** True if another account has a message's fallback, or is to get it. */
export const isWithOthers = (sql: SqlStorage, seq: number): boolean =>
  ['leaves', 'away'].includes(handingOf(sql, seq)?.phase ?? '');

/** Deletes claims of other accounts' messages that have expired: they belong to no event. */
export const sweepHandedClaims = (sql: SqlStorage, now: number): unknown =>
  sql.exec("DELETE FROM dedupe_claims WHERE key >= '@' AND key < 'A' AND expires_at < ?", now);

interface HandingsDeps {
  readonly sql: SqlStorage;
  readonly alarm: Pick<Alarm, 'bringForward'>;
  readonly clock: () => number;
}

/** What is to be given to other accounts, and reported to them: a row for each, until the other account has answered. */
export class Handings {
  readonly #deps: HandingsDeps;
  /** True if a row was written that nobody has looked at. */
  isAsked = false;

  constructor(deps: HandingsDeps) {
    this.#deps = deps;
  }

  leave(row: MessageRow): void {
    const to = nextAccount(row) ?? '';
    linkAccount(this.#deps.sql, row.seq, to);
    this.#add(row.seq, 'leaves', to);
  }

  /**
   * Has the end of a message that was taken from another account reported to it. False if that account does not want to
   * know.
   */
  report(row: MessageRow): boolean {
    const to = reportsTo(row);
    if (to !== null) this.#add(row.seq, 'reports', to.account);
    return to !== null;
  }

  /** The commit that is being made writes what has to be done at once; the alarm makes sure of it. */
  #add(seq: number, phase: HandingRow['phase'], account: string): void {
    const { sql, alarm, clock } = this.#deps;
    const now = clock();
    replaceRow(sql, 'handings', { seq, phase, account, since: now, next_at: now });
    this.isAsked = true;
    alarm.bringForward(now);
  }

  remove(seq: number): void {
    this.#deps.sql.exec('DELETE FROM handings WHERE seq = ?', seq);
  }

  nextAt(): number | null {
    return (
      this.#deps.sql.exec<{ at: number | null }>('SELECT min(next_at) AS at FROM handings').one().at ?? null
    );
  }
}
