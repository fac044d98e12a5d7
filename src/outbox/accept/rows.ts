import { parseOwnJson } from '../../lib/json.ts';
import type { AcceptedEvent, DraftMessage, MessageOrigin, Receipt } from '../state/acceptance.ts';
import { withLinksOf, type LinkMaker } from '../state/links.ts';
import { numberOf, standingOf } from '../../lib/shares.ts';
import { fallbackText } from '../state/fallback.ts';
import { watchMessage } from '../state/handings.ts';
import { messageId, type MessageRow } from '../state/message.ts';

/** The context that rows are written with. */
export interface RowContext {
  readonly sql: SqlStorage;
  /** The outbox's random tag, part of each message id. */
  readonly tag: string;
  readonly now: number;
  /** The sequence number of the next message. */
  readonly nextSeq: number;
  /** Absent: messages have no links that can be pressed. */
  readonly links?: LinkMaker;
}

/** Queues messages, in the caller's transaction, and returns their rows. */
export function insertMessages(
  context: RowContext,
  messages: readonly DraftMessage[],
  origin: MessageOrigin,
): readonly MessageRow[] {
  return messages.map((message, index) => {
    const row = freshRow(context.nextSeq + index, context.now, origin, message, context.links);
    insertMessage(context, row);
    return row;
  });
}

const INSERT_EVENT = `INSERT INTO events
  (id, source, type, state, reason, received_at, dedupe_key, payload, headers, query, first_message, message_count,
   config_version, stored, replay_of, replayed_by, item_keys, items, subject, locale)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;

/** Writes the event. False if it is there already. */
export function insertEvent(
  { sql, nextSeq }: RowContext,
  event: AcceptedEvent,
  messageCount: number,
  { itemKeys, items }: { readonly itemKeys: readonly string[]; readonly items: string },
): boolean {
  const { rowsWritten } = sql.exec(
    INSERT_EVENT,
    event.id,
    event.source,
    event.type,
    event.state,
    event.reasons.length === 0 ? null : JSON.stringify(event.reasons),
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
    JSON.stringify(itemKeys),
    items,
    event.subject ?? null,
    event.locale ?? null,
  );
  return rowsWritten > 0;
}

/** The row of a message that is queued. */
export function freshRow(
  seq: number,
  now: number,
  origin: MessageOrigin,
  draft: DraftMessage,
  by: LinkMaker | null = null,
): MessageRow {
  const { message, links } = withLinksOf(draft, seq, now, by);
  // A fresh message has no `next_at`: messages are sent in the order of their numbers. See schema.ts.
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
    reason: message.reason === undefined ? null : JSON.stringify(message.reason),
    priority: message.priority === 'high' ? 1 : 0,
    standing: numberOf(standingOf(origin.isOpen === true, message.priority)),
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
    about: message.about === undefined ? null : JSON.stringify(message.about),
    says: message.says === undefined ? null : JSON.stringify(message.says),
    fallback: fallbackText(message.fallback, message),
    links,
    escaped: message.isEscape === true ? 0 : null,
  };
}

const COLUMNS = `
  seq, event_id, source, route, kind, phone, params, state, reason, priority, standing, on_uncertain, next_at, expires_at, tries,
  refusals, attempts, created_at, sent_at, config_version, actions, forget, about, says, fallback, links, escaped`
  .split(',')
  .map((name) => name.trim());

const INSERT_MESSAGE = `INSERT INTO messages (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;

/** Queues one message, in the caller's transaction. */
export function insertMessage({ sql, now }: Pick<RowContext, 'sql' | 'now'>, row: MessageRow): void {
  sql.exec(INSERT_MESSAGE, ...COLUMNS.map((column) => row[column] ?? null));
  watchMessage(sql, row, now);
}

/**
 * Writes something newer into the row of a message that waits, which keeps its place and its attempts. Returns the row.
 */
export function rewriteMessage<Row extends Pick<MessageRow, 'seq'>>(
  sql: SqlStorage,
  row: Row,
  draft: DraftMessage,
  origin: MessageOrigin,
  by: LinkMaker | null = null,
): Row {
  const made = freshRow(row.seq, origin.since, origin, draft, by);
  const { kind, params, reason, about, says, fallback, links, forget, on_uncertain, expires_at } = made;
  const { event_id, config_version } = made;
  const content = { kind, params, reason, about, says, fallback, links };
  const next = { ...content, forget, on_uncertain, expires_at, event_id, config_version };
  const known: Partial<MessageRow> = row;
  const isSame = Object.entries(next).every(([column, value]) => known[column] === value);
  if (!isSame)
    sql.exec(
      `UPDATE messages SET ${Object.keys(next).join(' = ?, ')} = ? WHERE seq = ?`,
      ...Object.values(next),
      row.seq,
    );
  watchMessage(
    sql,
    { ...made, next_at: known.next_at ?? null, created_at: known.created_at ?? made.created_at },
    origin.since,
  );
  return { ...row, ...next };
}

/**
 * Returns the receipt of an event that is there already. Its messages have consecutive numbers: one transaction wrote
 * them all.
 */
export function receiptOf({ sql, tag }: RowContext, eventId: string, duplicate: boolean): Receipt {
  const row = sql
    .exec<{ first_message: number; message_count: number; items: string }>(
      'SELECT first_message, message_count, items FROM events WHERE id = ?',
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
    // The same as in the first answer, whatever has happened since.
    ...(row.items !== '[]' && { waiting: parseOwnJson<readonly unknown[]>(row.items).length }),
  };
}
