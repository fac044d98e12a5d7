import type { Config } from '../config/compiled/config.ts';
import { type FieldError, fieldError } from '../lib/problem.ts';
import type { OutboxStatus } from '../outbox/answers/api-status.ts';

/** A set before and after a publish. */
export interface SetChange {
  readonly before: Config;
  readonly after: Config;
  /** The documents of the accounts before the publish. */
  readonly documents: Readonly<Record<string, unknown>>;
}

/**
 * The time after its removal (ms) for which an account is kept even if its outbox is empty: an isolate may not know of
 * the publish for up to a minute, and still bring it an event.
 */
const SETTLE_MS = 120_000;

/**
 * Accounts that were removed while their outboxes held something, with their last documents: a table of the registry.
 */
export class RemovedAccounts {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns the last document of each, as JSON; undefined if there are none. */
  json(): string | undefined {
    const rows = this.#sql
      .exec<{ account: string; document: string }>('SELECT account, document FROM removed_accounts')
      .toArray()
      .map(({ account, document }) => `${JSON.stringify(account)}:${document}`);
    return rows.length === 0 ? undefined : `{${rows.join()}}`;
  }

  /** To be called in the commit that publishes a change of the set. */
  change({ before, after, documents }: SetChange, now: number): void {
    for (const account of after.accounts.keys()) this.#delete(account);
    for (const account of before.accounts.keys())
      if (!after.accounts.has(account))
        this.#sql.exec(
          'INSERT OR REPLACE INTO removed_accounts (account, document, removed_at) VALUES (?, ?, ?)',
          account,
          JSON.stringify(documents[account] ?? {}),
          now,
        );
  }

  /**
   * Forgets an account whose outbox holds nothing any more. Returns the result; `kept`: the account has just been
   * removed.
   */
  forget(account: string, now: number): 'forgotten' | 'kept' | 'unknown' {
    const [row] = this.#sql
      .exec<{ removed_at: number }>('SELECT removed_at FROM removed_accounts WHERE account = ?', account)
      .toArray();
    if (row === undefined) return 'unknown';
    // A time in the future comes from a clock that was ahead.
    if (row.removed_at <= now && now < row.removed_at + SETTLE_MS) return 'kept';
    this.#delete(account);
    return 'forgotten';
  }

  #delete(account: string): void {
    this.#sql.exec('DELETE FROM removed_accounts WHERE account = ?', account);
  }
}

/** The calls to an outbox. */
interface AskedOutbox {
  readonly status: () => Promise<Pick<OutboxStatus, 'queued' | 'retrying' | 'sending'>>;
}

/** Warns of messages that wait in removed accounts. */
export function removalWarnings(
  { before, documents, after }: SetChange,
  outbox: (account: string) => AskedOutbox,
): Promise<readonly FieldError[]> {
  const removed = [...before.accounts.keys()].filter(
    (name) => name in documents && !after.accounts.has(name),
  );
  return Promise.all(
    removed.map(async (name) => {
      const waiting = await outbox(name)
        .status()
        .then(
          ({ queued, retrying, sending }) => queued + retrying + sending,
          () => 'an unknown number of',
        );
      const message = `is removed, but still sends ${waiting} waiting ${waiting === 1 ? 'message' : 'messages'}, with its last settings; it is listed until it is empty`;
      return fieldError(`accounts.${name}`, 'still-sends', message, { waiting: String(waiting) });
    }),
  );
}
