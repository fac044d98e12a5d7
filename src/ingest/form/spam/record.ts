import { registry } from '../../../config/registry-client.ts';
import { MINUTE } from '../../../lib/duration.ts';
import { iso } from '../../../lib/iso.ts';
import { describeError, log } from '../../../lib/log.ts';
import { digestOf } from '../../../signature/basics/match.ts';
import { SPAM_OF_SOURCE, type KeptForm, type Spam, type SpamEntry } from '../../../registry/spam.ts';
import { countFlood } from '../../request/flood.ts';
import type { WebhookEvent } from '../../request/event.ts';
import type { Waiter } from '../../request/reject.ts';

/** The maximum number of spam forms that this isolate records for each source in a minute. */
const RECORDED_PER_MINUTE = SPAM_OF_SOURCE.rows;

/** The beginning of the minute, and the number recorded since then, by source. */
let minute = 0;
const recorded = new Map<string, number>();

/**
 * Records a form that was taken for spam, with its content. It is on disk when this resolves, like an event. Returns
 * the id that the visitor gets; null if it could not be stored. `status`: the status of the answer.
 */
export async function recordSpam(
  { env, ctx }: { readonly env: Env; readonly ctx: Waiter },
  event: WebhookEvent,
  { kind, detail }: Spam,
  status: number,
): Promise<string | null> {
  const { source, receivedAt } = event;
  const entry: SpamEntry = {
    at: iso(receivedAt),
    source: source.id,
    status,
    code: 'spam',
    spam: kind,
    detail: `${kind}: ${detail}`,
  };
  if (isFlood(source.id, receivedAt)) {
    countFlood(entry, { env, ctx }, receivedAt);
    return event.id;
  }
  log('warn', 'event.spam', { source: source.id, spam: kind });
  const { type, dedupeKey, payload, headers, query } = event;
  const form: KeptForm = { type, receivedAt, dedupeKey, payload, headers, query };
  try {
    return await registry(env).recordSpam({
      entry,
      event: event.id,
      digest: digestOf(JSON.stringify([source.id, payload])),
      sameMs: source.dedupe.bodyMs,
      form: source.store === 'full' ? JSON.stringify(form) : null,
    });
  } catch (thrown) {
    log('error', 'rejection.record.failed', { error: describeError(thrown) });
    return null;
  }
}

function isFlood(source: string, now: number): boolean {
  if (now - minute >= MINUTE || now < minute) {
    minute = now;
    recorded.clear();
  }
  const count = (recorded.get(source) ?? 0) + 1;
  recorded.set(source, count);
  return count > RECORDED_PER_MINUTE;
}
