import { reasonText } from '../lib/reason.ts';
import type { AccountPolicy } from '../config/compiled/config.ts';
import type { NotifyPolicy } from '../config/documents/account-schema.ts';
import type { Alarm } from '../lib/alarm.ts';
import { parseOwnJson } from '../lib/json.ts';
import { describeError, log } from '../lib/log.ts';
import { DAY, formatDuration, HOUR, iso } from '../lib/time.ts';
import type { IncidentParts } from './incidents/entries.ts';
import type { HeartbeatChange } from './notify/heartbeat.ts';
import { isTaken, post, RETRY_MS, TIMEOUT_MS, type Notification } from './notify/post.ts';
import type { RecordedAttempt } from './send/decide.ts';
import type { Calls } from './state/calls.ts';
import { readFact, writeFact, type Meta } from './state/meta.ts';
import { messageId, type End, type MessageRow } from './state/message.ts';
import type { StorageChange, StorageLevel } from './storage/disk.ts';

/** A notification whose object stopped meanwhile is sent again after this (ms). */
const LEASE_MS = 2 * TIMEOUT_MS;

const MIB = 1_048_576;

const STORAGE_TEXTS: Readonly<Record<StorageChange, string>> = {
  'storage.low': 'Finished events are deleted early, oldest first',
  'storage.full': 'Webhooks get 503 until there is space; accepted messages are still sent',
  'storage.back': 'Webhooks are accepted again',
};

/** Webhooks of a source were refused before they became events. */
export interface RefusedNotice {
  readonly kind: 'webhook.too_large' | 'webhook.malformed';
  readonly source: string;
  /** Says why, and how to fix it, without parts of the body. */
  readonly detail: string;
}

export type LogOrigin = Readonly<Record<'account' | 'tag', string>>;

type AccountStatus = Pick<Meta, 'pause' | 'circuit'>;

interface OwnerDeps {
  readonly sql: SqlStorage;
  readonly meta: AccountStatus;
  readonly config: { policy(): Promise<Pick<AccountPolicy, 'notify'>> };
  /** The value of the Worker secret of this name, if it is set. */
  readonly secret: (name: string) => string | undefined;
  readonly fetch: typeof fetch;
  /** Sends a text about a message over the escape channel. True if the channel has taken it, or there is none. */
  readonly escapes: { report(seq: number, text: string): Promise<boolean> };
  readonly calls: Pick<Calls, 'left'>;
  readonly alarm: Pick<Alarm, 'bringForward'>;
  readonly origin: () => LogOrigin;
  readonly waitUntil: (work: Promise<void>) => void;
  readonly clock: () => number;
}

type NoticeRow = Record<'id' | 'tries' | 'next_at', number> & { notice: string };

/**
 * Logs what happens to an outbox, and notifies the account's owner of what they must know, over the channel of
 * `notify:`. Notifications are sent in order, since "closed" before "opened" would say the opposite, and are kept until
 * they are sent or given up.
 */
export class Owner {
  readonly #deps: OwnerDeps;
  #isSending = false;

  constructor(deps: OwnerDeps) {
    this.#deps = deps;
  }

  get #account(): string {
    return this.#deps.origin().account;
  }

  recorded(recorded: RecordedAttempt): void {
    const { before, attempt, decision } = recorded;
    const account = this.#account;
    logAttempt(recorded, this.#deps.origin());
    this.changed(before);
    if (decision.state === 'dead')
      this.first(
        'message.dead',
        `a message of the account ${account} will not be tried again. More may follow within the hour: npx hookbell messages --state dead.`,
      );
    if (attempt.outcome === 'redirected')
      this.first(
        'gateway.redirected',
        `the gateway of the account ${account} redirects calls elsewhere, and redirects are not followed. Check its base URL.`,
      );
  }

  /** The account's status may have changed; `before`: as it was. */
  changed({ pause: paused, circuit: { probeAt } }: AccountStatus): void {
    const { pause, circuit } = this.#deps.meta;
    const account = this.#account;
    if (paused === null && pause !== null) {
      const detail = reasonText(pause);
      log('error', 'account.paused', { account, by: pause.by, detail });
      const text = `the account ${account} is paused: ${detail}. Its messages wait until you resume it.`;
      this.tell('account.paused', text);
    }
    if (paused !== null && pause === null) {
      log('info', 'account.resumed', { account });
      this.tell('account.resumed', `the account ${account} sends again.`);
    }
    if (probeAt === null && circuit.probeAt !== null) {
      const { failures } = circuit;
      log('error', 'circuit.opened', { account, failures });
      const text = `the gateway of the account ${account} failed ${failures} times in a row. Its messages wait while hookbell probes.`;
      this.tell('circuit.opened', text);
    }
    if (probeAt !== null && circuit.probeAt === null) {
      log('info', 'circuit.closed', { account });
      const text = `the gateway of the account ${account} answers again. The queue is being sent.`;
      this.tell('circuit.closed', text);
    }
  }

  refused({ kind, source, detail }: RefusedNotice): void {
    const why = kind === 'webhook.too_large' ? 'it is too large' : 'its body cannot be read';
    const text = `A webhook of the source ${source} was refused because ${why} (account ${this.#account}), and its sender may not send it again. ${detail} More may follow within the hour: npx hookbell rejections list --source ${source}.`;
    this.first(kind, text, HOUR, source);
  }

  madeNothing(source: string): void {
    const text = `webhooks of the source ${source} arrive (account ${this.#account}), but none has made a message since its routes were last changed. See why: npx hookbell events --source ${source}.`;
    this.tell('source.made_nothing', text);
  }

  leftOut(source: string, reason: string): void {
    const text = `part of a webhook from the source ${source} was left out (account ${this.#account}): ${reason}. Its event has the details. More may follow within the hour.`;
    this.first('webhook.left_out', text);
  }

  notTaken(other: string, refusal: string): void {
    const text = `the account ${other} refused a fallback of the account ${this.#account}: ${refusal}. More may follow within the hour; each message shows why.`;
    this.first('fallback.refused', text);
  }

  beyond(): void {
    const text = `a source of the account ${this.#account} has its share of 10000 open incidents and of waiting items, or sent more than 1000 new ones in one webhook. Further ones of that source are only counted, and their receivers get summaries.`;
    this.first('incidents.beyond', text);
  }

  /** Like all messages of its route. */
  suppressed({ route, source }: MessageRow): void {
    const text = `nobody gets the messages of the route ${source ?? ''}/${route ?? ''} (account ${this.#account}): all its receivers have opted out. Other routes may follow within the day: npx hookbell messages --state suppressed.`;
    this.first('route.suppressed', text, DAY);
  }

  nobodyToNotify({ source, route }: IncidentParts, step: number): void {
    const text = `nobody acknowledged an incident of the route ${source}/${route} (account ${this.#account}), and step ${step} of its \`escalate\` has no receivers. Fill its lists.`;
    this.first('incident.no_receiver', text);
  }

  unanswered(seq: number, sentAt: number): void {
    const text = `nobody has pressed the link that the account ${this.#account} sent at ${iso(sentAt)}. Messages may not arrive: check that its device is online.`;
    this.tell('canary.unanswered', text, seq);
    this.tell('canary.unanswered', text);
  }

  heartbeat({ source, isSilent, expectedMs, lastAt, silentMs }: HeartbeatChange): void {
    const account = this.#account;
    if (!isSilent) {
      log('info', 'source.back', { source, account });
      return this.tell('source.back', `the source ${source} sends webhooks again.`);
    }
    log('error', 'source.silent', { source, account, expected_ms: expectedMs, silent_ms: silentMs });
    const last = lastAt === null ? 'It has never sent any' : `The last one came at ${iso(lastAt)}`;
    const text = `the source ${source} has sent no webhook for more than ${formatDuration(expectedMs)}. ${last}; check that it is still set up at its provider.`;
    this.tell('source.silent', text);
  }

  storage(kind: StorageChange, { bytes, maxBytes }: StorageLevel): void {
    const account = this.#account;
    log(kind === 'storage.full' ? 'error' : 'warn', kind, { account, bytes, max_bytes: maxBytes });
    const used = `${Math.ceil(bytes / MIB)} of ${Math.floor(maxBytes / MIB)} MiB (${Math.floor((bytes * 100) / maxBytes)} %)`;
    this.tell(kind, `the outbox of the account ${account} uses ${used}. ${STORAGE_TEXTS[kind]}.`);
  }

  /** Notifies of trouble that comes in bursts: of the first of its kind, or of its kind and source, in a time. */
  first(kind: Notification['kind'], text: string, everyMs = HOUR, source = ''): void {
    const { sql, clock } = this.#deps;
    const now = clock();
    // On disk: an idle object is evicted within seconds, and would then notify of each one.
    const key = `notified:${kind}:${source}`;
    const last = readFact(sql, key);
    if (last !== null && now - Number(last) < everyMs) return;
    writeFact(sql, key, String(now));
    this.tell(kind, text);
  }

  /** In the commit that is being made, if any; the alarm is first. `seq`: of a message, then by the escape channel. */
  tell(kind: Notification['kind'], text: string, seq?: number): void {
    const { alarm, clock, sql } = this.#deps;
    const now = clock();
    const account = this.#account;
    const notification = { kind, account, at: iso(now), text: `hookbell: ${text}`, seq };
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
    const { alarm, waitUntil } = this.#deps;
    if (this.#isSending) return;
    this.#isSending = true;
    waitUntil(this.#run().then(() => alarm.bringForward(this.nextAt())));
  }

  /** Never throws. */
  async #run(): Promise<void> {
    const { calls, clock, config } = this.#deps;
    try {
      const { notify } = await config.policy();
      for (let row = this.#next(); row !== undefined && row.next_at <= clock(); row = this.#next()) {
        if (calls.left === 0) break;
        await this.#sendRow(row, notify);
      }
    } catch (thrown) {
      log('error', 'owner.notice.failed', { error: describeError(thrown) });
    }
    this.#isSending = false;
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

/** One line for an attempt that changed its message's state. A refused login does not; it pauses the account. */
function logAttempt({ row, attempt, decision, latencyMs }: RecordedAttempt, origin: LogOrigin): void {
  const { state, nextAt } = decision;
  if (state === 'queued') return;
  const { n, at, outcome, http_status: status, duration_ms } = attempt;
  const called = { attempt: n, outcome, ...(status !== undefined && { status }), duration_ms };
  const fields = { ...messageFields(row, origin), ...called };
  if (state === 'sent') log('debug', 'message.sent', { ...fields, latency_ms: latencyMs });
  else if (state === 'retrying')
    log('warn', 'message.retrying', { ...fields, wait_ms: Math.max(0, nextAt - at - duration_ms) });
  else log(state === 'dead' ? 'error' : 'warn', `message.${state}`, fields);
}

/** One line for a message that ended without an attempt. */
export function logMessage(row: MessageRow, { state, by }: End, origin: LogOrigin): void {
  // A notification that is out of date, one that its receiver does not want, or one in a digest, is not missed.
  const isMissed = state === 'expired' || by !== undefined;
  log(isMissed ? 'warn' : 'info', `message.${state}`, {
    ...messageFields(row, origin),
    ...(by !== undefined && { by }),
  });
}

const messageFields = (row: MessageRow, { account, tag }: LogOrigin) => ({
  message: messageId(row.seq, tag),
  event: row.event_id,
  source: row.source,
  route: row.route,
  account,
  // The log masks it.
  phone: row.phone,
});
