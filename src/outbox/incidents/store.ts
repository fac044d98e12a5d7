import { parseOwnJson } from '../../lib/json.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { wasTried, type MessageRow } from '../state/message.ts';
import { DUE_SQL, isDue } from '../state/states.ts';
import type {
  Grouping,
  IncidentParts,
  IncidentRef,
  Says,
  SaysHolder,
  Subscriber,
  SubscriberState,
} from './entries.ts';
import { incidentId } from './incident-id.ts';
import { pendingOf, type Incident } from './incident.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { missedAs } from './outcomes.ts';
import { addMessage, miss, receiverOf } from './subscribers.ts';

/** A row of `incidents`: an incident, or an item that belongs to none, of one receiver. */
export interface IncidentRow extends Record<string, SqlStorageValue> {
  source: string;
  route: string;
  key: string;
  phone: string;
  grouped: string | null;
  /** JSON: names of incidents. */
  inhibited_by: string;
  /** JSON: the newest item's event, as templates see it. */
  event: string;
  /** JSON: the newest item. */
  value: string;
  /** JSON: the {@link Incident}. */
  state: string;
  /** The time when it was finished, with nothing left to say (ms); 0 before that. */
  closed_at: number;
}

/** The content of an item, besides its reference and its effect on its incident. */
export interface Content extends Grouping {
  readonly event: Scope['event'];
  readonly value: string;
  /** False if the source keeps no payloads; this one is kept only until its receiver is notified. */
  readonly stored: boolean;
}

const WHERE = 'WHERE id = ? AND phone = ?';

const keyOf = (sql: SqlStorage, ref: IncidentRef): readonly string[] => [incidentId(sql, ref), ref.phone];

/** Returns the incident in its row, open or not; null if there is no row. */
export function readIncident(sql: SqlStorage, ref: IncidentRef): Incident | null {
  const [row] = sql
    .exec<{ state: string }>(`SELECT state FROM incidents ${WHERE}`, ...keyOf(sql, ref))
    .toArray();
  return row === undefined ? null : parseOwnJson<Incident>(row.state);
}

/** Returns the receivers for whom an incident has expired. */
export const readExpired = (sql: SqlStorage, of: IncidentParts): readonly string[] =>
  sql
    .exec<{ phone: string }>(
      `SELECT phone FROM incidents WHERE id = ? AND state ->> 'lost' = 'expired'`,
      incidentId(sql, of),
    )
    .toArray()
    .map(({ phone }) => phone);

/**
 * Returns the keys of a group's incidents that expired in a time (ms) after their receiver was notified of them. They
 * may be open again for others.
 */
export const readUnheard = (
  sql: SqlStorage,
  { source, route, phone }: Omit<IncidentRef, 'key'>,
  grouped: string,
  [from, to]: readonly [number, number],
): readonly string[] =>
  sql
    .exec<{ key: string }>(
      `SELECT key FROM incidents WHERE source = ? AND route = ? AND phone = ? AND grouped = ?
         AND state ->> 'lost' = 'expired' AND state ->> 'believed' <> 'closed' AND closed_at >= ? AND closed_at < ?
         LIMIT 10000`,
      source,
      route,
      phone,
      grouped,
      from,
      to,
    )
    .toArray()
    .map(({ key }) => key);

/** Returns the group of an incident in its row, and what inhibits it. */
export function readGrouping(sql: SqlStorage, ref: IncidentRef): Grouping {
  const { grouped, inhibited_by } = sql
    .exec<{ grouped: string | null; inhibited_by: string }>(
      `SELECT grouped, inhibited_by FROM incidents ${WHERE}`,
      ...keyOf(sql, ref),
    )
    .one();
  return { grouped, inhibitedBy: parseOwnJson<readonly string[]>(inhibited_by) };
}

/** Returns the newest item of an incident, and its event. */
export function readContent(sql: SqlStorage, ref: IncidentRef): Pick<Content, 'event'> & { value: unknown } {
  const row = sql
    .exec<{ event: string; value: string }>(`SELECT event, value FROM incidents ${WHERE}`, ...keyOf(sql, ref))
    .one();
  return { event: parseOwnJson<Scope['event']>(row.event), value: parseOwnJson<unknown>(row.value) };
}

/** Writes an incident after an item. `known`: the incident in its row; null if there is no row. */
export function writeItem(
  sql: SqlStorage,
  ref: IncidentRef,
  { known, incident, now }: { known: Incident | null; incident: Incident; now: number },
  { grouped, inhibitedBy, event, value, stored }: Content,
): void {
  const isClosed = pendingOf(incident) === 'nothing';
  const { source, route, key } = ref;
  sql.exec(
    `INSERT INTO incidents (id, phone, source, route, key, grouped, inhibited_by, event, value, stored, state, closed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET grouped = excluded.grouped,
       inhibited_by = excluded.inhibited_by, event = excluded.event, value = excluded.value, stored = excluded.stored,
       state = excluded.state ${known === null ? '' : closedSql(known, isClosed, now)}`,
    ...keyOf(sql, ref),
    source,
    route,
    key,
    grouped,
    JSON.stringify(inhibitedBy),
    JSON.stringify(event),
    isClosed && !stored ? 'null' : value,
    stored ? 1 : 0,
    JSON.stringify(incident),
    isClosed ? now : 0,
  );
}

/** Writes a change to an incident without an item. */
export function writeIncident(
  sql: SqlStorage,
  ref: IncidentRef,
  { known, incident, now }: { known: Incident; incident: Incident; now: number },
): void {
  const isClosed = pendingOf(incident) === 'nothing';
  const forget = isClosed ? ", value = CASE stored WHEN 0 THEN 'null' ELSE value END" : '';
  sql.exec(
    `UPDATE incidents SET state = ?${forget} ${closedSql(known, isClosed, now)} ${WHERE}`,
    JSON.stringify(incident),
    ...keyOf(sql, ref),
  );
}

/** Writes an incident of a receiver who has joined, with the newest item that the others have. */
export function copyIncident(sql: SqlStorage, from: IncidentRef, to: IncidentRef, incident: Incident): void {
  sql.exec(
    `INSERT INTO incidents (id, phone, source, route, key, grouped, inhibited_by, event, value, stored, state, closed_at)
       SELECT id, ?, source, route, key, grouped, inhibited_by, event, value, stored, ?, 0 FROM incidents ${WHERE}
       ON CONFLICT DO UPDATE SET grouped = excluded.grouped, inhibited_by = excluded.inhibited_by, event = excluded.event,
         value = excluded.value, stored = excluded.stored, state = excluded.state, closed_at = 0`,
    to.phone,
    JSON.stringify(incident),
    ...keyOf(sql, from),
  );
}

/** An index has this column, so naming it writes a row even if it stays the same. */
function closedSql(known: Incident, isClosed: boolean, now: number): string {
  if ((pendingOf(known) === 'nothing') === isClosed) return '';
  return `, closed_at = ${isClosed ? Math.floor(now) : 0}`;
}

/** A row of `subscribers`. */
interface SubscriberRow extends Record<string, SqlStorageValue> {
  source: string;
  route: string;
  phone: string;
}

/** Writes the state of a receiver of a route. */
export function writeSubscriber(sql: SqlStorage, subscriber: Subscriber, now: number): void {
  const { source, route, phone, sentAt, held, rest, quiets } = subscriber;
  sql.exec(
    `INSERT INTO subscribers (source, route, phone, state, used_at) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT DO UPDATE SET state = ?4, used_at = ?5`,
    source,
    route,
    phone,
    JSON.stringify({ sentAt, held, rest, quiets } satisfies SubscriberState),
    now,
  );
}

/** Returns the content of a receiver's row; null if there is none. */
export function readSubscriber(
  sql: SqlStorage,
  { source, route, phone }: Omit<IncidentRef, 'key'>,
): SubscriberState | null {
  const [row] = sql
    .exec<{ state: string }>(
      'SELECT state FROM subscribers WHERE source = ? AND route = ? AND phone = ?',
      source,
      route,
      phone,
    )
    .toArray();
  return row === undefined ? null : parseOwnJson<SubscriberState>(row.state);
}

/** Reads the incidents that are open or held back, when the object starts. */
export function loadOpen(sql: SqlStorage, open: OpenIncidents, now: number): void {
  const held = sql.exec<SubscriberRow>(
    "SELECT source, route, phone FROM subscribers WHERE state ->> 'held' IS NOT NULL",
  );
  for (const of of held.toArray()) open.subscriber(of);
  countMissed(sql, open);
  const rows = sql.exec<IncidentRow>(
    'SELECT source, route, key, phone, grouped, inhibited_by, state FROM incidents WHERE closed_at = 0',
  );
  for (const { state, grouped, inhibited_by, source, route, key, phone } of rows)
    open.put(
      { source, route, key, phone },
      withShared(parseOwnJson<Incident>(state)),
      { grouped, inhibitedBy: parseOwnJson<readonly string[]>(inhibited_by) },
      now,
    );
}

/** Reads the messages about incidents that are queued, tried or with another account, when the object starts. */
export function loadMessages(sql: SqlStorage, open: OpenIncidents) {
  type Row = Pick<MessageRow, 'seq' | 'source' | 'route' | 'phone' | 'attempts' | 'state' | 'escaped'> & {
    says: string;
  };
  const columns = 'seq, source, route, phone, says, attempts, state, escaped';
  return sql
    .exec<Row>(
      `SELECT ${columns} FROM messages WHERE says IS NOT NULL AND state IN ${DUE_SQL}
       UNION ALL SELECT ${columns} FROM messages WHERE says IS NOT NULL AND state NOT IN ${DUE_SQL}
         AND seq IN (SELECT seq FROM handings WHERE phase IN ('leaves', 'away'))`,
    )
    .toArray()
    .flatMap((row) => {
      const says = parseOwnJson<Says | SaysHolder>(row.says);
      if (says.form === 'holder') return [];
      const subscriber = open.subscriber(receiverOf(row));
      const isTried = wasTried(row) || !isDue(row.state);
      const message = addMessage(subscriber, { seq: row.seq, says, isTried, isCalling: false });
      return [{ subscriber, message }];
    });
}

const NONE: readonly never[] = [];

/** Empty values are shared by tens of thousands of incidents. */
const withShared = (incident: Incident): Incident => ({
  ...incident,
  changes: incident.changes.length === 0 ? NONE : incident.changes,
  outcomes: incident.outcomes.length === 0 ? NONE : incident.outcomes,
});

/** Counts the incidents that ended without a notification since they were held back; reads each closed row once. */
function countMissed(sql: SqlStorage, open: OpenIncidents): void {
  let since = Infinity;
  for (const { held } of open.subscribers.values()) since = Math.min(since, held?.since ?? Infinity);
  if (since === Infinity) return;
  const closed = sql.exec<SubscriberRow & { state: string; closed_at: number }>(
    'SELECT source, route, phone, state, closed_at FROM incidents WHERE closed_at >= ?',
    since,
  );
  for (const { state, closed_at: closedAt, ...of } of closed) {
    const subscriber = open.subscribers.get(of);
    if (subscriber === null || closedAt < (subscriber.held?.since ?? Infinity)) continue;
    const missed = missedAs(parseOwnJson<Incident>(state));
    if (missed !== null) miss(subscriber, missed, { at: closedAt });
  }
}

/** The number of rows that a sweep looks at in one step. */
const STEP = 200;

/** Deletes rows that were closed before `before` (ms). True if there may be more. */
export function sweepIncidents(sql: SqlStorage, before: number): boolean {
  const old = sql
    .exec<{ id: string; phone: string }>(
      `SELECT id, phone FROM incidents WHERE closed_at > 0 AND closed_at < ? LIMIT ${STEP}`,
      before,
    )
    .toArray();
  for (const { id, phone } of old) sql.exec(`DELETE FROM incidents ${WHERE}`, id, phone);
  if (old.length === 0) sql.exec('DELETE FROM subscribers WHERE used_at < ?', before);
  return old.length === STEP;
}
