import type { Call } from '../../simulator/call-log.ts';
import type { SignedWebhook } from './webhook.ts';

/** The messages that arrived on the phones. */
interface Arrivals {
  /** The number of times that the message of each webhook came, by the webhook's id. */
  readonly times: ReadonlyMap<string, number>;
  readonly ids: ReadonlySet<string>;
  /** Messages that came once more than they should. */
  readonly duplicates: number;
}

/** The text of each message is its webhook's id. */
export function arrivals(calls: readonly Call[]): Arrivals {
  const texts = calls.filter(({ delivered }) => delivered).map(({ params }) => params['message'] ?? '');
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return { times, ids: new Set(times.keys()), duplicates: texts.length - times.size };
}

/** The webhooks that are neither in `ids` nor in `others`. */
export const missing = (
  webhooks: readonly SignedWebhook[],
  ids: ReadonlySet<string>,
  others: ReadonlySet<string> = new Set(),
): readonly string[] => webhooks.map(({ id }) => id).filter((id) => !ids.has(id) && !others.has(id));
