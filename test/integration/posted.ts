import { env } from 'cloudflare:workers';
import { postJson, receiptOf, type ReceiptJson } from './relay.ts';

export const outbox = (account = 'default') => env.OUTBOX.getByName(account);

/** Posts JSON, and returns its receipt. */
export const take = (
  path: string,
  payload: unknown,
  headers?: Record<string, string>,
): Promise<ReceiptJson> => receiptOf(postJson(path, payload, headers));

/** Posts to the route `toPhone` of sources.ts, and returns the id of the first message. */
export async function postTo(source: string, phone: string, more: object = {}): Promise<string> {
  return (await take(source, { phone: `+${phone}`, ...more })).messages[0] ?? '';
}
