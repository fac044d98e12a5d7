import type { Entry } from '../incidents/entries.ts';
import { incidentId, incidentOf } from '../incidents/incident-id.ts';
import type { Incident, Lost } from '../incidents/incident.ts';
import { goesOn, type IncidentState } from '../state/states.ts';
import type { Page, ReadContext } from './read.ts';

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

/** The maximum number of rows of closed incidents that one page reads. */
const MAX_SCAN = 2_000;

/**
 * The list's order as a number. Closed incidents are ordered by the time when they closed (ms); above them come those
 * whose resolution is still to be notified, and at the top the open ones by the time when they opened. An incident has
 * the greatest number of its receivers.
 */
const OPEN = 2e14;
const ENDED = 1e14;
export const rankOf = (
  row: string,
): string => `CASE WHEN ${row}.closed_at > 0 THEN ${row}.closed_at ELSE CAST(
  coalesce(${ENDED} + ${row}.state ->> 'resolvedAt', ${OPEN} + (${row}.state ->> 'openedAt')) AS INTEGER) END`;

/** An incident's place in the list. */
export interface Listed extends Record<string, SqlStorageValue> {
  rank: number;
  source: string;
  route: string;
  key: string;
}

/** Returns incidents as positions in the list: open ones first, newest first. */
export function listIncidents(
  { sql, open }: Pick<ReadContext, 'sql' | 'open'>,
  filter: IncidentFilter,
): Page<string> {
  const { state, limit, cursor } = filter;
  const items = openOnes(open?.all() ?? [], filter)
    .slice(0, limit + 1)
    .map(positionOf);
  if (items.length > limit) return { items: items.slice(0, limit), next_cursor: items[limit - 1] ?? null };
  if (state !== undefined && goesOn(state)) return { items, next_cursor: null };
  const { source = null, route = null, since = 0, critical } = filter;
  const place = cursor === undefined ? null : incidentOf(idAt(cursor));
  let scanned = 0;
  // Each incident once, at the receiver for whom it is the newest. Items that belong to none are left out.
  for (const row of sql.exec<Listed & { wanted: number; lost: Lost | null }>(
    `SELECT source, route, key, closed_at AS rank, state ->> 'lost' AS lost,
       state ->> 'isLone' = 0 AND source = ifnull(?5, source) AND route = ifnull(?6, route) AND state ->> 'openedAt' >= ?7
       ${critical === undefined ? '' : IS_AS_CRITICAL} AND NOT EXISTS (
         SELECT 1 FROM incidents AS other
         WHERE other.source = one.source AND other.route = one.route AND other.key = one.key
           AND (other.closed_at = 0 OR (other.closed_at, other.phone) > (one.closed_at, one.phone))
       ) AS wanted
     FROM incidents AS one WHERE closed_at >= max(1, ?7) AND (closed_at, source, route, key) < (?1, ?2, ?3, ?4)
     ORDER BY closed_at DESC, source DESC, route DESC, key DESC LIMIT ${MAX_SCAN}`,
    cursor === undefined ? Infinity : rankAt(cursor),
    place?.source ?? '',
    place?.route ?? '',
    place?.key ?? '',
    source,
    route,
    since,
    ...(critical === undefined ? [] : [JSON.stringify(critical.urgent), Number(critical.is)]),
  )) {
    scanned += 1;
    const is = stateOf({ isOpen: false, isAcknowledged: false, lost: row.lost });
    const isWanted = row.wanted === 1 && (state === undefined || state === is);
    if (isWanted && items.length === limit) return { items, next_cursor: items.at(-1) ?? null };
    if (isWanted) items.push(positionOf(row));
    if (scanned === MAX_SCAN) return { items, next_cursor: positionOf(row) };
  }
  return { items, next_cursor: null };
}

const IS_AS_CRITICAL = `AND ?9 = (state ->> 'isCritical' IS NOT NULL
  OR (source, route) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?8)))`;

/** Returns what is in memory, after the cursor: what is open, and what has ended and is still to be said. */
function openOnes(
  all: Iterable<ReadonlySet<Entry>>,
  { source, route, state, since = 0, critical, cursor = '' }: IncidentFilter,
): readonly Listed[] {
  const before = cursor === '' ? Infinity : rankAt(cursor);
  const urgent = new Set(critical?.urgent.map((of) => of.join('/')));
  const found: Listed[] = [];
  for (const entries of all) {
    const [first] = entries;
    if (first === undefined) continue;
    const { ref } = first;
    if ((source ?? ref.source) !== ref.source || (route ?? ref.route) !== ref.route) continue;
    let { incident } = first;
    for (const one of entries) if (rankIn(one.incident) > rankIn(incident)) incident = one.incident;
    const { acknowledged, lost, openedAt, resolvedAt, isCritical } = incident;
    const is = stateOf({ isOpen: resolvedAt === null, isAcknowledged: acknowledged !== null, lost });
    const isAsCritical = isCritical === true || urgent.has(`${ref.source}/${ref.route}`);
    const one = { rank: rankIn(incident), source: ref.source, route: ref.route, key: ref.key };
    const isWanted =
      (state ?? is) === is && openedAt >= since && (critical?.is ?? isAsCritical) === isAsCritical;
    if (isWanted && (one.rank < before || positionOf(one) < cursor)) found.push(one);
  }
  return found.sort((one, other) => other.rank - one.rank || (positionOf(one) < positionOf(other) ? 1 : -1));
}

/** See {@link rankOf}. */
const rankIn = ({ openedAt, resolvedAt }: Incident): number =>
  Math.floor(resolvedAt === null ? OPEN + openedAt : ENDED + resolvedAt);

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
