import { parseOwnJson } from '../../lib/json.ts';
import type { AcceptedEvent, DraftMessage, MessageOrigin, Receipt } from '../state/acceptance.ts';
import { withLinksOf, type LinkMaker } from '../state/links.ts';
import { numberOf, standingOf } from '../../lib/shares.ts';
import { fallbackText, watchMessage } from '../state/fallback.ts';
import { insertRow } from '../../lib/store.ts';
import { changeRow, messageId, UNTRIED, type MessageRow } from '../state/message.ts';

export interface RowContext {
  readonly sql: SqlStorage;
  readonly tag: string;
  readonly now: number;
  readonly nextSeq: number;
  /** Absent: messages have no links that can be pressed. */
  readonly links?: LinkMaker;
}

export function insertMessages(
  context: RowContext,
  messages: readonly DraftMessage[],
  origin: MessageOrigin,
) {
  return messages.map((message, index) => {
    const row = freshRow(context.nextSeq + index, context.now, origin, message, context.links);
    insertMessage(context, row);
    return row;
  });
}

/** False if it is there already. */
export function insertEvent(
  { sql, nextSeq }: RowContext,
  event: AcceptedEvent,
  messageCount: number,
  { itemKeys, items }: { readonly itemKeys: readonly string[]; readonly items: string },
): boolean {
  const { id, source, type, state, reasons, dedupe, payload, headers, query, replay, stored } = event;
  const row = {
    id,
    source,
    type,
    state,
    reason: reasons.length === 0 ? null : JSON.stringify(reasons),
    received_at: event.receivedAt,
    dedupe_key: dedupe?.key ?? null,
    payload,
    headers,
    query,
    first_message: nextSeq,
    message_count: messageCount,
    config_version: event.configVersion,
    stored: stored ? 1 : 0,
    replay_of: replay?.of ?? null,
    replayed_by: replay?.by ?? null,
    item_keys: JSON.stringify(itemKeys),
    items,
    subject: event.subject ?? null,
    locale: event.locale ?? null,
  };
  return insertRow(sql, 'events', row, 'ON CONFLICT (id) DO NOTHING').rowsWritten > 0;
}

export function freshRow(
  seq: number,
  now: number,
  origin: MessageOrigin,
  draft: DraftMessage,
  by: LinkMaker | null = null,
): MessageRow {
  const { message, links } = withLinksOf(draft, seq, now, by);
  // A fresh message has no `next_at`: messages are sent in the order of their numbers. See schema.ts.
  const { delayMs = 0, expiresMs = null, forget = false } = message;
  const { onUncertain = 'retry', priority = 'normal' } = message;
  const waits = delayMs > 0 || priority === 'high';
  return {
    seq,
    event_id: origin.event,
    source: origin.source,
    route: message.route,
    kind: message.kind,
    phone: message.phone,
    params: JSON.stringify(message.params),
    ...UNTRIED,
    reason: message.reason === undefined ? null : JSON.stringify(message.reason),
    priority: priority === 'high' ? 1 : 0,
    standing: numberOf(standingOf(origin.isOpen === true, priority)),
    on_uncertain: onUncertain,
    next_at: waits ? now + delayMs : null,
    expires_at: expiresMs === null ? null : origin.since + expiresMs,
    created_at: now,
    config_version: origin.configVersion,
    forget: forget ? 1 : 0,
    about: message.about === undefined ? null : JSON.stringify(message.about),
    says: message.says === undefined ? null : JSON.stringify(message.says),
    fallback: fallbackText(message.fallback, message),
    links,
    escaped: message.isEscape === true ? 0 : null,
  };
}

export function insertMessage({ sql, now }: Pick<RowContext, 'sql' | 'now'>, row: MessageRow): void {
  insertRow(sql, 'messages', row);
  watchMessage(sql, row, now);
}

/** The message waits, and keeps its place and its attempts. */
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
  if (!isSame) changeRow(sql, row, next);
  const times = { next_at: known.next_at ?? null, created_at: known.created_at ?? made.created_at };
  watchMessage(sql, { ...made, ...times }, origin.since);
  return { ...row, ...next };
}

/** Of an event that is there already. One transaction wrote its messages, so their numbers are consecutive. */
export function receiptOf({ sql, tag }: RowContext, eventId: string, duplicate: boolean): Receipt {
  const [row = { first_message: 0, message_count: 0, items: '[]' }] = sql
    .exec<{ first_message: number; message_count: number; items: string }>(
      'SELECT first_message, message_count, items FROM events WHERE id = ?',
      eventId,
    )
    .toArray();
  const { first_message: first, message_count: length, items } = row;
  return {
    event: eventId,
    duplicate,
    messages: Array.from({ length }, (_, index) => messageId(first + index, tag)),
    // The same as in the first answer, whatever has happened since.
    ...(items !== '[]' && { waiting: parseOwnJson<readonly unknown[]>(items).length }),
  };
}
