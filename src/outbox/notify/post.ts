import type { NotifyPolicy } from '../../config/documents/account-schema.ts';
import { withEntities, truncateTo } from '../../lib/text.ts';
import { withTimeout } from '../../lib/wait.ts';

/** What the owner of an account is told of: each text is a sentence or two without payload, phone number or secret. */
const TEXTS = {
  'account.paused': (account, why) =>
    `the account ${account} is paused: ${why}. Its messages wait until you resume it.`,
  'account.resumed': (account) => `the account ${account} sends again.`,
  'circuit.opened': (account, failures) =>
    `the gateway of the account ${account} failed ${failures} times in a row. Its messages wait while hookbell probes.`,
  'circuit.closed': (account) =>
    `the gateway of the account ${account} answers again. The queue is being sent.`,
  'gateway.redirected': (account) =>
    `the gateway of the account ${account} redirects calls elsewhere, and redirects are not followed. Check its base URL.`,
  'message.dead': (account) =>
    `a message of the account ${account} will not be tried again. More may follow within the hour: npx hookbell messages --state dead.`,
  'incidents.beyond': (account) =>
    `a source of the account ${account} has its share of 10000 open incidents and of waiting items, or sent more than 1000 new ones in one webhook. Further ones of that source are only counted, and their receivers get summaries.`,
  'incident.no_receiver': (account, route, step) =>
    `nobody acknowledged an incident of the route ${route} (account ${account}), and step ${step} of its \`escalate\` has no receivers. Fill its lists.`,
  'source.silent': (_, source, silent, last) =>
    `the source ${source} has sent no webhook for more than ${silent}. ${last}; check that it is still set up at its provider.`,
  'source.back': (_, source) => `the source ${source} sends webhooks again.`,
  'source.made_nothing': (account, source) =>
    `webhooks of the source ${source} arrive (account ${account}), but none has made a message since its routes were last changed. See why: npx hookbell events --source ${source}.`,
  'webhook.left_out': (account, source, why) =>
    `part of a webhook from the source ${source} was left out (account ${account}): ${why}. Its event has the details. More may follow within the hour.`,
  'webhook.malformed': (account, source, advice) =>
    refusedText(account, source, 'its body cannot be read', advice),
  'webhook.too_large': (account, source, advice) => refusedText(account, source, 'it is too large', advice),
  'fallback.refused': (account, other, why) =>
    `the account ${other} refused a fallback of the account ${account}: ${why}. More may follow within the hour; each message shows why.`,
  'route.suppressed': (account, route) =>
    `nobody gets the messages of the route ${route} (account ${account}): all its receivers have opted out. Other routes may follow within the day: npx hookbell messages --state suppressed.`,
  'canary.unanswered': (account, sentAt) =>
    `nobody has pressed the link that the account ${account} sent at ${sentAt}. Messages may not arrive: check that its device is online.`,
  'storage.low': (account, used) =>
    `the outbox of the account ${account} uses ${used}. Finished events are deleted early, oldest first.`,
  'storage.full': (account, used) =>
    `the outbox of the account ${account} uses ${used}. Webhooks get 503 until there is space; accepted messages are still sent.`,
  'storage.back': (account, used) =>
    `the outbox of the account ${account} uses ${used}. Webhooks are accepted again.`,
} satisfies Readonly<Record<string, Text>>;

type Text = (account: string, ...values: string[]) => string;

const refusedText: Text = (account, source, why, advice) =>
  `A webhook of the source ${source} was refused because ${why} (account ${account}), and its sender may not send it again. ${advice} More may follow within the hour: npx hookbell rejections list --source ${source}.`;

type Texts = typeof TEXTS;

/** A kind of notification, and what its text names besides the account. */
export type Notice = {
  [Kind in keyof Texts]: Parameters<Texts[Kind]> extends [string, ...infer Values]
    ? [Kind, ...Values]
    : never;
}[keyof Texts];

export function textOf(account: string, [kind, ...values]: Notice): string {
  const texts: Readonly<Record<keyof Texts, Text>> = TEXTS;
  return `hookbell: ${texts[kind](account, ...values)}`;
}

/** A notification to an account's owner, over a channel that does not need the gateway. */
export interface Notification {
  readonly kind: keyof Texts | 'message.escaped';
  readonly account: string;
  /** ISO 8601. */
  readonly at: string;
  readonly text: string;
  /** The message that it is about, if it goes over the escape channel. */
  readonly seq?: number | undefined;
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

/** As each service documents it. A text may be a stranger's: no markup, so that it rings nobody and shows its links. */
export function notificationRequest(
  notification: Notification,
  { url: template, format }: NotifyPolicy,
  secret: string,
): { readonly url: string; readonly body: Readonly<Record<string, unknown>> } {
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
function telegramRequest(notification: Notification, url: string) {
  const { origin, pathname, searchParams } = new URL(url);
  searchParams.delete('parse_mode');
  const text = truncateTo(notification.text.replaceAll(MENTION, '@\u2060'), TELEGRAM_CHARACTERS);
  return { url: origin + pathname, body: { ...Object.fromEntries(searchParams), text } };
}

/** ntfy accepts JSON only at its root. The topic, the last part of the address, goes into the body. */
function ntfyRequest({ kind, account, text }: Notification, url: string) {
  const address = new URL(url);
  const topic = address.pathname.split('/').findLast((part) => part !== '') ?? '';
  for (const name of ['markdown', 'md']) address.searchParams.delete(name);
  const isTrouble = kind !== 'circuit.closed' && kind !== 'account.resumed' && kind !== 'source.back';
  return {
    url: `${address.origin}/${address.search}`,
    body: { topic, title: `hookbell: ${account}`, message: text, priority: isTrouble ? 4 : 3 },
  };
}
