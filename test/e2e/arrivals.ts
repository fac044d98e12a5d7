import type { Call } from '../../simulator/call-log.ts';
import type { MessageView } from '../../src/answers/api-message.ts';
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

/** The gateway answers each call properly, so an attempt of unknown outcome is one that a kill cut off. */
export const interruptionsOf = (...messages: readonly MessageView[]): number =>
  messages.flatMap(({ attempts }) => attempts).filter(({ outcome }) => outcome === 'uncertain').length;

/** A fault of the form `3 lost: a, b, c`, or none. */
export const listed = (what: string, list: readonly string[]): string | null =>
  list.length === 0 ? null : `${list.length} ${what}: ${list.slice(0, 10).join(', ')}`;

/** A fault if it is one. */
export const fault = (isOne: boolean, what: string): string | null => (isOne ? what : null);

/** The faults, with what was seen; empty if there are none. */
export function faultsOf(seen: object, faults: readonly (string | null)[]): readonly string[] {
  const found = faults.filter((one) => one !== null);
  return found.length === 0 ? [] : [...found, JSON.stringify(seen)];
}
