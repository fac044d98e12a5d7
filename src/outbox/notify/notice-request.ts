import type { NotifyPolicy } from '../../config/config.ts';
import type { Notice } from './notice.ts';

/** The POST that tells a notice: its address, with the secret in it, and its JSON body. */
export interface NoticeRequest {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The body that each service wants, by its own documentation of incoming webhooks. */
export function noticeRequest(
  notice: Notice,
  { url: template, format }: NotifyPolicy,
  secret: string,
): NoticeRequest {
  // A function: in a replacement text, `$` would have a meaning of its own.
  const url = template.replaceAll('{secret}', () => secret);
  switch (format) {
    case 'slack':
      return { url, body: { text: notice.text } };
    case 'discord':
      // An alert must not ring everybody because a text says `@everyone`.
      return { url, body: { content: notice.text, allowed_mentions: { parse: [] } } };
    case 'ntfy':
      return ntfyRequest(notice, url);
    case 'json':
      return { url, body: { ...notice } };
  }
}

/** ntfy takes JSON at its root only, with the topic, which is the address's last part, in it. */
function ntfyRequest({ kind, account, text }: Notice, url: string): NoticeRequest {
  const address = new URL(url);
  const topic = address.pathname.split('/').findLast((part) => part !== '') ?? '';
  const isTrouble = kind !== 'circuit.closed' && kind !== 'account.resumed' && kind !== 'source.back';
  return {
    url: `${address.origin}/${address.search}`,
    body: { topic, title: `hookbell: ${account}`, message: text, priority: isTrouble ? 4 : 3 },
  };
}
