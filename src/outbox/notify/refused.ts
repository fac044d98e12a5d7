import { iso } from '../../lib/time.ts';
import type { Notification } from './notification.ts';

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
