import type { Source } from '../../config/compiled/config.ts';
import { problemResponse } from '../../lib/problem.ts';
import { iso } from '../../lib/time.ts';
import type { Refusal } from '../../outbox/state/acceptance.ts';
import { countFlood, type FloodContext } from '../request/reject.ts';
import { tooManyWebhooks } from './accept.ts';

/** An outbox's answer for a source that is over its limit. */
interface Remembered {
  /** The limit, and the account whose outbox refused the webhook, as one text. */
  readonly of: string;
  /**
   * Webhooks of fewer bytes may still be accepted. So may webhooks of fewer messages, but only after all the work of
   * counting those.
   */
  readonly fromBytes: number;
  /** Somewhat later than the outbox meant, by the time that its answer took to arrive (ms). */
  readonly until: number;
}

/**
 * The sources that are over their limit, by id, as far as this isolate knows: a flood is refused before its bodies are
 * parsed, and without calling the outbox. Keyed by the namespace, so that two deployments in one process (tests) share
 * nothing.
 */
const memories = new WeakMap<KVNamespace, Map<string, Remembered>>();

const textOf = ({ account, limit }: Source): string => JSON.stringify([account, limit]);

/**
 * Refuses a webhook if this isolate knows that its source is over its limit; null if it does not know, so the webhook
 * goes on. Only the outbox decides: its last refusal expires at the time that it named, or when the source's limit or
 * account changes.
 */
export function refuseKnown(
  source: Source,
  bytes: number,
  context: FloodContext,
  now: number,
): Response | null {
  const known = memories.get(context.env.CONFIG)?.get(source.id);
  if (known === undefined || bytes < known.fromBytes || now >= known.until) return null;
  return known.of === textOf(source) ? refuse(source, known.until - now, context, now) : null;
}

/** Refuses a webhook that the outbox refused, and remembers that. `now`: when it came in. */
export function refuseLimited(
  source: Source,
  bytes: number,
  { by, waitMs }: Refusal,
  context: FloodContext,
  now: number,
): Response {
  const { CONFIG } = context.env;
  const memory = memories.get(CONFIG) ?? new Map<string, Remembered>();
  memories.set(CONFIG, memory);
  const fromBytes = by === 'requests' ? 0 : bytes;
  memory.set(source.id, { of: textOf(source), fromBytes, until: Date.now() + waitMs });
  return refuse(source, waitMs, context, now);
}

function refuse({ id, limit }: Source, waitMs: number, context: FloodContext, now: number): Response {
  const detail = limit === null ? '' : describeLimit(limit);
  countFlood({ at: iso(now), source: id, status: 429, code: 'limited', detail }, context, now);
  return problemResponse(tooManyWebhooks(waitMs));
}

function describeLimit(limit: NonNullable<Source['limit']>): string {
  const { perMinute, burst, bytesPerHour, messagesPerMinute } = limit;
  const atOnce = burst === perMinute ? '' : ` (${burst} at once)`;
  const parts = [
    `${perMinute} webhooks a minute${atOnce}`,
    ...(messagesPerMinute === null ? [] : [`${messagesPerMinute} messages a minute`]),
    ...(bytesPerHour === null ? [] : [`${bytesPerHour / 1_048_576} MiB an hour`]),
  ];
  return `over the source's limit: ${parts.join(', ')}`;
}
