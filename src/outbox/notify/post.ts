import type { NotifyPolicy } from '../../config/documents/account-schema.ts';
import { withEntities, truncateTo } from '../../lib/text.ts';
import { withTimeout } from '../../lib/wait.ts';
import type { StorageChange } from '../storage/disk.ts';

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

/** A channel has to answer within this (ms). */
export const TIMEOUT_MS = 10_000;

/** The waits between tries (ms). After the last one, a notification is given up, and only the log has it. */
export const RETRY_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000] as const;

/** Returns the answer's status; null: there was none. The URL is a secret: neither it nor an error's text is logged. */
export async function post(
  notification: Notification,
  policy: NotifyPolicy,
  secret: string,
  fetch: typeof globalThis.fetch,
): Promise<number | null> {
  try {
    const { url, body } = notificationRequest(notification, policy, secret);
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body), redirect: 'manual' } as const;
    const response = await withTimeout(TIMEOUT_MS, (signal) => fetch(url, { ...init, signal }));
    // The body is not used, and a failure to discard it does not matter.
    await response.body?.cancel().catch(() => undefined);
    return response.status;
  } catch {
    return null;
  }
}

/** True if the channel has taken it. */
export const isTaken = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** https://core.telegram.org/bots/api#sendmessage; in UTF-16 units here. */
const TELEGRAM_CHARACTERS = 4_096;

/** A link, or a sign of Discord's Markdown. Inside of a link, a backslash would be part of it. */
const LINK_OR_SIGN = /(?<![a-z0-9])https?:\/\/[\w./?=&%#:@+,;~-]+|[\\*_~`|[<#]|^>/gim;

/** The beginning of a mention, which has no other sign in Telegram. An e-mail address has none. */
const MENTION = /(?<!\w)@(?=\w)/g;

interface NotificationRequest {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** As each service documents it. A text may be a stranger's: no markup, so that it rings nobody and shows its links. */
export function notificationRequest(
  notification: Notification,
  { url: template, format }: NotifyPolicy,
  secret: string,
): NotificationRequest {
  // A function, since `$` has a special meaning in a replacement text.
  const url = template.replaceAll('{secret}', () => secret);
  switch (format) {
    case 'slack':
      return { url, body: { text: withEntities(notification.text) } };
    case 'discord': {
      const content = notification.text.replaceAll(LINK_OR_SIGN, (found) =>
        found.length > 1 ? found : `\\${found}`,
      );
      return { url, body: { content, allowed_mentions: { parse: [] } } };
    }
    case 'ntfy':
      return ntfyRequest(notification, url);
    case 'telegram':
      return telegramRequest(notification, url);
    case 'json':
      return { url, body: { ...notification } };
  }
}

/** Telegram gets all of its parameters in the body. */
function telegramRequest(notification: Notification, url: string): NotificationRequest {
  const { origin, pathname, searchParams } = new URL(url);
  searchParams.delete('parse_mode');
  const text = truncateTo(notification.text.replaceAll(MENTION, '@\u2060'), TELEGRAM_CHARACTERS);
  return { url: origin + pathname, body: { ...Object.fromEntries(searchParams), text } };
}

/** ntfy accepts JSON only at its root. The topic, the last part of the address, goes into the body. */
function ntfyRequest({ kind, account, text }: Notification, url: string): NotificationRequest {
  const address = new URL(url);
  const topic = address.pathname.split('/').findLast((part) => part !== '') ?? '';
  for (const name of ['markdown', 'md']) address.searchParams.delete(name);
  const isTrouble = kind !== 'circuit.closed' && kind !== 'account.resumed' && kind !== 'source.back';
  return {
    url: `${address.origin}/${address.search}`,
    body: { topic, title: `hookbell: ${account}`, message: text, priority: isTrouble ? 4 : 3 },
  };
}
