import { eventIdFloor } from '../../lib/id.ts';
import { parseOwnJson, present } from '../../lib/json.ts';
import { holdsNumber } from '../../lib/numbers.ts';
import { readRows } from '../../lib/store.ts';
import { iso } from '../../lib/time.ts';
import type { EventAnswer, EventCounts, EventSummary } from '../../answers/api-event.ts';
import type { ItemView } from '../../answers/api-incident.ts';
import { ONLY_COUNTED, OUTDATED, RESOLVES_NOTHING, type ItemReference } from '../incidents/arrivals.ts';
import { outcomeIn, runOf } from '../incidents/incident.ts';
import { idOfName, incidentId, readIncident } from '../incidents/store.ts';
import { unpack, type AccountMessage, type EventReason, type Packed } from '../state/acceptance.ts';
import { ofEventSql, reasonsText } from '../state/event.ts';
import { fallbackLinks } from '../state/fallback.ts';
import { messageId, type MessageRow, type Operation } from '../state/message.ts';
import { isWaiting, type EventState, type ItemOutcome, type MessageState } from '../../schema/states.ts';
import { equal, readWithin, scan, type Page, type ReadContext } from './read.ts';

type Texts = 'payload' | 'headers' | 'query';

/** These are JSON texts as they are stored; `null` if they are not. */
export type StoredEvent = Omit<EventAnswer, Texts> & Readonly<Record<Texts, string>>;

type Nullable = 'type' | 'subject' | 'locale' | 'reason' | 'dedupe_key' | 'replay_of' | 'replayed_by';
type ListedRow = { state: EventState } & Record<'id' | 'source', string> &
  Record<Nullable, string | null> &
  Record<'received_at' | 'duplicates' | 'config_version' | 'stored', number>;

const LISTED = `id, source, type, subject, locale, state, reason, received_at, dedupe_key, duplicates, config_version,
  stored, replay_of, replayed_by`;

function eventSummary(row: ListedRow): EventSummary {
  const { reason, received_at, stored, subject, locale, dedupe_key, replay_of, replayed_by, ...rest } = row;
  const reasons = reason === null ? null : parseOwnJson<readonly EventReason[]>(reason);
  return {
    ...rest,
    received_at: iso(received_at),
    stored: stored === 1,
    ...(reasons && { reason: reasonsText(reasons), reasons }),
    ...present({ subject, locale, dedupe_key, replay_of, replayed_by }),
  };
}

/** The maximum number of characters of an event's messages in one answer, see {@link readWithin}. */
const MAX_EVENT_CHARACTERS = 4_000_000;

export function readEvent(context: ReadContext, id: string): StoredEvent | null {
  const [row] = readRows<ListedRow & { payload: Packed } & Record<'headers' | 'query' | 'items', string>>(
    context.sql,
    `SELECT ${LISTED}, payload, headers, query, items FROM events WHERE id = ?`,
    id,
  );
  if (row === undefined) return null;
  const { payload, headers, query, items, ...listed } = row;
  const numbers = messagesOf(context.sql, id, ['seq']).map(({ seq }) => seq);
  const messages = readWithin(context, numbers, MAX_EVENT_CHARACTERS);
  const left = numbers.length - messages.length;
  return {
    ...eventSummary(listed),
    payload: unpack(payload),
    headers,
    query,
    messages,
    ...(items !== '[]' && { items: itemViews(context, { ...listed, items }) }),
    ...(left > 0 && { messages_left_out: left }),
  };
}

const messagesOf = <Column extends string>(sql: SqlStorage, event: string, columns: readonly Column[]) =>
  readRows<Pick<MessageRow, Column>>(
    sql,
    `SELECT ${columns.join()} FROM messages WHERE seq IN ${ofEventSql(event)} ORDER BY seq`,
  );

function itemViews(
  { sql, tag, open }: Pick<ReadContext, 'sql' | 'tag' | 'open'>,
  { id, source, items }: { readonly id: string; readonly source: string; readonly items: string },
): readonly ItemView[] {
  return itemsIn(items).map(([route, index, key, phone, n, silence]) => {
    const about = {
      route,
      index,
      ...present({ phone, key }),
      ...(key !== null && { incident: incidentId(sql, { source, route, key }) }),
    };
    if (silence !== undefined) return { ...about, outcome: 'silenced', silence };
    if (n === RESOLVES_NOTHING) return { ...about, outcome: 'resolved' };
    if (n === ONLY_COUNTED) return { ...about, outcome: 'summarized' };
    if (n === OUTDATED) return { ...about, outcome: 'outdated' };
    const ref = { source, route, key: key ?? `${id}:${index}`, phone: phone ?? '' };
    const incident = readIncident(sql, ref);
    const run = incident === null ? null : runOf(incident, n);
    const { seq, outcome, by = '' } = run ?? {};
    return {
      ...about,
      outcome: outcomeIn(run, n),
      ...(seq !== undefined && { message: messageId(seq, tag) }),
      ...(outcome === 'silenced' && { silence: by }),
      ...(outcome === 'inhibited' && { incident: idOfName(sql, by) }),
      ...present({ waits: run === null ? open?.waitOf(ref) : null }),
    };
  });
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
  const { source, state, type, since, until, limit, cursor, isOldestFirst } = filter;
  const matches = matcherOf(filter);
  const { rows, after } = scan<ListedRow, 'id'>(sql, {
    from: 'events',
    key: 'id',
    columns: LISTED,
    order: isOldestFirst && 'ASC',
    where: [
      cursor !== undefined && [isOldestFirst ? 'id > ?' : 'id < ?', cursor],
      since !== undefined && ['id >= ?', eventIdFloor(since)],
      until !== undefined && ['id < ?', eventIdFloor(until)],
    ],
    match: equal({ source, state, type }),
    limit: matches === null ? limit : MAX_SEARCHED,
  });
  const { found, searched } =
    matches === null ? { found: rows.slice(0, limit), searched: null } : search(sql, rows, matches, limit);
  const summaries = found.map(eventSummary);
  return {
    items: filter.isCounted === true ? withCounts(context, summaries) : summaries,
    next_cursor: after(searched?.events ?? found.length),
    ...(searched && { searched }),
  };
}

/** Looks for a text or a number in a subject, or in a payload as JSON. */
type Matcher = (text: string, isPayload: boolean) => boolean;

function matcherOf({ text, number }: EventFilter): Matcher | null {
  if (number !== undefined) return (where) => holdsNumber(where, number);
  if (text === undefined) return null;
  const words = text.toLowerCase();
  // As `JSON.stringify` wrote it: only quotes, backslashes and control characters are escaped.
  const needle = JSON.stringify(text).slice(1, -1).toLowerCase();
  return (where, isPayload) =>
    isPayload ? holds(where.toLowerCase(), needle) : where.toLowerCase().includes(words);
}

/** Reads one payload after the other, since they can be large. */
function search(sql: SqlStorage, rows: readonly ListedRow[], matches: Matcher, limit: number) {
  const found: ListedRow[] = [];
  const searched = { events: 0, bytes: 0 };
  for (const row of rows.slice(0, MAX_SEARCHED)) {
    if (found.length === limit || searched.bytes >= MAX_BYTES) break;
    searched.events += 1;
    if (row.subject === null || !matches(row.subject, false)) {
      const query = 'SELECT payload, octet_length(payload) AS size FROM events WHERE id = ?';
      const { payload: stored, size } = sql.exec<{ payload: Packed; size: number }>(query, row.id).one();
      const payload = unpack(stored);
      searched.bytes += Math.max(size, payload.length);
      if (!matches(payload, true)) continue;
    }
    found.push(row);
  }
  return { found, searched };
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

function withCounts(context: Context, events: readonly EventSummary[]): readonly CountedEvent[] {
  let left = MAX_COUNTED;
  return events.map((event) => {
    if (left < 0) return event;
    const query = `SELECT message_count AS messages, items, message_count + json_array_length(items) AS size
       FROM events WHERE id = ?`;
    const row = context.sql.exec<{ messages: number; items: string; size: number }>(query, event.id).one();
    left -= row.size;
    return left < 0 ? event : { ...event, ...countsOf(context, { ...event, ...row }) };
  });
}

export function countState(counts: Counting, state: string, n = 1): void {
  if (state === 'sent') counts.sent += n;
  else if (FAILED.has(state)) counts.failed += n;
  else if (isWaiting(state)) counts.waiting += n;
}

/** Items, as messages that would count like them. Others count nowhere. */
const AS_STATES: Partial<Record<ItemOutcome, MessageState>> = {
  notified: 'sent',
  summarized: 'sent',
  expired: 'expired',
  waiting: 'queued',
};

/** A dead message with a fallback counts as the fallback; one whose fallback another account has taken is counted there. */
function countsOf(
  { sql, tag }: Context,
  event: { readonly id: string; readonly source: string; readonly items: string; readonly messages: number },
) {
  const counts = { sent: 0, failed: 0, waiting: 0 };
  const elsewhere: AccountMessage[] = [];
  for (const { outcome } of itemViews({ sql, tag }, event)) countState(counts, AS_STATES[outcome] ?? '');
  if (event.messages === 0) return { counts, elsewhere };
  const states = readRows<{ state: string; n: number; account: string | null; message: string | null }>(
    sql,
    `SELECT state, json_extract(fallback, '$.to.account') AS account, json_extract(fallback, '$.to.message') AS message, COUNT(*) AS n
       FROM messages WHERE seq IN ${ofEventSql(event.id)} AND (state != 'dead' OR json_extract(fallback, '$.by') IS NULL)
       GROUP BY state, account, message`,
  );
  for (const { state, n, account, message } of states) {
    if (account === null) countState(counts, state, n);
    else if (message === null) counts.waiting += n;
    else elsewhere.push({ account, message });
  }
  return { counts, elsewhere };
}

export type Addressed = Readonly<Pick<MessageRow, 'route' | 'phone'>>;

/** `all`: the receivers of its messages and items. `failed`: those who got nothing. */
export type EventReceivers = ReturnType<typeof eventReceivers>[number];

/** A replay of an event, or of a replay of it: its messages without fallbacks, and the routes of its items. */
export type ReplayView = ReturnType<typeof replaysOf>[number];

export const eventReceivers = (sql: SqlStorage, ids: readonly string[]) =>
  ids.map((id) => {
    const { phones, firsts } = sentFor(sql, id);
    const [event] = readRows<{ items: string }>(sql, 'SELECT items FROM events WHERE id = ?', id);
    const all = new Set([...phones, ...itemsIn(event?.items ?? '[]').map(([, , , phone]) => phone)]);
    return {
      id,
      all: [...all].filter((phone) => phone !== null),
      failed: firsts.filter((one) => one.hasFailed),
    };
  });

/** Returns the replays of these events in this outbox, oldest first. */
export const replaysOf = (sql: SqlStorage, ids: readonly string[]) =>
  ids.flatMap((original) =>
    readRows<{ id: string; items: string }>(
      sql,
      `WITH RECURSIVE replays (id, items) AS (
         SELECT id, items FROM events WHERE replay_of = ?
         UNION ALL SELECT next.id, next.items FROM replays JOIN events AS next ON next.replay_of = replays.id)
       SELECT id, items FROM replays ORDER BY id`,
      original,
    ).map(({ id, items }) => ({
      id,
      original,
      messages: sentFor(sql, id).firsts,
      items: itemsIn(items).map(([route]) => route),
    })),
  );

const itemsIn = (json: string) => parseOwnJson<readonly ItemReference[]>(json);

type Row = Pick<MessageRow, 'seq' | 'route' | 'phone' | 'state' | 'actions' | 'fallback'>;

/** `firsts`: the messages without fallbacks, which count for those that they replace. */
function sentFor(sql: SqlStorage, id: string) {
  const rows: readonly Row[] = messagesOf(sql, id, ['seq', 'route', 'phone', 'state', 'actions', 'fallback']);
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  const firsts = rows
    .filter((row) => fallbackLinks(row).of === undefined)
    .map((row) => ({ route: row.route, phone: row.phone, hasFailed: hasFailed(row, bySeq) }));
  return { phones: rows.map(({ phone }) => phone), firsts };
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
  return FAILED.has(row.state);
}
