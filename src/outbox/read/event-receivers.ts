import { parseOwnJson } from '../../lib/json.ts';
import type { ItemReference } from '../incidents/arrivals.ts';
import { ofEventSql } from '../state/event.ts';
import { fallbackLinks } from '../state/fallback.ts';
import type { Operation } from '../state/message.ts';

/** The receivers of an event's messages, as numbers; a status has none. */
export interface EventReceivers {
  readonly id: string;
  /** All receivers, including those of its items. */
  readonly all: readonly string[];
  /** The messages that did not arrive. */
  readonly failed: readonly Addressed[];
}

/** The receiver of a message, and its route. */
export interface Addressed {
  readonly route: string | null;
  readonly phone: string | null;
}

/** A replay of an event, or of a replay of it: its messages, without the fallbacks, and the routes of its items. */
export interface ReplayView {
  readonly id: string;
  readonly original: string;
  readonly messages: readonly (Addressed & { readonly hasFailed: boolean })[];
  readonly items: readonly string[];
}

interface Row extends Record<string, SqlStorageValue> {
  seq: number;
  route: string | null;
  phone: string | null;
  state: string;
  actions: string;
  fallback: string | null;
}

/** Returns the receivers of these events, without reading the messages. */
export const eventReceivers = (sql: SqlStorage, ids: readonly string[]): readonly EventReceivers[] =>
  ids.map((id) => {
    const rows = rowsOf(sql, id);
    const [event] = sql.exec<{ items: string }>('SELECT items FROM events WHERE id = ?', id).toArray();
    const items = parseOwnJson<readonly ItemReference[]>(event?.items ?? '[]');
    return {
      id,
      all: distinct([...rows.map(({ phone }) => phone), ...items.map(([, , , phone]) => phone)]),
      failed: firstMessages(rows).filter((one) => one.hasFailed),
    };
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

/** Returns all messages but the fallbacks, which count for the messages that they replace. */
function firstMessages(rows: readonly Row[]): ReplayView['messages'] {
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return rows
    .filter((row) => fallbackLinks(row).of === undefined)
    .map((row) => ({ route: row.route, phone: row.phone, hasFailed: hasFailed(row, bySeq) }));
}

const distinct = (phones: readonly (string | null)[]): readonly string[] => [
  ...new Set(phones.filter((phone) => phone !== null)),
];

/**
 * True if the message failed, as a replay of failures counts it: a message that waits or is uncertain may still arrive.
 */
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
