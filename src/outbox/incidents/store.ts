import { createCache } from '../../lib/cache.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { titleOf } from '../../render/built-in-text.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { DUE_SQL, wasTried, type MessageRow } from '../state/message.ts';
import { isDue } from '../../schema/states.ts';
import type { SaysBeyond } from './beyond.ts';
import {
  type Grouping,
  type IncidentParts,
  type IncidentRef,
  type Says,
  type SaysHolder,
  type Subscriber,
  type SubscriberRef,
  type SubscriberState,
  nameOf,
} from './entries.ts';
import { pendingOf, type Incident, missedAs, newestOf, type Told } from './incident.ts';
import { type OpenIncidents, addMessage, miss } from './open-incidents.ts';
import { readFact, OUTBOX_KEY } from '../state/meta.ts';
import { keyedCode } from '../state/links.ts';
import { insertRow } from '../../lib/store.ts';
import { DAY, HOUR } from '../../lib/time.ts';

export interface Content extends Grouping {
  readonly event: Scope['event'];
  readonly value: string;
  /** False if the source keeps no payloads; this one is kept only until its receiver is notified. */
  readonly stored: boolean;
}

const WHERE = 'WHERE id = ? AND phone = ?';

const keyOf = (sql: SqlStorage, ref: IncidentRef): readonly string[] => [incidentId(sql, ref), ref.phone];

const read = <Row extends Record<string, SqlStorageValue>>(
  sql: SqlStorage,
  ref: IncidentRef,
  columns: string,
) => sql.exec<Row>(`SELECT ${columns} FROM incidents ${WHERE}`, ...keyOf(sql, ref));

export function readIncident(sql: SqlStorage, ref: IncidentRef): Incident | null {
  const [row] = read<{ state: string }>(sql, ref, 'state').toArray();
  return row === undefined ? null : parseOwnJson<Incident>(row.state);
}

/** As they are for each receiver: all of an incident that have expired. */
export const readExpired = (sql: SqlStorage, of: IncidentParts) => [
  ...readStates(sql, `id = ? AND state ->> 'lost' = 'expired'`, incidentId(sql, of)),
];

function* readStates(sql: SqlStorage, where: string, ...values: readonly string[]) {
  type Row = IncidentRef & { grouped: string | null; inhibited_by: string; state: string };
  const rows = sql.exec<Row & Record<string, SqlStorageValue>>(
    `SELECT source, route, key, phone, grouped, inhibited_by, state FROM incidents WHERE ${where}`,
    ...values,
  );
  for (const { state, grouped, inhibited_by, ...ref } of rows) {
    const grouping = { grouped, inhibitedBy: parseOwnJson<readonly string[]>(inhibited_by) };
    yield { ref, grouping, incident: parseOwnJson<Incident>(state) };
  }
}

/** The keys of a group that expired in a time (ms) after their receiver was notified. Others may have them open. */
export const readUnheard = (
  sql: SqlStorage,
  { source, route, phone }: SubscriberRef,
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

export function readContent(sql: SqlStorage, ref: IncidentRef): Pick<Content, 'event'> & { value: unknown } {
  const row = read<{ event: string; value: string }>(sql, ref, 'event, value').one();
  return { event: parseOwnJson<Scope['event']>(row.event), value: parseOwnJson<unknown>(row.value) };
}

export function readTitle(sql: SqlStorage, ref: IncidentRef): string {
  const { event, value } = readContent(sql, ref);
  return titleOf({ item: value, key: ref.key, event });
}

const AS_WRITTEN = ['grouped', 'inhibited_by', 'event', 'value', 'stored', 'state']
  .map((column) => `${column} = excluded.${column}`)
  .join();

/** Writes an incident after an item. `known`: the incident in its row; null if there is no row. */
export function writeItem(
  sql: SqlStorage,
  ref: IncidentRef,
  { known, incident, now }: { known: Incident | null; incident: Incident; now: number },
  { grouped, inhibitedBy, event, value, stored }: Content,
): void {
  const isClosed = pendingOf(incident) === 'nothing';
  const { source, route, key, phone } = ref;
  const row = {
    id: incidentId(sql, ref),
    phone,
    source,
    route,
    key,
    grouped,
    inhibited_by: JSON.stringify(inhibitedBy),
    event: JSON.stringify(event),
    value: isClosed && !stored ? 'null' : value,
    stored: stored ? 1 : 0,
    state: JSON.stringify(incident),
    closed_at: isClosed ? now : 0,
  };
  const closed = known === null ? '' : closedSql(known, isClosed, now);
  insertRow(sql, 'incidents', row, `ON CONFLICT DO UPDATE SET ${AS_WRITTEN} ${closed}`);
}

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
       ON CONFLICT DO UPDATE SET ${AS_WRITTEN}, closed_at = 0`,
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

type SubscriberRow = SubscriberRef & Record<string, SqlStorageValue>;

export function writeSubscriber(sql: SqlStorage, subscriber: Subscriber, now: number): void {
  const { source, route, phone, sentAt, held, rest, quiets } = subscriber;
  const state = JSON.stringify({ sentAt, held, rest, quiets } satisfies SubscriberState);
  const row = { source, route, phone, state, used_at: now };
  const onConflict = 'ON CONFLICT DO UPDATE SET state = excluded.state, used_at = excluded.used_at';
  insertRow(sql, 'subscribers', row, onConflict);
}

export function readSubscriber(sql: SqlStorage, of: SubscriberRef): SubscriberState | null {
  const query = 'SELECT state FROM subscribers WHERE source = ? AND route = ? AND phone = ?';
  const [row] = sql.exec<{ state: string }>(query, of.source, of.route, of.phone).toArray();
  return row === undefined ? null : parseOwnJson<SubscriberState>(row.state);
}

/** Reads the incidents that are open or held back, when the object starts. */
export function loadOpen(sql: SqlStorage, open: OpenIncidents, now: number): void {
  const held = sql.exec<SubscriberRow>(
    "SELECT source, route, phone FROM subscribers WHERE state ->> 'held' IS NOT NULL",
  );
  for (const of of held.toArray()) open.subscribers.of(of);
  countMissed(sql, open);
  for (const { ref, grouping, incident } of readStates(sql, 'closed_at = 0'))
    open.put(ref, withShared(incident), grouping, now);
}

export const readSays = ({ says }: Pick<MessageRow, 'says'>): Says | SaysBeyond | SaysHolder =>
  parseOwnJson(says ?? 'null');

/** Reads the messages about incidents that are queued, tried or with another account, when the object starts. */
export function loadMessages(sql: SqlStorage, open: OpenIncidents) {
  type Row = Pick<
    MessageRow,
    'seq' | 'source' | 'route' | 'phone' | 'says' | 'attempts' | 'state' | 'escaped'
  >;
  const columns = 'seq, source, route, phone, says, attempts, state, escaped';
  return sql
    .exec<Row>(
      `SELECT ${columns} FROM messages WHERE says IS NOT NULL AND state IN ${DUE_SQL}
       UNION ALL SELECT ${columns} FROM messages WHERE says IS NOT NULL AND state NOT IN ${DUE_SQL}
         AND seq IN (SELECT seq FROM handings WHERE phase IN ('leaves', 'away'))`,
    )
    .toArray()
    .flatMap((row) => {
      const says = readSays(row);
      if (says.form === 'beyond' || says.form === 'holder') return [];
      const subscriber = open.subscribers.of(row);
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

/** Counts the incidents that ended without a notification since they were held back. */
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
    if (missed !== null) miss(subscriber, missed, closedAt);
  }
}

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

const DIGITS = 16;

const MAX_KNOWN = 10_000;

const makers = new WeakMap<SqlStorage, (name: string) => string>();

/** The same for all receivers and openings. It is keyed: nobody finds a key, which may be a number, by trying all. */
export const incidentId = (sql: SqlStorage, of: IncidentParts): string => idOfName(sql, nameOf(of));

export function idOfName(sql: SqlStorage, name: string): string {
  const idOf = makers.get(sql) ?? makerOf(sql);
  makers.set(sql, idOf);
  return idOf(name);
}

function makerOf(sql: SqlStorage): (name: string) => string {
  const key = readFact(sql, OUTBOX_KEY);
  if (key === null) throw new Error('an outbox without a key has no incidents');
  const ids = createCache<string>(MAX_KNOWN);
  return (name) => ids(name, () => `inc_${keyedCode(key, `incident ${name}`).slice(0, DIGITS)}`);
}

/** Returns an incident by its id; null if this outbox has none, or an item that belongs to none. */
export const placeOf = (sql: SqlStorage, id: string): IncidentParts | null =>
  sql
    .exec<{ source: string; route: string; key: string }>(
      `SELECT source, route, key FROM incidents WHERE id = ? AND state ->> 'isLone' = 0 LIMIT 1`,
      id,
    )
    .toArray()[0] ?? null;

/** What comes before its opening is remembered for so long (ms). */
const REMEMBERED_MS = DAY;

/** So many ends and holders are remembered for a source. What is beyond is forgotten at once. */
const MAX_OF_SOURCE = 10_000;

/** What is known of an incident by the sender's clock (ms). */
export interface Known {
  readonly told: Told | null;
  /** What was said of its holder before it opened, and when that came; a null `by`: they have it no longer. */
  readonly holder: { readonly at: number; readonly by: string | null; readonly heardAt: number } | null;
}

/** What senders said before an opening: webhooks overtake each other. A row for its end, and one for who has it. */
export class Early {
  readonly #sql: SqlStorage;
  /** The number of rows of a source, and the time when it was counted (ms). */
  readonly #counts = new Map<string, { rows: number; readonly at: number }>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns what is known of an incident by its rows, or was said before it opened. */
  of(incident: IncidentParts, now: number): Known {
    const { source, route, key } = incident;
    const rows = this.#sql
      .exec<{ told: string; by: string | null; heard_at: number | null }>(
        `SELECT state -> '$.told' AS told, NULL AS by, NULL AS heard_at
           FROM incidents WHERE id = ?5 AND state ->> '$.told.at' IS NOT NULL
         UNION ALL SELECT json_object('at', min(at, heard_at), 'isEnd', json(iif(is_end, 'true', 'false')), 'ahead', at), by, heard_at
           FROM (SELECT *, until - ${REMEMBERED_MS} AS heard_at FROM early)
           WHERE source = ?1 AND route = ?2 AND key = ?3 AND until > ?4`,
        source,
        route,
        key,
        now,
        incidentId(this.#sql, incident),
      )
      .toArray();
    const told: Told[] = [];
    let holder: Known['holder'] = null;
    for (const { told: one, by, heard_at: heardAt } of rows) {
      const said = parseOwnJson<Told>(one);
      if (heardAt !== null && !said.isEnd) holder = { at: said.at, by, heardAt };
      else told.push(said);
    }
    return { told: newestOf(told), holder };
  }

  /** Remembers an end (`holder` is null), or who has it, unless something newer is remembered. `at`: by its sender. */
  remember(
    { source, route, key }: IncidentParts,
    { at, isEnd, by }: Told & { readonly by: string | null },
    now: number,
  ): void {
    const count = this.#countOf(source, now);
    if (count.rows >= MAX_OF_SOURCE) return;
    count.rows += 1;
    insertRow(
      this.#sql,
      'early',
      { source, route, key, is_end: isEnd ? 1 : 0, at, by, until: now + REMEMBERED_MS },
      'ON CONFLICT DO UPDATE SET at = excluded.at, by = excluded.by, until = excluded.until WHERE excluded.at >= at',
    );
  }

  /** Counted anew each hour, since old rows are deleted. */
  #countOf(source: string, now: number): { rows: number } {
    const known = this.#counts.get(source);
    if (known !== undefined && now - known.at < HOUR) return known;
    const { rows } = this.#sql
      .exec<{ rows: number }>('SELECT count(*) AS rows FROM early WHERE source = ?', source)
      .one();
    const count = { rows, at: now };
    this.#counts.set(source, count);
    return count;
  }
}

export const sweepEarly = (sql: SqlStorage, now: number): void => {
  sql.exec('DELETE FROM early WHERE until <= ?', now);
};
