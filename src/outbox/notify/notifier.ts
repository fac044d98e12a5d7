import type { AccountPolicy } from '../../config/compiled/config.ts';
import type { NotifyPolicy } from '../../config/documents/account-schema.ts';
import { describeError, log } from '../../lib/log.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { Calls } from '../state/calls.ts';
import { readFact, writeFact } from '../state/facts.ts';
import { NOTIFICATION_INTERVAL_MS, type Notification } from './notification.ts';
import { isTaken, post, RETRY_MS, TIMEOUT_MS } from './post.ts';

/** The functions that a notifier needs. */
interface NotifierDeps {
  readonly sql: SqlStorage;
  readonly config: { policy(): Promise<Pick<AccountPolicy, 'notify'>> };
  /** The value of the Worker secret of this name, if it is set. */
  readonly secret: (name: string) => string | undefined;
  readonly fetch: typeof fetch;
  /** Sends a text about a message over the escape channel. True if the channel has taken it, or there is none. */
  readonly escapes: { report(seq: number, text: string): Promise<boolean> };
  readonly calls: Pick<Calls, 'left'>;
  readonly clock: () => number;
}

/**
 * While a notification is being sent, nothing else sends it. If its object stops meanwhile, it is sent again after
 * this.
 */
const LEASE_MS = 2 * TIMEOUT_MS;

interface NotificationRow extends Record<string, SqlStorageValue> {
  id: number;
  /** The notification as JSON. */
  notice: string;
  tries: number;
  next_at: number;
}

/**
 * Notifies an account's owner over the channel of `notify:`, in order: "closed" before "opened" would say the opposite.
 * Notifications are kept until they are sent, or given up.
 */
export class Notifier {
  readonly #deps: NotifierDeps;
  #running = false;

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
  }

  /** Keeps a notification in the surrounding commit. */
  add(notification: Notification): void {
    log('warn', 'owner.notice', { kind: notification.kind, account: notification.account });
    const next = this.#deps.clock();
    this.#deps.sql.exec(
      'INSERT INTO notices (notice, next_at) VALUES (?, ?)',
      JSON.stringify(notification),
      next,
    );
  }

  /**
   * Keeps a notification of a kind that comes in bursts, if it is the first in an hour, or in another interval (ms).
   * `of`: the source that it is about, if each has its own first. Returns true if it was kept.
   */
  addFirst(
    notification: Notification,
    { intervalMs = NOTIFICATION_INTERVAL_MS, of }: { intervalMs?: number | undefined; of?: string } = {},
  ): boolean {
    const { sql, clock } = this.#deps;
    const now = clock();
    // On disk: an idle object is evicted within seconds, and would then notify of each one.
    const key = `notified:${notification.kind}${of === undefined ? '' : `:${of}`}`;
    const last = readFact(sql, key);
    if (last !== null && now - Number(last) < intervalMs) return false;
    writeFact(sql, key, String(now));
    this.add(notification);
    return true;
  }

  /** Returns the time when a notification is due (ms); null if there is none. */
  nextAt(): number | null {
    return this.#first()?.next_at ?? null;
  }

  /** Sends what is due. Never throws. */
  async run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      const { notify } = await this.#deps.config.policy();
      for (let row = this.#due(); row !== undefined && this.#deps.calls.left > 0; row = this.#due())
        await this.#send(row, notify);
    } catch (thrown) {
      log('error', 'owner.notice.failed', { error: describeError(thrown) });
    } finally {
      this.#running = false;
    }
  }

  #first(): NotificationRow | undefined {
    return this.#deps.sql.exec<NotificationRow>('SELECT * FROM notices ORDER BY id LIMIT 1').toArray()[0];
  }

  #due(): NotificationRow | undefined {
    const row = this.#first();
    return row === undefined || row.next_at > this.#deps.clock() ? undefined : row;
  }

  async #send(row: NotificationRow, notify: NotifyPolicy | null): Promise<void> {
    const { sql, clock } = this.#deps;
    const postpone = (ms: number): unknown =>
      sql.exec('UPDATE notices SET next_at = ? WHERE id = ?', clock() + ms, row.id);
    postpone(LEASE_MS);
    const notification = parseOwnJson<Notification>(row.notice);
    const { seq, text } = notification;
    const isOver =
      seq === undefined
        ? notify === null || (await this.#post(notification, notify))
        : await this.#deps.escapes.report(seq, text);
    if (isOver) {
      sql.exec('DELETE FROM notices WHERE id = ?', row.id);
      return;
    }
    postpone(RETRY_MS[row.tries] ?? 0);
    // A failure of the channel also counts for the notifications that wait behind: none is tried longer than the
    // schedule.
    sql.exec('UPDATE notices SET tries = tries + 1');
    const { rowsWritten } = sql.exec('DELETE FROM notices WHERE tries > ?', RETRY_MS.length);
    if (rowsWritten > 0) log('error', 'owner.notice.given_up', { notices: rowsWritten });
  }

  /** Returns true if the channel accepted it. */
  async #post(notification: Notification, notify: NotifyPolicy): Promise<boolean> {
    const secret = notify.secret === null ? '' : this.#deps.secret(notify.secret);
    if (secret === undefined) return false;
    const status = await post(notification, notify, secret, this.#deps.fetch);
    const isOk = isTaken(status);
    if (status !== null && !isOk) log('warn', 'owner.notice.refused', { status });
    return isOk;
  }
}
