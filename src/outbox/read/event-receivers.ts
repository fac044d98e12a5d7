import { parseOwnJson } from '../../lib/own-json.ts';
import type { ItemReference } from '../incidents/arrivals.ts';
import type { Action } from '../operate/operate.ts';
import { ofEventSql } from '../state/event-messages.ts';
import { fallbackLinks } from '../state/fallback.ts';

/** Who got an event's messages, as numbers; a status has none. */
export interface EventReceivers {
  readonly id: string;
  /** All of them, those of its items too. */
  readonly all: readonly string[];
  /** Those to whom a message did not come through, and how many did not. */
  readonly failed: readonly string[];
  readonly failures: number;
}

interface Row extends Record<string, SqlStorageValue> {
  seq: number;
  phone: string | null;
  state: string;
  actions: string;
  fallback: string | null;
}

/** The receivers of these events, without reading what they were sent. */
export const eventReceivers = (sql: SqlStorage, ids: readonly string[]): readonly EventReceivers[] =>
  ids.map((id) => {
    const rows = sql
      .exec<Row>(`SELECT seq, phone, state, actions, fallback FROM messages WHERE seq IN ${ofEventSql(id)}`)
      .toArray();
    const bySeq = new Map(rows.map((row) => [row.seq, row]));
    const failed = rows.filter((row) => fallbackLinks(row).of === undefined && hasFailed(row, bySeq));
    const [event] = sql.exec<{ items: string }>('SELECT items FROM events WHERE id = ?', id).toArray();
    const items = parseOwnJson<readonly ItemReference[]>(event?.items ?? '[]');
    return {
      id,
      all: distinct([...rows.map(({ phone }) => phone), ...items.map(([, , , phone]) => phone)]),
      failed: distinct(failed.map(({ phone }) => phone)),
      failures: failed.length,
    };
  });

const distinct = (phones: readonly (string | null)[]): readonly string[] => [
  ...new Set(phones.filter((phone) => phone !== null)),
];

/** As a replay of what failed has it: what waits, or is uncertain, may have come through. */
function hasFailed(row: Row, bySeq: ReadonlyMap<number, Row>): boolean {
  const { by, to } = fallbackLinks(row);
  // It may have come through there.
  if (to !== undefined) return false;
  const next = by === undefined ? undefined : bySeq.get(by);
  if (by !== undefined) return next !== undefined && hasFailed(next, bySeq);
  if (row.state === 'cancelled')
    return parseOwnJson<readonly Action[]>(row.actions).some(({ action }) => action === 'cancel');
  return row.state === 'dead' || row.state === 'expired';
}
