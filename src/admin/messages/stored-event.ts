import type { Source } from '../../config/compiled/config.ts';
import { inItsLanguage, type WebhookEvent } from '../../ingest/request/event.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import type { StoredEvent } from '../../outbox/read/views.ts';

/** Restores a stored event for today's `source`. Its templates see the same time and dedupe key as before. */
export function restoredEvent(stored: StoredEvent, source: Source, id: string): WebhookEvent {
  return inItsLanguage({
    id,
    source,
    type: stored.type,
    receivedAt: Date.parse(stored.received_at),
    dedupeKey: stored.dedupe_key ?? null,
    // A replayed event was seen before, so its body is not claimed again.
    signed: null,
    payload: parseOwnJson<unknown>(stored.payload),
    headers: parseOwnJson<Record<string, string>>(stored.headers),
    query: parseOwnJson<Record<string, string>>(stored.query),
  });
}
