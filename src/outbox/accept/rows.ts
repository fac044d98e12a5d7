import { parseOwnJson } from '../../lib/own-json.ts';
import type { AcceptedEvent, DraftMessage, Receipt } from '../state/acceptance.ts';
import { messageId, type MessageRow } from '../state/message.ts';

/** What rows are written with. */
export interface RowContext {
  readonly sql: SqlStorage;
  /** The outbox's random tag, part of each message id. */
  readonly tag: string;
  readonly now: number;
  /** The sequence number of the next message. */
  readonly nextSeq: number;
}

/** Where messages come from; `since` (ms) is what their `expires` counts from. */
export interface Origin {
  /** Null: sent by hand through the admin API. */
  readonly event: string | null;
  readonly source: string | null;
  readonly since: number;
  readonly configVersion: number;
}

/** Queues messages, in the caller's transaction, and returns their rows. */
export function insertMessages(
  context: RowContext,
  messages: readonly DraftMessage[],
  origin: Origin,
): readonly MessageRow[] {
  return messages.map((message, index) => {
    const row = freshRow(context.nextSeq + index, context.now, origin, message);
    insertMessage(context, row);
    return row;
  });
}

/** False when the event is there already. */
export function insertEvent(
  { sql, nextSeq }: RowContext,
  event: AcceptedEvent,
  messageCount: number,
  itemKeys: readonly string[],
): boolean {
  const cursor = sql.exec(
    `INSERT INTO events (id, source, type, state, reason, received_at, dedupe_key, payload, headers, query,
       first_message, message_count, config_version, stored, replay_of, replayed_by,
       shards, home, item_keys)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO NOTHING`,
    event.id,
    event.source,
    event.type,
    event.state,
    event.reason,
    event.receivedAt,
    event.dedupe?.key ?? null,
    event.payload,
    event.headers,
    event.query,
    nextSeq,
    messageCount,
    event.configVersion,
    event.stored ? 1 : 0,
    event.replay?.of ?? null,
    event.replay?.by ?? null,
    JSON.stringify(event.shards),
    event.isHome ? 1 : 0,
    JSON.stringify(itemKeys),
  );
  return cursor.rowsWritten > 0;
}

function freshRow(seq: number, now: number, origin: Origin, message: DraftMessage): MessageRow {
  // A fresh message has no `next_at`: it is sent in the order of its number. See schema.ts.
  const waits = message.delayMs > 0 || message.priority === 'high';
  return {
    seq,
    event_id: origin.event,
    source: origin.source,
    route: message.route,
    kind: message.kind,
    phone: message.phone,
    params: JSON.stringify(message.params),
    state: 'queued',
    reason: null,
    priority: message.priority === 'high' ? 1 : 0,
    on_uncertain: message.onUncertain,
    next_at: waits ? now + message.delayMs : null,
    expires_at: message.expiresMs === null ? null : origin.since + message.expiresMs,
    tries: 0,
    refusals: 0,
    attempts: '[]',
    created_at: now,
    sent_at: null,
    config_version: origin.configVersion,
    actions: '[]',
    forget: message.forget ? 1 : 0,
  };
}

/** The other columns have what a fresh row begins with by their defaults. */
function insertMessage({ sql }: RowContext, row: MessageRow): void {
  sql.exec(
    `INSERT INTO messages (seq, event_id, source, route, kind, phone, params, state, priority, on_uncertain, next_at,
       expires_at, created_at, config_version, forget)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?)`,
    row.seq,
    row.event_id,
    row.source,
    row.route,
    row.kind,
    row.phone,
    row.params,
    row.priority,
    row.on_uncertain,
    row.next_at,
    row.expires_at,
    row.created_at,
    row.config_version,
    row.forget,
  );
}

/**
 * The receipt of an event that is there already. Its messages have consecutive numbers: one transaction wrote them all.
 */
export function receiptOf({ sql, tag }: RowContext, eventId: string, duplicate: boolean): Receipt {
  const row = sql
    .exec<{ first_message: number; message_count: number; shards: string }>(
      'SELECT first_message, message_count, shards FROM events WHERE id = ?',
      eventId,
    )
    .toArray()[0];
  if (row === undefined) return { event: eventId, duplicate, messages: [] };
  const messages = Array.from({ length: row.message_count }, (_, index) =>
    messageId(row.first_message + index, tag),
  );
  return {
    event: eventId,
    duplicate,
    messages,
    ...furtherShards(parseOwnJson<readonly number[]>(row.shards)),
  };
}

/** Nothing for most accounts, which have one object. */
export const furtherShards = (shards: readonly number[]): { shards?: readonly number[] } =>
  shards.length === 0 ? {} : { shards };
