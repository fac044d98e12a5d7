import type { NotifyPolicy } from '../../config/documents/account-schema.ts';
import { withTimeout } from '../../lib/wait.ts';
import type { Notification } from './notification.ts';
import { notificationRequest } from './notification-request.ts';

/** A channel has to answer within this (ms). */
export const TIMEOUT_MS = 10_000;

/** The waits between the tries of one notification (ms). After the last try it is given up, and only the log has it. */
export const RETRY_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000] as const;

/**
 * Posts a notification. Returns the status of the answer; null: there was none. The URL is a secret, so neither it nor
 * the error's text is returned or logged.
 */
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

/** True if an answer of this status means that the channel has taken it. */
export const isTaken = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
