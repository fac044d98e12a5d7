import { withEntities, truncateTo } from '../../lib/text.ts';
import type { NotifyPolicy } from '../../config/documents/account-schema.ts';
import type { Notification } from './notification.ts';

/** https://core.telegram.org/bots/api#sendmessage; in UTF-16 units here. */
const TELEGRAM_CHARACTERS = 4_096;

/** A link, or a sign of Discord's Markdown. Inside of a link, a backslash would be part of it. */
const LINK_OR_SIGN = /(?<![a-z0-9])https?:\/\/[\w./?=&%#:@+,;~-]+|[\\*_~`|[<#]|^>/gim;

/** The beginning of a mention, which has no other sign in Telegram. An e-mail address has none. */
const MENTION = /(?<!\w)@(?=\w)/g;

/** The POST that sends a notification: its address, with the secret in it, and its JSON body. */
interface NotificationRequest {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The body that each service expects, by its documentation of incoming webhooks. A text may be a stranger's: it is no
 * markup, so that it rings nobody and each link shows its own address.
 */
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
