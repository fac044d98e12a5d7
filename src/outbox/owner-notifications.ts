import type { Alarm } from '../lib/alarm.ts';
import { DAY, iso } from '../lib/time.ts';
import { logAttempt, logHeartbeat, logAccountStatus, logStorage, type LogOrigin } from './log-lines.ts';
import type { IncidentParts } from './incidents/entries.ts';
import type { HeartbeatChange } from './notify/heartbeat.ts';
import {
  statusNotifications,
  storageNotification,
  type Notification,
  type NotifiedStatus,
  refusedNotification,
  type RefusedNotice,
} from './notify/notification.ts';
import type { Notifier } from './notify/notifier.ts';
import type { RecordedAttempt } from './send/decide.ts';
import type { MessageRow } from './state/message.ts';
import type { Meta } from './state/meta.ts';
import type { StorageChange, StorageLevel } from './storage/disk.ts';

const DEAD_TEXT = (account: string): string =>
  `hookbell: a message of the account ${account} will not be tried again. More may follow within the hour: npx hookbell messages --state dead.`;

const REDIRECTED_TEXT = (account: string): string =>
  `hookbell: the gateway of the account ${account} redirects calls elsewhere, and redirects are not followed. Check its base URL.`;

const LEFT_OUT_TEXT = (account: string, source: string, reason: string): string =>
  `hookbell: part of a webhook from the source ${source} was left out (account ${account}): ${reason}. Its event has the details. More may follow within the hour.`;

const NOT_TAKEN_TEXT = (account: string, other: string, refusal: string): string =>
  `hookbell: the account ${other} refused a fallback of the account ${account}: ${refusal}. More may follow within the hour; each message shows why.`;

const BEYOND_TEXT = (account: string): string =>
  `hookbell: a source of the account ${account} has its share of 10000 open incidents and of waiting items, or sent more than 1000 new ones in one webhook. Further ones of that source are only counted, and their receivers get summaries.`;

const SUPPRESSED_TEXT = (account: string, route: string): string =>
  `hookbell: nobody gets the messages of the route ${route} (account ${account}): all its receivers have opted out. Other routes may follow within the day: npx hookbell messages --state suppressed.`;

const NOTHING_TEXT = (account: string, source: string): string =>
  `hookbell: webhooks of the source ${source} arrive (account ${account}), but none has made a message since its routes were last changed. See why: npx hookbell events --source ${source}.`;

const NOBODY_TEXT = (account: string, route: string, step: number): string =>
  `hookbell: nobody acknowledged an incident of the route ${route} (account ${account}), and step ${step} of its \`escalate\` has no receivers. Fill its lists.`;

interface OwnerNotificationsDeps {
  readonly meta: Meta;
  readonly notifier: Notifier;
  readonly alarm: Alarm;
  readonly origin: () => LogOrigin;
  readonly waitUntil: (work: Promise<void>) => void;
  readonly clock: () => number;
}

/** Logs what happens to an outbox, and notifies the account's owner of what they must know. */
export class OwnerNotifications {
  readonly #deps: OwnerNotificationsDeps;

  constructor(deps: OwnerNotificationsDeps) {
    this.#deps = deps;
  }

  /** Sends in the background: a channel that hangs must not delay the alarm, and the messages with it. */
  send(): void {
    const { notifier, alarm, waitUntil } = this.#deps;
    waitUntil(notifier.run().then(() => alarm.bringForward(notifier.nextAt())));
  }

  /** An attempt was recorded. */
  recorded(recorded: RecordedAttempt): void {
    const { before, attempt, decision } = recorded;
    const origin = this.#deps.origin();
    const { account } = origin;
    logAttempt(recorded, origin);
    const isDeadNew = decision.state === 'dead' && this.#once('message.dead', DEAD_TEXT(account), account);
    const isRedirectNew =
      attempt.outcome === 'redirected' && this.#once('gateway.redirected', REDIRECTED_TEXT(account), account);
    if (this.#note(before) || isDeadNew || isRedirectNew) this.send();
  }

  /** Queues a notification unless there was one of its kind within the hour, or another interval (ms). */
  #once(kind: Notification['kind'], text: string, account: string, intervalMs?: number): boolean {
    return this.#deps.notifier.addFirst({ kind, account, at: iso(this.#deps.clock()), text }, { intervalMs });
  }

  /** A webhook was refused before it became an event. */
  refused(notice: RefusedNotice): void {
    const { notifier, origin } = this.#deps;
    const notification = refusedNotification(notice, origin().account, this.#deps.clock());
    if (notifier.addFirst(notification, { of: notice.source })) this.#sendSurely();
  }

  /** No webhook of a source has made anything since its routes were changed. */
  madeNothing(source: string): void {
    const { account } = this.#deps.origin();
    const text = NOTHING_TEXT(account, source);
    this.#deps.notifier.add({ kind: 'source.made_nothing', account, at: iso(this.#deps.clock()), text });
    this.#sendSurely();
  }

  /** A bound left something out of a webhook. `reason` says what and why. */
  leftOut(source: string, reason: string): void {
    const { account } = this.#deps.origin();
    if (this.#once('webhook.left_out', LEFT_OUT_TEXT(account, source, reason), account)) this.#sendSurely();
  }

  /** Another account refused a fallback. `refusal` says why. */
  notTaken(other: string, refusal: string): void {
    const { account } = this.#deps.origin();
    if (this.#once('fallback.refused', NOT_TAKEN_TEXT(account, other, refusal), account)) this.#sendSurely();
  }

  /** A person paused or resumed the account. `before`: its status before that. */
  paused(before: NotifiedStatus): void {
    if (this.#note(before)) this.#sendSurely();
  }

  /** The account has reached its maximum of open incidents: further ones are only counted. */
  beyond(): void {
    const { account } = this.#deps.origin();
    if (this.#once('incidents.beyond', BEYOND_TEXT(account), account)) this.#sendSurely();
  }

  /** A message was suppressed, like all messages of its route. */
  suppressed({ route, source }: MessageRow): void {
    const { account } = this.#deps.origin();
    const text = SUPPRESSED_TEXT(account, `${source ?? ''}/${route ?? ''}`);
    if (this.#once('route.suppressed', text, account, DAY)) this.#sendSurely();
  }

  /** A step of a route was due, but it has no receivers. */
  nobodyToNotify({ source, route }: IncidentParts, step: number): void {
    const { account } = this.#deps.origin();
    const text = NOBODY_TEXT(account, `${source}/${route}`, step);
    if (this.#once('incident.no_receiver', text, account)) this.#sendSurely();
  }

  /** Nobody has pressed the link of the canary in time. `sentAt`: when it was sent (ms). */
  unanswered(seq: number, sentAt: number): void {
    const { notifier, origin } = this.#deps;
    const { account } = origin();
    const text = `hookbell: nobody has pressed the link that the account ${account} sent at ${iso(sentAt)}. Messages may not arrive: check that its device is online.`;
    const notification = { kind: 'canary.unanswered', account, at: iso(this.#deps.clock()), text } as const;
    notifier.add({ ...notification, seq });
    notifier.add(notification);
    this.#sendSurely();
  }

  /** Sources became silent, or are back. */
  silentSources(changes: readonly HeartbeatChange[]): void {
    for (const { notification, heartbeat, silentMs } of changes) {
      logHeartbeat(notification.kind, heartbeat, silentMs, this.#deps.origin());
      this.#deps.notifier.add(notification);
    }
    this.#sendSurely();
  }

  /** The outbox is nearly full, full, or no longer either. */
  storage(kind: StorageChange, level: StorageLevel): void {
    const { notifier, origin } = this.#deps;
    logStorage(kind, level, origin());
    notifier.add(storageNotification(kind, level, origin().account, this.#deps.clock()));
    this.#sendSurely();
  }

  /** Sets the alarm first, in case this object stops before the owner is notified. */
  #sendSurely(): void {
    const { notifier, alarm } = this.#deps;
    alarm.bringForward(notifier.nextAt());
    this.send();
  }

  /** Logs a change of the account's status, and queues its notifications. Returns whether there are any. */
  #note(before: NotifiedStatus): boolean {
    const { meta, notifier, origin } = this.#deps;
    const after = { pause: meta.pause, circuit: meta.circuit };
    const notifications = statusNotifications(before, after, origin().account, this.#deps.clock());
    for (const { kind } of notifications) logAccountStatus(kind, after, origin());
    for (const notification of notifications) notifier.add(notification);
    return notifications.length > 0;
  }
}
