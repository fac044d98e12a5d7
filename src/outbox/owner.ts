import { reasonText } from '../lib/reason.ts';
import type { AccountPolicy } from '../config/compiled/config.ts';
import type { NotifyPolicy } from '../config/documents/account-schema.ts';
import { parseOwnJson } from '../lib/json.ts';
import { log } from '../lib/log.ts';
import { formatDuration, HOUR, iso } from '../lib/time.ts';
import type { HeartbeatChange } from './notify/heartbeat.ts';
import {
  isTaken,
  post,
  RETRY_MS,
  textOf,
  TIMEOUT_MS,
  type Notice,
  type Notification,
} from './notify/post.ts';
import type { RecordedAttempt } from './send/decide.ts';
import { readFact, writeFact, type Meta } from './state/meta.ts';
import { messageId, type End, type MessageRow } from './state/message.ts';
import { inBackground, type Wiring } from './state/wiring.ts';
import type { StorageChange, StorageLevel } from './storage/disk.ts';

/** A notification whose object stopped meanwhile is sent again after this (ms). */
const LEASE_MS = 2 * TIMEOUT_MS;

const MIB = 1_048_576;

/** Webhooks of a source were refused before they became events. */
export interface RefusedNotice {
  readonly kind: 'webhook.too_large' | 'webhook.malformed';
  readonly source: string;
  /** Says why, and how to fix it, without parts of the body. */
  readonly detail: string;
}

type AccountStatus = Pick<Meta, 'pause' | 'circuit'>;

interface OwnerDeps extends Wiring {
  readonly meta: AccountStatus;
  readonly config: { policy(): Promise<Pick<AccountPolicy, 'notify'>> };
  /** Sends a text about a message over the escape channel. True if the channel has taken it, or there is none. */
  readonly escapes: { report(seq: number, text: string): Promise<boolean> };
}

type NoticeRow = Record<'id' | 'tries' | 'next_at', number> & { notice: string };

/**
 * Logs what happens to an outbox, and notifies the account's owner of what they must know, over the channel of
 * `notify:`. Notifications are sent in order, since "closed" before "opened" would say the opposite, and are kept until
 * they are sent or given up.
 */
export class Owner {
  readonly #deps: OwnerDeps;
  readonly #background: ReturnType<typeof inBackground>;

  constructor(deps: OwnerDeps) {
    this.#deps = deps;
    this.#background = inBackground(deps, 'owner.notice.failed', () => this.nextAt());
  }

  /** One line for an attempt that changed its message's state. A refused login does not; it pauses the account. */
  recorded({ before, row, attempt, decision, latencyMs }: RecordedAttempt): void {
    const { state, nextAt } = decision;
    const { n, at, outcome, http_status: status, duration_ms } = attempt;
    const called = { attempt: n, outcome, ...(status !== undefined && { status }), duration_ms };
    const fields = { ...this.#fieldsOf(row), ...called };
    if (state === 'sent') log('debug', 'message.sent', { ...fields, latency_ms: latencyMs });
    else if (state === 'retrying')
      log('warn', 'message.retrying', { ...fields, wait_ms: Math.max(0, nextAt - at - duration_ms) });
    else if (state !== 'queued') log(state === 'dead' ? 'error' : 'warn', `message.${state}`, fields);
    this.changed(before);
    if (state === 'dead') this.first(['message.dead']);
    if (outcome === 'redirected') this.first(['gateway.redirected']);
  }

  /** One line for a message that ended without an attempt. */
  ended(row: MessageRow, { state, by }: End): void {
    // A notification that is out of date, one that its receiver does not want, or one in a digest, is not missed.
    const isMissed = state === 'expired' || by !== undefined;
    const fields = { ...this.#fieldsOf(row), ...(by !== undefined && { by }) };
    log(isMissed ? 'warn' : 'info', `message.${state}`, fields);
  }

  #fieldsOf({ seq, event_id: event, source, route, phone }: MessageRow) {
    const { account, tag } = this.#deps;
    // The log masks the phone number.
    return { message: messageId(seq, tag), event, source, route, account: account(), phone };
  }

  /** The account's status may have changed; `before`: as it was. */
  changed({ pause: paused, circuit: { probeAt } }: AccountStatus): void {
    const { pause, circuit } = this.#deps.meta;
    const account = this.#deps.account();
    if (paused === null && pause !== null) {
      const detail = reasonText(pause);
      log('error', 'account.paused', { account, by: pause.by, detail });
      this.tell(['account.paused', detail]);
    }
    if (paused !== null && pause === null) {
      log('info', 'account.resumed', { account });
      this.tell(['account.resumed']);
    }
    if (probeAt === null && circuit.probeAt !== null) {
      const { failures } = circuit;
      log('error', 'circuit.opened', { account, failures });
      this.tell(['circuit.opened', `${failures}`]);
    }
    if (probeAt !== null && circuit.probeAt === null) {
      log('info', 'circuit.closed', { account });
      this.tell(['circuit.closed']);
    }
  }

  heartbeat({ source, isSilent, expectedMs, lastAt, silentMs }: HeartbeatChange): void {
    const account = this.#deps.account();
    if (!isSilent) {
      log('info', 'source.back', { source, account });
      return this.tell(['source.back', source]);
    }
    log('error', 'source.silent', { source, account, expected_ms: expectedMs, silent_ms: silentMs });
    const last = lastAt === null ? 'It has never sent any' : `The last one came at ${iso(lastAt)}`;
    this.tell(['source.silent', source, formatDuration(expectedMs), last]);
  }

  storage(kind: StorageChange, { bytes, maxBytes }: StorageLevel): void {
    const fields = { account: this.#deps.account(), bytes, max_bytes: maxBytes };
    log(kind === 'storage.full' ? 'error' : 'warn', kind, fields);
    const share = Math.floor((bytes * 100) / maxBytes);
    this.tell([kind, `${Math.ceil(bytes / MIB)} of ${Math.floor(maxBytes / MIB)} MiB (${share} %)`]);
  }

  /** Notifies of trouble that comes in bursts: of the first of its kind, or of its kind and source, in a time. */
  first(notice: Notice, everyMs = HOUR, source = ''): void {
    const { sql, clock } = this.#deps;
    const now = clock();
    // On disk: an idle object is evicted within seconds, and would then notify of each one.
    const key = `notified:${notice[0]}:${source}`;
    const last = readFact(sql, key);
    if (last !== null && now - Number(last) < everyMs) return;
    writeFact(sql, key, String(now));
    this.tell(notice);
  }

  /** In the commit that is being made, if any; the alarm is first. `seq`: of a message, then by the escape channel. */
  tell(notice: Notice, seq?: number): void {
    const { alarm, clock, sql } = this.#deps;
    const now = clock();
    const account = this.#deps.account();
    const [kind] = notice;
    const notification: Notification = { kind, account, at: iso(now), text: textOf(account, notice), seq };
    log('warn', 'owner.notice', { kind, account });
    sql.exec('INSERT INTO notices (notice, next_at) VALUES (?, ?)', JSON.stringify(notification), now);
    alarm.bringForward(this.nextAt());
    this.send();
  }

  nextAt(): number | null {
    return this.#next()?.next_at ?? null;
  }

  /** Sends what is due in the background: a channel that hangs must not delay the messages. */
  send(): void {
    const { calls, clock, config } = this.#deps;
    this.#background.start(async () => {
      const { notify } = await config.policy();
      for (let row = this.#next(); row !== undefined && row.next_at <= clock(); row = this.#next()) {
        if (calls.left === 0) break;
        await this.#sendRow(row, notify);
      }
    });
  }

  #next(): NoticeRow | undefined {
    return this.#deps.sql.exec<NoticeRow>('SELECT * FROM notices ORDER BY id LIMIT 1').toArray()[0];
  }

  async #sendRow({ id, notice, tries }: NoticeRow, notify: NotifyPolicy | null): Promise<void> {
    const { clock, escapes, sql } = this.#deps;
    const postpone = (ms: number): unknown =>
      sql.exec('UPDATE notices SET next_at = ? WHERE id = ?', clock() + ms, id);
    postpone(LEASE_MS);
    const notification = parseOwnJson<Notification>(notice);
    const { seq, text } = notification;
    const isOver =
      seq === undefined
        ? notify === null || (await this.#post(notification, notify))
        : await escapes.report(seq, text);
    if (isOver) {
      sql.exec('DELETE FROM notices WHERE id = ?', id);
      return;
    }
    postpone(RETRY_MS[tries] ?? 0);
    // A failure of the channel also counts for the notifications that wait behind: none is tried longer than the
    // schedule.
    sql.exec('UPDATE notices SET tries = tries + 1');
    const { rowsWritten } = sql.exec('DELETE FROM notices WHERE tries > ?', RETRY_MS.length);
    if (rowsWritten > 0) log('error', 'owner.notice.given_up', { notices: rowsWritten });
  }

  async #post(notification: Notification, notify: NotifyPolicy): Promise<boolean> {
    const secret = notify.secret === null ? '' : this.#deps.secret(notify.secret);
    if (secret === undefined) return false;
    const status = await post(notification, notify, secret, this.#deps.fetch);
    const isOk = isTaken(status);
    if (status !== null && !isOk) log('warn', 'owner.notice.refused', { status });
    return isOk;
  }
}
