import { parseOwnJson } from '../../lib/own-json.ts';
import type { Scope } from '../../template/basics/scope.ts';
import type { Board, Grouping, Place, Teller } from './board.ts';
import { pendingOf, type Incident } from './incident.ts';
import type { Holding } from './plan.ts';

/** A row of `items`: an incident, or an item that belongs to none, of one receiver. */
export interface ItemRow extends Record<string, SqlStorageValue> {
  source: string;
  route: string;
  key: string;
  phone: string;
  grouped: string | null;
  /** JSON: names of incidents. */
  unless_open: string;
  /** JSON: the newest item's event, as templates see it. */
  event: string;
  /** JSON: the newest item. */
  value: string;
  /** JSON: the {@link Incident}. */
  state: string;
  /** When there was nothing left to tell (ms); 0: there is. */
  closed_at: number;
}

/** What an item brings, besides its place and what it makes of its incident. */
export interface Content extends Grouping {
  readonly event: Scope['event'];
  readonly value: string;
  /** False: the source keeps no payloads, and this one only until it is told. */
  readonly stored: boolean;
}

const WHERE = 'WHERE source = ? AND route = ? AND key = ? AND phone = ?';

const keyOf = ({ source, route, key, phone }: Place): readonly string[] => [source, route, key, phone];

/** The incident in its row, whether it is open or not; null: there is no row. */
export function readIncident(sql: SqlStorage, place: Place): Incident | null {
  const [row] = sql.exec<{ state: string }>(`SELECT state FROM items ${WHERE}`, ...keyOf(place)).toArray();
  return row === undefined ? null : parseOwnJson<Incident>(row.state);
}

/** The newest item of an incident, and its event. */
export function readContent(sql: SqlStorage, place: Place): Pick<Content, 'event'> & { value: unknown } {
  const row = sql
    .exec<{ event: string; value: string }>(`SELECT event, value FROM items ${WHERE}`, ...keyOf(place))
    .one();
  return { event: parseOwnJson<Scope['event']>(row.event), value: parseOwnJson<unknown>(row.value) };
}

/** What a silence's condition sees of an incident: its newest item, and that one's event. */
export function silenceScope(sql: SqlStorage, place: Place): Scope {
  const { event, value } = readContent(sql, place);
  return { payload: undefined, event, headers: {}, query: {}, item: value };
}

/** Writes an incident after an item. `known`: as its row has it; null: there is no row. */
export function writeItem(
  sql: SqlStorage,
  place: Place,
  { known, incident, now }: { known: Incident | null; incident: Incident; now: number },
  { grouped, unlessOpen, event, value, stored }: Content,
): void {
  const isOver = pendingOf(incident) === 'over';
  const values = [
    grouped,
    JSON.stringify(unlessOpen),
    JSON.stringify(event),
    isOver && !stored ? 'null' : value,
    stored ? 1 : 0,
    JSON.stringify(incident),
  ];
  if (known === null) {
    sql.exec(
      `INSERT INTO items (grouped, unless_open, event, value, stored, state, closed_at, source, route, key, phone)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...values,
      isOver ? now : 0,
      ...keyOf(place),
    );
    return;
  }
  sql.exec(
    `UPDATE items SET grouped = ?, unless_open = ?, event = ?, value = ?, stored = ?, state = ?
       ${closedSql(known, isOver, now)} ${WHERE}`,
    ...values,
    ...keyOf(place),
  );
}

/** Writes what became of an incident without an item. */
export function writeIncident(
  sql: SqlStorage,
  place: Place,
  { known, incident, now }: { known: Incident; incident: Incident; now: number },
): void {
  const isOver = pendingOf(incident) === 'over';
  const forget = isOver ? ", value = CASE stored WHEN 0 THEN 'null' ELSE value END" : '';
  sql.exec(
    `UPDATE items SET state = ?${forget} ${closedSql(known, isOver, now)} ${WHERE}`,
    JSON.stringify(incident),
    ...keyOf(place),
  );
}

/** An index has this column, and naming it costs a row even where it stays the same. */
function closedSql(known: Incident, isOver: boolean, now: number): string {
  if ((pendingOf(known) === 'over') === isOver) return '';
  return `, closed_at = ${isOver ? Math.floor(now) : 0}`;
}

/** A row of `tellers`. */
interface TellerRow extends Record<string, SqlStorageValue> {
  source: string;
  route: string;
  phone: string;
  state: string;
}

interface TellerState {
  readonly told: readonly number[];
  readonly held: Holding | null;
}

/** Writes when a receiver was told something of a route, and whether messages to it are held back. */
export function writeTeller(sql: SqlStorage, { source, route, phone, told, held }: Teller): void {
  sql.exec(
    `INSERT INTO tellers (source, route, phone, state, told_at) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT DO UPDATE SET state = ?4, told_at = ?5`,
    source,
    route,
    phone,
    JSON.stringify({ told, held }),
    Math.max(told.at(-1) ?? 0, held?.since ?? 0),
  );
}

/** Reads what is open, when the object starts. */
export function loadBoard(sql: SqlStorage, board: Board): void {
  const tellers = sql.exec<TellerRow>('SELECT source, route, phone, state FROM tellers');
  for (const { state, source, route, phone } of tellers) {
    const { told, held } = parseOwnJson<TellerState>(state);
    const teller = board.teller({ source, route, phone });
    teller.told = told;
    teller.held = held;
    if (held !== null) teller.missed = countMissed(sql, teller, held.since);
  }
  const open = sql.exec<ItemRow>(
    'SELECT source, route, key, phone, grouped, unless_open, state FROM items WHERE closed_at = 0',
  );
  for (const { state, grouped, unless_open, source, route, key, phone } of open)
    board.put(
      { source, route, key, phone },
      parseOwnJson<Incident>(state),
      { grouped, unlessOpen: parseOwnJson<readonly string[]>(unless_open) },
      0,
    );
}

/** How many incidents of a receiver ended since then (ms) without being told. */
const countMissed = (sql: SqlStorage, { source, route, phone }: Teller, since: number): number =>
  sql
    .exec<{ state: string }>(
      'SELECT state FROM items WHERE closed_at >= ? AND source = ? AND route = ? AND phone = ?',
      since,
      source,
      route,
      phone,
    )
    .toArray()
    .filter(({ state }) => parseOwnJson<Incident>(state).fates.at(-1)?.fate === 'resolved').length;

/** How many rows a sweep looks at in one step. */
const STEP = 200;

/** Deletes rows of what was over before `before` (ms); true: there may be more. */
export function sweepItems(sql: SqlStorage, before: number): boolean {
  const old = sql
    .exec<{ source: string; route: string; key: string; phone: string }>(
      `SELECT source, route, key, phone FROM items WHERE closed_at > 0 AND closed_at < ? LIMIT ${STEP}`,
      before,
    )
    .toArray();
  for (const place of old) sql.exec(`DELETE FROM items ${WHERE}`, ...keyOf(place));
  if (old.length === 0) sql.exec('DELETE FROM tellers WHERE told_at < ?', before);
  return old.length === STEP;
}
