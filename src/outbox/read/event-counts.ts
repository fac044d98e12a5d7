import { itemViews } from '../incidents/item-views.ts';
import { ofEventSql } from '../state/event-messages.ts';
import { isWaiting } from '../state/states.ts';
import type { ReadContext } from './read.ts';
import type { EventCounts, EventSummary } from './views.ts';

/** Messages and items that are read for one page; the events after them have no counts. */
const MAX_COUNTED = 5_000;

const FAILED: ReadonlySet<string> = new Set(['dead', 'expired']);

type Context = Pick<ReadContext, 'sql' | 'tag'>;

/**
 * The events, each with the counts of its messages, and of its items that notifications are about. A dead message with
 * a fallback counts as that.
 */
export function withCounts(context: Context, events: readonly EventSummary[]): readonly EventSummary[] {
  let left = MAX_COUNTED;
  return events.map((event) => {
    if (left < 0) return event;
    const { size, counts } = countsOf(context, event, left);
    left -= size;
    return left < 0 ? event : { ...event, counts };
  });
}

function countsOf(
  { sql, tag }: Context,
  { id, source }: EventSummary,
  most: number,
): { readonly size: number; readonly counts: EventCounts } {
  const counts = { sent: 0, failed: 0, waiting: 0 };
  const [row] = sql
    .exec<{ message_count: number; items: string; item_count: number }>(
      'SELECT message_count, items, json_array_length(items) AS item_count FROM events WHERE id = ?',
      id,
    )
    .toArray();
  const { message_count: messages = 0, items = '[]', item_count: ofItems = 0 } = row ?? {};
  const size = messages + ofItems;
  if (size === 0 || size > most) return { size, counts };
  for (const { outcome } of itemViews({ sql, tag }, { id, source, items })) {
    if (outcome === 'notified' || outcome === 'summarized') counts.sent += 1;
    else if (outcome === 'expired') counts.failed += 1;
    else if (outcome === 'waiting') counts.waiting += 1;
  }
  for (const { state, n } of messages === 0 ? [] : statesOf(sql, id)) {
    if (state === 'sent') counts.sent += n;
    else if (FAILED.has(state)) counts.failed += n;
    else if (isWaiting(state)) counts.waiting += n;
  }
  return { size, counts };
}

const statesOf = (sql: SqlStorage, id: string) =>
  sql
    .exec<{ state: string; n: number }>(
      `SELECT state, COUNT(*) AS n FROM messages
         WHERE seq IN ${ofEventSql(id)} AND (state != 'dead' OR json_extract(fallback, '$.by') IS NULL)
         GROUP BY state`,
    )
    .toArray();
