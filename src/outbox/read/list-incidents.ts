import { incidentId, incidentOf } from '../incidents/incident-id.ts';
import type { Lost } from '../incidents/incident.ts';
import { goesOn, type IncidentState } from '../state/states.ts';
import type { Page, ReadContext } from './read.ts';
import { isCriticalIn } from './severity.ts';

/** The filter of a list of incidents. */
export interface IncidentFilter {
  readonly source?: string | undefined;
  readonly route?: string | undefined;
  readonly state?: IncidentState | undefined;
  /** Only those opened since then (ms). */
  readonly since?: number | undefined;
  /**
   * Only critical ones, or only the others. `urgent`: the routes, each with its source, whose incidents are all
   * critical.
   */
  readonly critical?:
    { readonly is: boolean; readonly urgent: readonly (readonly [string, string])[] } | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The maximum number of rows that one page reads. */
const MAX_SCAN = 20_000;

/**
 * The list's order as a number. Closed incidents are ordered by the time when they closed (ms); above them come those
 * whose resolution is still to be notified, and at the top the open ones by the time when they opened. An incident has
 * the greatest number of its receivers.
 */
const OPEN = 2e14;
export const rankOf = (
  row: string,
): string => `CASE WHEN ${row}.closed_at > 0 THEN ${row}.closed_at ELSE CAST(
  coalesce(1e14 + ${row}.state ->> 'resolvedAt', ${OPEN} + (${row}.state ->> 'openedAt')) AS INTEGER) END`;

const IS_AS_CRITICAL = `AND ?9 = (${isCriticalIn('one')} OR (source, route) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?8)))`;

/** An incident's place in the list. */
export interface Listed extends Record<string, SqlStorageValue> {
  rank: number;
  source: string;
  route: string;
  key: string;
}

/** Returns incidents as positions in the list: open ones first, newest first. */
export function listIncidents({ sql }: ReadContext, filter: IncidentFilter): Page<string> {
  const { source = null, route = null, state, since = 0, critical, limit, cursor } = filter;
  const place = cursor === undefined ? null : incidentOf(idAt(cursor));
  const from = [
    cursor === undefined ? Infinity : rankAt(cursor),
    place?.source ?? '',
    place?.route ?? '',
    place?.key ?? '',
  ];
  const items: string[] = [];
  for (const [section, order] of [
    ['= 0', rankOf('one')],
    // Incidents that opened since then also closed since then.
    [`>= ${Math.max(1, since)}`, 'closed_at'],
  ] as const) {
    let scanned = 0;
    // Each incident once, at the receiver for whom it is the newest. Items that belong to none are left out.
    for (const row of sql.exec<Listed & { wanted: number; has_it: string | null; lost: Lost | null }>(
      `SELECT source, route, key, ${rankOf('one')} AS rank,
         state ->> 'isLone' = 0 AND source = ifnull(?5, source) AND route = ifnull(?6, route)
         AND state ->> 'openedAt' >= ?7 ${critical === undefined ? '' : IS_AS_CRITICAL} AND NOT EXISTS (
           SELECT 1 FROM incidents AS other
           WHERE other.source = one.source AND other.route = one.route AND other.key = one.key
             AND (${rankOf('other')}, other.phone) > (${rankOf('one')}, one.phone)
         ) AS wanted, state ->> '$.acknowledged.by' AS has_it, state ->> 'lost' AS lost
       FROM incidents AS one WHERE closed_at ${section} AND (${order}, source, route, key) < (?1, ?2, ?3, ?4)
       ORDER BY ${order} DESC, source DESC, route DESC, key DESC LIMIT ${MAX_SCAN}`,
      ...from,
      source,
      route,
      since,
      ...(critical === undefined ? [] : [JSON.stringify(critical.urgent), Number(critical.is)]),
    )) {
      scanned += 1;
      const is = stateOf({ isOpen: row.rank >= OPEN, isAcknowledged: row.has_it !== null, lost: row.lost });
      const isWanted = row.wanted === 1 && (state === undefined || state === is);
      if (isWanted && items.length === limit) return { items, next_cursor: items.at(-1) ?? null };
      if (isWanted) items.push(positionOf(row));
      if (scanned === MAX_SCAN) return { items, next_cursor: positionOf(row) };
    }
    if (state !== undefined && goesOn(state)) break;
  }
  return { items, next_cursor: null };
}

/** An incident's state, for all its receivers or for one. Whoever has left a list does not watch it any more. */
export function stateOf({
  isOpen,
  isAcknowledged,
  lost,
}: {
  readonly isOpen: boolean;
  readonly isAcknowledged: boolean;
  readonly lost: Lost | null;
}): IncidentState {
  if (isOpen) return isAcknowledged ? 'acknowledged' : 'open';
  if (lost === null) return 'resolved';
  return lost === 'expired' ? 'expired' : 'unwatched';
}

/** The order of these texts is the order of the list. */
export const positionOf = ({ rank, ...place }: Listed): string =>
  `${String(rank).padStart(RANK_DIGITS, '0')}.${incidentId(place)}`;

const RANK_DIGITS = 15;

/** True if a text can be a position in the list. */
export const isIncidentPosition = (text: string): boolean => /^\d{15}\.inc_/.test(text);

/** The incident of a position. */
export const idAt = (position: string): string => position.slice(RANK_DIGITS + 1);

const rankAt = (position: string): number => Number(position.slice(0, RANK_DIGITS));
