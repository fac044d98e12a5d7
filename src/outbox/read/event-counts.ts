import { itemViews } from '../incidents/item-views.ts';
import type { AccountMessage } from '../state/acceptance.ts';
import { ofEventSql } from '../state/event.ts';
import { isWaiting } from '../state/states.ts';
import type { ReadContext } from './read.ts';
import type { EventCounts, EventSummary } from '../answers/api-event.ts';

/** The maximum number of messages and items that are read for one page; the events after them have no counts. */
const MAX_COUNTED = 5_000;

const FAILED: ReadonlySet<string> = new Set(['dead', 'expired']);

type Context = Pick<ReadContext, 'sql' | 'tag'>;
type Counting = { -readonly [Key in keyof EventCounts]: number };

/** `elsewhere`: the messages that other accounts send for it, which are not counted yet. */
export interface CountedEvent extends EventSummary {
  readonly elsewhere?: readonly AccountMessage[];
}

/**
 * Returns the events, each with the counts of its messages, and of its items that notifications are about. A dead
 * message with a fallback counts as the fallback; one whose fallback another account has taken is to be counted there.
 */
export function withCounts(context: Context, events: readonly EventSummary[]): readonly CountedEvent[] {
  let left = MAX_COUNTED;
  return events.map((event) => {
    if (left < 0) return event;
    const { size, counts, elsewhere } = countsOf(context, event, left);
    left -= size;
    return left < 0 ? event : { ...event, counts, elsewhere };
  });
}

/** Counts one more message in this state, or several. */
export function countState(counts: Counting, state: string, n = 1): void {
  if (state === 'sent') counts.sent += n;
  else if (FAILED.has(state)) counts.failed += n;
  else if (isWaiting(state)) counts.waiting += n;
}

function countsOf(
  { sql, tag }: Context,
  { id, source }: EventSummary,
  most: number,
): { readonly size: number; readonly counts: EventCounts; readonly elsewhere: readonly AccountMessage[] } {
  const counts = { sent: 0, failed: 0, waiting: 0 };
  const elsewhere: AccountMessage[] = [];
  const [row] = sql
    .exec<{ message_count: number; items: string; item_count: number }>(
      'SELECT message_count, items, json_array_length(items) AS item_count FROM events WHERE id = ?',
      id,
    )
    .toArray();
  const { message_count: messages = 0, items = '[]', item_count: ofItems = 0 } = row ?? {};
  const size = messages + ofItems;
  if (size === 0 || size > most) return { size, counts, elsewhere };
  for (const { outcome } of itemViews({ sql, tag }, { id, source, items })) {
    if (outcome === 'notified' || outcome === 'summarized') counts.sent += 1;
    else if (outcome === 'expired') counts.failed += 1;
    else if (outcome === 'waiting') counts.waiting += 1;
  }
  for (const { state, n, account, message } of messages === 0 ? [] : byState(sql, id)) {
    if (account === null) countState(counts, state, n);
    else if (message === null) counts.waiting += n;
    else elsewhere.push({ account, message });
  }
  return { size, counts, elsewhere };
}

const byState = (sql: SqlStorage, id: string) =>
  sql
    .exec<{ state: string; n: number; account: string | null; message: string | null }>(
      `SELECT state, json_extract(fallback, '$.to.account') AS account, json_extract(fallback, '$.to.message') AS message, COUNT(*) AS n
         FROM messages WHERE seq IN ${ofEventSql(id)} AND (state != 'dead' OR json_extract(fallback, '$.by') IS NULL)
         GROUP BY state, account, message`,
    )
    .toArray();
