import { readFact, OUTBOX_KEY } from '../state/meta.ts';
import { keyedCode } from '../state/links.ts';
import { nameOf, type IncidentParts } from './entries.ts';

const DIGITS = 16;

/** The maximum number of ids in memory: as many as incidents that are open. */
const MAX_KNOWN = 10_000;

/** The key of an outbox, and the ids that were made with it last, by names. */
const made = new WeakMap<SqlStorage, { readonly key: string; readonly ids: Map<string, string> }>();

/**
 * An incident's id, the same for all its receivers and whenever it opens again. It shows nothing of the incident's key,
 * which may be anybody's number: only the outbox can make it, so nobody finds a number by trying all.
 */
export const incidentId = (sql: SqlStorage, of: IncidentParts): string => idOfName(sql, nameOf(of));

/** Returns the id of an incident by its name, see `nameOf`. */
export function idOfName(sql: SqlStorage, name: string): string {
  const { key, ids } = madeWith(sql);
  const known = ids.get(name);
  if (known !== undefined) return known;
  const id = `inc_${keyedCode(key, `incident ${name}`).slice(0, DIGITS)}`;
  if (ids.size >= MAX_KNOWN) ids.clear();
  ids.set(name, id);
  return id;
}

function madeWith(sql: SqlStorage) {
  const known = made.get(sql);
  if (known !== undefined) return known;
  const key = readFact(sql, OUTBOX_KEY);
  if (key === null) throw new Error('an outbox without a key has no incidents');
  const first = { key, ids: new Map<string, string>() };
  made.set(sql, first);
  return first;
}

/** Returns an incident by its id; null if this outbox has none, or an item that belongs to none. */
export const placeOf = (sql: SqlStorage, id: string): IncidentParts | null =>
  sql
    .exec<{ source: string; route: string; key: string }>(
      `SELECT source, route, key FROM incidents WHERE id = ? AND state ->> 'isLone' = 0 LIMIT 1`,
      id,
    )
    .toArray()[0] ?? null;
