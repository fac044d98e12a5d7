import { eventIdFloor } from '../../lib/id.ts';
import { holdsNumber } from '../../lib/numbers.ts';
import { type Page, type ReadContext, MAX_SCAN, Where } from './read.ts';
import { unpack, type Packed } from '../state/acceptance.ts';
import { withCounts, type CountedEvent } from './event-counts.ts';
import { eventSummary, type EventRow } from './views.ts';

/**
 * The filter of a list of events; an absent field matches all. Times are ms since the epoch; `until` itself is
 * excluded.
 */
export interface EventFilter {
  readonly source?: string | undefined;
  readonly state?: string | undefined;
  readonly type?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** A text in the subject, or in a key or a value of the payload, ignoring case. */
  readonly text?: string | undefined;
  /** The last digits of a number in the payload, however it is written. */
  readonly number?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Absent: newest first. */
  readonly isOldestFirst?: true;
  /** Also counts the receivers of each event, by their outcomes. */
  readonly isCounted?: true;
}

/** A page of events. After a search, it has the number and the size of the payloads that were read for it. */
export interface EventPage extends Page<CountedEvent> {
  readonly searched?: { readonly events: number; readonly bytes: number };
}

/**
 * The maximum number of payloads that one page of a search reads, and the number of bytes after which it ends: this
 * takes about 20 ms.
 */
const MAX_SEARCHED = 2_000;
const MAX_BYTES = 4 * 1_024 * 1_024;

export function listEvents(context: Pick<ReadContext, 'sql' | 'tag'>, filter: EventFilter): EventPage {
  const { sql } = context;
  const { since, until, limit } = filter;
  const matches = matcherOf(filter);
  const [isBehind, order] = filter.isOldestFirst === true ? ['id > ?', 'ASC'] : ['id < ?', 'DESC'];
  const where = new Where()
    .add(isBehind, filter.cursor)
    .add('id >= ?', since === undefined ? undefined : eventIdFloor(since))
    .add('id < ?', until === undefined ? undefined : eventIdFloor(until));
  const match = new Where()
    .add('source = ?', filter.source)
    .add('state = ?', filter.state)
    .add('type = ?', filter.type);
  const rows = sql
    .exec<EventRow>(
      `SELECT * FROM (
         SELECT id, source, type, state, reason, received_at, dedupe_key, duplicates, config_version, stored, replay_of, replayed_by, subject, locale, '' AS payload,
           '' AS headers, '' AS query, '[]' AS items, 0 AS first_message, 0 AS message_count
         FROM events ${where.clause} ORDER BY id ${order} LIMIT ${MAX_SCAN}
       ) ${match.clause} LIMIT ?`,
      ...where.values,
      ...match.values,
      (matches === null ? limit : MAX_SEARCHED) + 1,
    )
    .toArray();
  const found = matches === null ? firstOf(rows, limit) : search(sql, rows, matches, limit);
  const { events, last, searched } = found;
  const summaries = events.map(eventSummary);
  const items = filter.isCounted === true ? withCounts(context, summaries) : summaries;
  const page = (next_cursor: string | null): EventPage => ({
    items,
    next_cursor,
    ...(searched && { searched }),
  });
  if (last !== rows.at(-1)) return page(last?.id ?? null);
  const edge = sql
    .exec<{ id: string }>(
      `SELECT id FROM events ${where.clause} ORDER BY id ${order} LIMIT 1 OFFSET ${MAX_SCAN - 1}`,
      ...where.values,
    )
    .toArray()[0];
  return page(edge?.id ?? null);
}

interface Found extends Pick<EventPage, 'searched'> {
  readonly events: readonly EventRow[];
  /** The last row that was examined. */
  readonly last: EventRow | undefined;
}

function firstOf(rows: readonly EventRow[], limit: number): Found {
  const events = rows.slice(0, limit);
  return { events, last: events.at(-1) };
}

/** Looks for a text or a number in a subject, and in a payload as JSON. */
interface Matcher {
  readonly inSubject: (subject: string) => boolean;
  readonly inPayload: (payload: string) => boolean;
}

function matcherOf({ text, number }: EventFilter): Matcher | null {
  if (number !== undefined) {
    const holds = (where: string): boolean => holdsNumber(where, number);
    return { inSubject: holds, inPayload: holds };
  }
  if (text === undefined) return null;
  // As `JSON.stringify` wrote it: only quotes, backslashes and control characters are escaped.
  const needle = JSON.stringify(text).slice(1, -1).toLowerCase();
  const words = text.toLowerCase();
  return {
    inSubject: (subject) => subject.toLowerCase().includes(words),
    inPayload: (payload) => holds(payload.toLowerCase(), needle),
  };
}

/** Reads one payload after the other, since they can be large. */
function search(sql: SqlStorage, rows: readonly EventRow[], matches: Matcher, limit: number): Found {
  const events: EventRow[] = [];
  let read = 0;
  let bytes = 0;
  for (const row of rows.slice(0, MAX_SEARCHED)) {
    if (events.length === limit || bytes >= MAX_BYTES) break;
    if (row.subject !== null && matches.inSubject(row.subject)) {
      read += 1;
      events.push(row);
      continue;
    }
    const { payload: stored, size } = sql
      .exec<{ payload: Packed; size: number }>(
        'SELECT payload, octet_length(payload) AS size FROM events WHERE id = ?',
        row.id,
      )
      .one();
    const payload = unpack(stored);
    read += 1;
    bytes += Math.max(size, payload.length);
    if (matches.inPayload(payload)) events.push(row);
  }
  return { events, last: rows[read - 1], searched: { events: read, bytes } };
}

/**
 * True if the payload has the text. An `n` that is the second half of an escaped line break is not a letter of the
 * text.
 */
function holds(payload: string, needle: string): boolean {
  for (let at = payload.indexOf(needle); at >= 0; at = payload.indexOf(needle, at + 1)) {
    let from = at;
    while (payload[from - 1] === '\\') from -= 1;
    if ((at - from) % 2 === 0) return true;
  }
  return false;
}
