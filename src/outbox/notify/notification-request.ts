import type { NotifyPolicy } from '../../config/config.ts';
import type { Notification } from './notification.ts';

/** The POST that tells a notification: its address, with the secret in it, and its JSON body. */
interface NotificationRequest {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The body that each service wants, by its own documentation of incoming webhooks. */
export function notificationRequest(
  notification: Notification,
  { url: template, format }: NotifyPolicy,
  secret: string,
): NotificationRequest {
  // A function: in a replacement text, `$` would have a meaning of its own.
  const url = template.replaceAll('{secret}', () => secret);
  switch (format) {
    case 'slack':
      return { url, body: { text: notification.text } };
    case 'discord':
      // An alert must not ring everybody because a text says `@everyone`.
      return { url, body: { content: notification.text, allowed_mentions: { parse: [] } } };
    case 'ntfy':
      return ntfyRequest(notification, url);
    case 'json':
      return { url, body: { ...notification } };
  }
}

/** ntfy takes JSON at its root only, with the topic, which is the address's last part, in it. */
function ntfyRequest({ kind, account, text }: Notification, url: string): NotificationRequest {
  const address = new URL(url);
  const topic = address.pathname.split('/').findLast((part) => part !== '') ?? '';
  const isTrouble = kind !== 'circuit.closed' && kind !== 'account.resumed' && kind !== 'source.back';
  return {
    url: `${address.origin}/${address.search}`,
    body: { topic, title: `hookbell: ${account}`, message: text, priority: isTrouble ? 4 : 3 },
  };
}
