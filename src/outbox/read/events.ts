import { eventIdFloor } from '../../lib/id.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { holdsNumber } from '../../lib/numbers.ts';
import { iso } from '../../lib/time.ts';
import type { EventCounts, EventSummary } from '../answers/api-event.ts';
import type { ItemView } from '../answers/api-incident.ts';
import type { MessageView } from '../answers/api-message.ts';
import { ONLY_COUNTED, OUTDATED, RESOLVES_NOTHING, type ItemReference } from '../incidents/arrivals.ts';
import { outcomeIn, runOf, type OutcomeRun } from '../incidents/incident.ts';
import { idOfName, incidentId, readIncident } from '../incidents/store.ts';
import { unpack, type AccountMessage, type EventReason, type Packed } from '../state/acceptance.ts';
import { ofEventSql, reasonsText } from '../state/event.ts';
import { fallbackLinks } from '../state/fallback.ts';
import { messageId, type MessageRow, type Operation } from '../state/message.ts';
import { isWaiting, type EventState } from '../state/states.ts';
import { MAX_SCAN, readWithin, Where, type Page, type ReadContext } from './read.ts';

/** Payload, headers and query are JSON texts as they are stored; `null` if they are not. */
export interface StoredEvent extends Omit<EventSummary, 'counts'> {
  readonly payload: string;
  readonly headers: string;
  readonly query: string;
  readonly messages: readonly MessageView[];
  readonly items?: readonly ItemView[];
  /** That do not fit into the answer; the list of messages has them. */
  readonly messages_left_out?: number;
}

type Nullable = 'type' | 'subject' | 'locale' | 'reason' | 'dedupe_key' | 'replay_of' | 'replayed_by';
type ListedRow = { state: EventState } & Record<'id' | 'source', string> &
  Record<Nullable, string | null> &
  Record<'received_at' | 'duplicates' | 'config_version' | 'stored', number>;

type EventRow = ListedRow & { payload: Packed } & Record<'headers' | 'query' | 'items', string>;

const reasonsOf = (reasons: readonly EventReason[]) => ({ reason: reasonsText(reasons), reasons });

function eventSummary(row: ListedRow): EventSummary {
  return {
    id: row.id,
    source: row.source,
    type: row.type,
    ...(row.subject !== null && { subject: row.subject }),
    ...(row.locale !== null && { locale: row.locale }),
    state: row.state,
    ...(row.reason !== null && reasonsOf(parseOwnJson<readonly EventReason[]>(row.reason))),
    received_at: iso(row.received_at),
    ...(row.dedupe_key !== null && { dedupe_key: row.dedupe_key }),
    duplicates: row.duplicates,
    config_version: row.config_version,
    stored: row.stored === 1,
    ...(row.replay_of !== null && { replay_of: row.replay_of }),
    ...(row.replayed_by !== null && { replayed_by: row.replayed_by }),
  };
}

/** The maximum number of characters of an event's messages in one answer, see {@link readWithin}. */
const MAX_EVENT_CHARACTERS = 4_000_000;

export function readEvent(context: ReadContext, id: string): StoredEvent | null {
  const row = context.sql.exec<EventRow>('SELECT * FROM events WHERE id = ?', id).toArray()[0];
  if (row === undefined) return null;
  const numbers = context.sql
    .exec<{ seq: number }>(`SELECT seq FROM messages WHERE seq IN ${ofEventSql(id)} ORDER BY seq`)
    .toArray()
    .map(({ seq }) => seq);
  const messages = readWithin(context, numbers, MAX_EVENT_CHARACTERS);
  const left = numbers.length - messages.length;
  return {
    ...eventSummary(row),
    payload: unpack(row.payload),
    headers: row.headers,
    query: row.query,
    messages,
    ...(row.items !== '[]' && { items: itemViews(context, row) }),
    ...(left > 0 && { messages_left_out: left }),
  };
}

function itemViews(
  { sql, tag, open }: Pick<ReadContext, 'sql' | 'tag' | 'open'>,
  event: { readonly id: string; readonly source: string; readonly items: string },
): readonly ItemView[] {
  return parseOwnJson<readonly ItemReference[]>(event.items).map(([route, index, key, phone, n, silence]) => {
    const { source } = event;
    const about = {
      route,
      index,
      ...(phone !== null && { phone }),
      ...(key !== null && { key, incident: incidentId(sql, { source, route, key }) }),
    };
    if (silence !== undefined) return { ...about, outcome: 'silenced', silence };
    if (n === RESOLVES_NOTHING) return { ...about, outcome: 'resolved' };
    if (n === ONLY_COUNTED) return { ...about, outcome: 'summarized' };
    if (n === OUTDATED) return { ...about, outcome: 'outdated' };
    const ref = { source, route, key: key ?? `${event.id}:${index}`, phone: phone ?? '' };
    const incident = readIncident(sql, ref);
    const run = incident === null ? null : runOf(incident, n);
    const waits = run === null ? open?.waitOf(ref) : null;
    return { ...about, ...outcomeView(sql, run, n, tag), ...(waits && { waits }) };
  });
}

function outcomeView(
  sql: SqlStorage,
  run: OutcomeRun | null,
  n: number,
  tag: string,
): Pick<ItemView, 'outcome' | 'message' | 'silence' | 'incident'> {
  const outcome = outcomeIn(run, n);
  if (run === null) return { outcome };
  return {
    outcome,
    ...(run.seq !== undefined && { message: messageId(run.seq, tag) }),
    ...(run.outcome === 'silenced' && { silence: run.by ?? '' }),
    ...(run.outcome === 'inhibited' && { incident: idOfName(sql, run.by ?? '') }),
  };
}

/** An absent field matches all. Times are ms since the epoch; `until` itself is excluded. */
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

export interface EventPage extends Page<CountedEvent> {
  readonly searched?: { readonly events: number; readonly bytes: number };
}

/** Payloads that one page of a search reads, and bytes after which it ends: some 20 ms. */
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
    .exec<ListedRow>(
      `SELECT * FROM (
         SELECT id, source, type, state, reason, received_at, dedupe_key, duplicates, config_version, stored,
           replay_of, replayed_by, subject, locale
         FROM events ${where.clause} ORDER BY id ${order} LIMIT ${MAX_SCAN}
       ) ${match.clause} LIMIT ?`,
      ...where.values,
      ...match.values,
      (matches === null ? limit : MAX_SEARCHED) + 1,
    )
    .toArray();
  const first = rows.slice(0, limit);
  const found = matches === null ? { events: first, last: first.at(-1) } : search(sql, rows, matches, limit);
  const { events, last, searched }: Found = found;
  const summaries = events.map(eventSummary);
  const items = filter.isCounted === true ? withCounts(context, summaries) : summaries;
  const page = (next_cursor: string | null) => ({ items, next_cursor, ...(searched && { searched }) });
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
  readonly events: readonly ListedRow[];
  readonly last: ListedRow | undefined;
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
function search(sql: SqlStorage, rows: readonly ListedRow[], matches: Matcher, limit: number): Found {
  const events: ListedRow[] = [];
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

/** An `n` that is the second half of an escaped line break is not a letter of the text. */
function holds(payload: string, needle: string): boolean {
  for (let at = payload.indexOf(needle); at >= 0; at = payload.indexOf(needle, at + 1)) {
    let from = at;
    while (payload[from - 1] === '\\') from -= 1;
    if ((at - from) % 2 === 0) return true;
  }
  return false;
}

/** Messages and items that are read for one page; the events after them have no counts. */
const MAX_COUNTED = 5_000;

const FAILED: ReadonlySet<string> = new Set(['dead', 'expired']);

type Context = Pick<ReadContext, 'sql' | 'tag'>;
type Counting = { -readonly [Key in keyof EventCounts]: number };

/** `elsewhere`: the messages that other accounts send for it, which are not counted yet. */
export type CountedEvent = EventSummary & { readonly elsewhere?: readonly AccountMessage[] };

/** A dead message with a fallback counts as the fallback; one whose fallback another account has taken is counted there. */
function withCounts(context: Context, events: readonly EventSummary[]): readonly CountedEvent[] {
  let left = MAX_COUNTED;
  return events.map((event) => {
    if (left < 0) return event;
    const { size, counts, elsewhere } = countsOf(context, event, left);
    left -= size;
    return left < 0 ? event : { ...event, counts, elsewhere };
  });
}

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

export interface EventReceivers {
  readonly id: string;
  /** Including those of its items. */
  readonly all: readonly string[];
  readonly failed: readonly Addressed[];
}

export type Addressed = Readonly<Pick<MessageRow, 'route' | 'phone'>>;

/** A replay of an event, or of a replay of it: its messages without fallbacks, and the routes of its items. */
export interface ReplayView {
  readonly id: string;
  readonly original: string;
  readonly messages: readonly (Addressed & { readonly hasFailed: boolean })[];
  readonly items: readonly string[];
}

type Row = Pick<MessageRow, 'seq' | 'route' | 'phone' | 'state' | 'actions' | 'fallback'>;

export const eventReceivers = (sql: SqlStorage, ids: readonly string[]): readonly EventReceivers[] =>
  ids.map((id) => {
    const rows = rowsOf(sql, id);
    const [event] = sql.exec<{ items: string }>('SELECT items FROM events WHERE id = ?', id).toArray();
    const items = parseOwnJson<readonly ItemReference[]>(event?.items ?? '[]');
    const all = [...rows.map(({ phone }) => phone), ...items.map(([, , , phone]) => phone)];
    const failed = firstMessages(rows).filter((one) => one.hasFailed);
    return { id, all: [...new Set(all.filter((phone) => phone !== null))], failed };
  });

/** Returns the replays of these events in this outbox, oldest first. */
export const replaysOf = (sql: SqlStorage, ids: readonly string[]): readonly ReplayView[] =>
  ids.flatMap((original) =>
    sql
      .exec<{ id: string; items: string }>(
        `WITH RECURSIVE replays (id, items) AS (
           SELECT id, items FROM events WHERE replay_of = ?
           UNION ALL SELECT next.id, next.items FROM replays JOIN events AS next ON next.replay_of = replays.id)
         SELECT id, items FROM replays ORDER BY id`,
        original,
      )
      .toArray()
      .map(({ id, items }) => ({
        id,
        original,
        messages: firstMessages(rowsOf(sql, id)),
        items: parseOwnJson<readonly ItemReference[]>(items).map(([route]) => route),
      })),
  );

const rowsOf = (sql: SqlStorage, id: string): readonly Row[] =>
  sql
    .exec<Row>(
      `SELECT seq, route, phone, state, actions, fallback FROM messages WHERE seq IN ${ofEventSql(id)} ORDER BY seq`,
    )
    .toArray();

/** Without fallbacks, which count for the messages that they replace. */
function firstMessages(rows: readonly Row[]): ReplayView['messages'] {
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return rows
    .filter((row) => fallbackLinks(row).of === undefined)
    .map((row) => ({ route: row.route, phone: row.phone, hasFailed: hasFailed(row, bySeq) }));
}

/** As a replay of failures counts it: what waits or is uncertain may still arrive. */
function hasFailed(row: Row, bySeq: ReadonlyMap<number, Row>): boolean {
  const { by, to } = fallbackLinks(row);
  // It may have arrived there.
  if (to !== undefined) return false;
  const next = by === undefined ? undefined : bySeq.get(by);
  if (by !== undefined) return next !== undefined && hasFailed(next, bySeq);
  if (row.state === 'cancelled')
    return parseOwnJson<readonly Operation[]>(row.actions).some(({ action }) => action === 'cancel');
  return row.state === 'dead' || row.state === 'expired';
}
