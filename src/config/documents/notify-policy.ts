import { isLoopback } from '../../lib/http-url.ts';

/**
 * A URL with a secret part, `{secret}`, which is the value of a Worker secret, and the format that its service expects.
 */
export interface NotifyPolicy {
  readonly url: string;
  readonly secret: string | null;
  readonly format: NotifyFormat;
}

export type NotifyFormat = 'json' | 'slack' | 'discord' | 'ntfy' | 'telegram';

/** True if notifications may go to this address: it uses https, or is on this machine. */
export function isNotifyUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}
