import { iso } from '../../lib/time.ts';
import type { Circuit } from '../state/circuit.ts';
import type { Pause } from '../state/meta.ts';
import type { StorageChange, StorageLevel } from '../storage/disk.ts';

/** A notification to an account's owner, over a channel that does not need the gateway. */
export interface Notification {
  readonly kind:
    | 'account.paused'
    | 'account.resumed'
    | 'circuit.opened'
    | 'circuit.closed'
    | 'gateway.redirected'
    | 'message.dead'
    | 'incidents.beyond'
    | 'incident.no_receiver'
    | 'source.silent'
    | 'source.back'
    | 'source.made_nothing'
    | 'webhook.left_out'
    | 'webhook.malformed'
    | 'webhook.too_large'
    | 'fallback.refused'
    | 'route.suppressed'
    | 'message.escaped'
    | 'canary.unanswered'
    | StorageChange;
  readonly account: string;
  /** ISO 8601. */
  readonly at: string;
  /** A sentence or two for a person. No payload, no phone number, no secret. */
  readonly text: string;
  /** The message that it is about, if it goes over the escape channel. */
  readonly seq?: number;
}

/** The account's status as its owner is notified of it. */
export interface NotifiedStatus {
  readonly pause: Pause | null;
  readonly circuit: Circuit;
}

/** Returns the notifications for a change of the account's status; none if it is the same. */
export function statusNotifications(
  before: NotifiedStatus,
  after: NotifiedStatus,
  account: string,
  now: number,
): readonly Notification[] {
  const notifications: Notification[] = [];
  const add = (kind: Notification['kind'], text: string): number =>
    notifications.push({ kind, account, at: iso(now), text });
  if (before.pause === null && after.pause !== null) {
    add(
      'account.paused',
      `hookbell: the account ${account} is paused: ${after.pause.reason}. Its messages wait until you resume it.`,
    );
  }
  if (before.pause !== null && after.pause === null)
    add('account.resumed', `hookbell: the account ${account} sends again.`);
  if (before.circuit.probeAt === null && after.circuit.probeAt !== null) {
    const { failures } = after.circuit;
    add(
      'circuit.opened',
      `hookbell: the gateway of the account ${account} failed ${failures} times in a row. Its messages wait while hookbell probes.`,
    );
  }
  if (before.circuit.probeAt !== null && after.circuit.probeAt === null) {
    add(
      'circuit.closed',
      `hookbell: the gateway of the account ${account} answers again. The queue is being sent.`,
    );
  }
  return notifications;
}

const MIB = 1_048_576;

const STORAGE_TEXTS: Readonly<Record<StorageChange, string>> = {
  'storage.low': 'Finished events are deleted early, oldest first',
  'storage.full': 'Webhooks get 503 until there is space; accepted messages are still sent',
  'storage.back': 'Webhooks are accepted again',
};

/** Returns the notification for a change of an outbox's fill level. */
export function storageNotification(
  kind: StorageChange,
  level: StorageLevel,
  account: string,
  now: number,
): Notification {
  const { bytes, maxBytes } = level;
  const used = `${Math.ceil(bytes / MIB)} of ${Math.floor(maxBytes / MIB)} MiB (${Math.floor((bytes * 100) / maxBytes)} %)`;
  const text = `hookbell: the outbox of the account ${account} uses ${used}. ${STORAGE_TEXTS[kind]}.`;
  return { kind, account, at: iso(now), text };
}

/** The minimum time between notifications of the same trouble to an owner, in ms: the first in an hour is sent. */
export const NOTIFICATION_INTERVAL_MS = 60 * 60_000;

/** Webhooks of a source were refused for what they are, before they became events. */
export interface RefusedNotice {
  readonly kind: 'webhook.too_large' | 'webhook.malformed';
  readonly source: string;
  /** Says why, and how to fix it, without parts of the body. */
  readonly detail: string;
}

const WHAT: Readonly<Record<RefusedNotice['kind'], string>> = {
  'webhook.too_large': 'A webhook of the source {source} was refused because it is too large',
  'webhook.malformed': 'A webhook of the source {source} was refused because its body cannot be read',
};

/** Returns the notification of a refusal. */
export const refusedNotification = (
  { kind, source, detail }: RefusedNotice,
  account: string,
  now: number,
): Notification => ({
  kind,
  account,
  at: iso(now),
  text: `hookbell: ${WHAT[kind].replace('{source}', source)} (account ${account}), and its sender may not send it again. ${detail} More may follow within the hour: npx hookbell rejections list --source ${source}.`,
});
