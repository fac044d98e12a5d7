import type { AccountPolicy, NotifyPolicy } from '../config/config.ts';
import { describeError, log } from '../lib/log.ts';
import { parseOwnJson } from '../lib/own-json.ts';
import { NOTICE_INTERVAL_MS, type Notice } from './notice.ts';
import { noticeRequest } from './notice-request.ts';

/** What a notifier needs of the outside. */
export interface NotifierDeps {
  readonly sql: SqlStorage;
  readonly policy: () => Promise<Pick<AccountPolicy, 'notify'>>;
  /** The value of the Worker secret of this name, if it is set. */
  readonly secret: (name: string) => string | undefined;
  readonly fetch: typeof fetch;
  readonly clock: () => number;
}

/** Waits between the tries of one notice; after the last it is given up, and only the log has it. */
const RETRY_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000] as const;

const TIMEOUT_MS = 10_000;

interface NoticeRow extends Record<string, SqlStorageValue> {
  id: number;
  notice: string;
  tries: number;
  next_at: number;
}

/** Tells an account's owner, over a channel of its own. Notices are kept until they are told, or given up. */
export class Notifier {
  readonly #deps: NotifierDeps;
  /** When each kind was last told that is told once an hour at most. Forgotten by an eviction: told again, never lost. */
  readonly #lastTold = new Map<Notice['kind'], number>();
  #running = false;

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
  }

  /** Keeps a notice in the surrounding commit. */
  add(notice: Notice): void {
    log('warn', 'owner.notice', { kind: notice.kind, account: notice.account });
    const next = this.#deps.clock();
    this.#deps.sql.exec('INSERT INTO notices (notice, next_at) VALUES (?, ?)', JSON.stringify(notice), next);
  }

  /** Keeps a notice of a kind that comes in swarms: the first of an hour. */
  addFirstOfHour(notice: Notice): void {
    const now = this.#deps.clock();
    const told = this.#lastTold.get(notice.kind);
    if (told !== undefined && now - told < NOTICE_INTERVAL_MS) return;
    this.#lastTold.set(notice.kind, now);
    this.add(notice);
  }

  /** When a notice has to be told (ms); null: there is none. */
  nextAt(): number | null {
    return this.#deps.sql.exec<{ at: number | null }>('SELECT min(next_at) AS at FROM notices').one().at;
  }

  /** Tells what is due. Never throws. */
  async run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      const { notify } = await this.#deps.policy();
      for (let row = this.#due(); row !== undefined; row = this.#due()) await this.#tell(row, notify);
    } catch (thrown) {
      log('error', 'owner.notice.failed', { error: describeError(thrown) });
    } finally {
      this.#running = false;
    }
  }

  #due(): NoticeRow | undefined {
    const sql = 'SELECT * FROM notices WHERE next_at <= ? ORDER BY id LIMIT 1';
    return this.#deps.sql.exec<NoticeRow>(sql, this.#deps.clock()).toArray()[0];
  }

  async #tell(row: NoticeRow, notify: NotifyPolicy | null): Promise<void> {
    const { sql, clock } = this.#deps;
    const isTold = notify === null || (await this.#post(parseOwnJson<Notice>(row.notice), notify));
    const wait = RETRY_MS[row.tries];
    if (isTold || wait === undefined) {
      if (!isTold) log('error', 'owner.notice.given_up', { tries: row.tries + 1 });
      sql.exec('DELETE FROM notices WHERE id = ?', row.id);
    } else {
      sql.exec('UPDATE notices SET tries = tries + 1, next_at = ? WHERE id = ?', clock() + wait, row.id);
    }
  }

  /** Whether the channel took it. The URL is a secret: neither it nor the error's text is logged. */
  async #post(notice: Notice, notify: NotifyPolicy): Promise<boolean> {
    const secret = notify.secret === null ? '' : this.#deps.secret(notify.secret);
    if (secret === undefined) return false;
    const { url, body } = noticeRequest(notice, notify, secret);
    const { fetch } = this.#deps;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) log('warn', 'owner.notice.refused', { status: response.status });
      return response.ok;
    } catch {
      return false;
    }
  }
}
