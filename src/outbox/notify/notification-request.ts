import { truncateTo } from '../../lib/graphemes.ts';
import type { NotifyPolicy } from '../../config/notify-policy.ts';
import type { Notification } from './notification.ts';

/** https://core.telegram.org/bots/api#sendmessage; in UTF-16 units here. */
const TELEGRAM_CHARACTERS = 4_096;

/** The POST that sends a notification: its address, with the secret in it, and its JSON body. */
interface NotificationRequest {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The body that each service expects, by its documentation of incoming webhooks. */
export function notificationRequest(
  notification: Notification,
  { url: template, format }: NotifyPolicy,
  secret: string,
): NotificationRequest {
  // A function, since `$` has a special meaning in a replacement text.
  const url = template.replaceAll('{secret}', () => secret);
  switch (format) {
    case 'slack':
      return { url, body: { text: notification.text } };
    case 'discord':
      // An alert must not ring everybody because a text says `@everyone`.
      return { url, body: { content: notification.text, allowed_mentions: { parse: [] } } };
    case 'ntfy':
      return ntfyRequest(notification, url);
    case 'telegram':
      return telegramRequest(notification, url);
    case 'json':
      return { url, body: { ...notification } };
  }
}

/** Telegram gets all of its parameters in the body. */
function telegramRequest({ text }: Notification, url: string): NotificationRequest {
  const { origin, pathname, searchParams } = new URL(url);
  return {
    url: origin + pathname,
    body: { ...Object.fromEntries(searchParams), text: truncateTo(text, TELEGRAM_CHARACTERS) },
  };
}

/** ntfy accepts JSON only at its root. The topic, the last part of the address, goes into the body. */
function ntfyRequest({ kind, account, text }: Notification, url: string): NotificationRequest {
  const address = new URL(url);
  const topic = address.pathname.split('/').findLast((part) => part !== '') ?? '';
  const isTrouble = kind !== 'circuit.closed' && kind !== 'account.resumed' && kind !== 'source.back';
  return {
    url: `${address.origin}/${address.search}`,
    body: { topic, title: `hookbell: ${account}`, message: text, priority: isTrouble ? 4 : 3 },
  };
}
