import type { LoadedConfig, Silence } from '../../config/compiled/config.ts';
import { silencedBy } from '../../config/compile/silences.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { CRITICAL } from '../../lib/severity.ts';
import { iso } from '../../lib/time.ts';
import type { OpenIncidentsAnswer } from '../answers/api-incident.ts';
import { silenceable } from '../incidents/compose.ts';
import { partsOf, type Entry, type IncidentParts } from '../incidents/entries.ts';
import type { Incident, Lost } from '../incidents/incident.ts';
import type { OpenIncidents } from '../incidents/open-incidents.ts';
import { localeOf, placeIn } from '../incidents/rules.ts';
import { incidentId } from '../incidents/store.ts';
import { goesOn, type IncidentState } from '../state/states.ts';
import type { Page, ReadContext } from './read.ts';

export interface IncidentFilter {
  readonly source?: string | undefined;
  readonly route?: string | undefined;
  /** `unresolved`: open, whether or not somebody has it. */
  readonly state?: IncidentState | 'unresolved' | undefined;
  /** Of open ones: only those of this group, by its values with commas between them, or by one of them. */
  readonly group?: string | undefined;
  readonly since?: number | undefined;
  readonly critical?: boolean | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const MAX_SCAN = 2_000;

/** Of receivers, the greatest: closed ones by time (ms), above them ends still to be said, then open ones by level. */
const OPEN = 2e14;
const ENDED = 1e14;
const A_LEVEL = 1e14;
export const rankOf = (
  row: string,
): string => `CASE WHEN ${row}.closed_at > 0 THEN ${row}.closed_at ELSE CAST(
  coalesce(${ENDED} + ${row}.state ->> 'resolvedAt', ${OPEN} + (${row}.state ->> 'openedAt')) AS INTEGER) END`;

export type Listed = Record<'id' | 'source' | 'route' | 'key', string> & { rank: number };

type ListContext = Pick<ReadContext, 'sql' | 'open' | 'config'>;

export type PlacedIncident = IncidentParts & { readonly position: string };

export function listIncidents(context: ListContext, filter: IncidentFilter): Page<PlacedIncident> {
  const { state, limit, cursor } = filter;
  const items = openOnes(context, filter)
    .slice(0, limit + 1)
    .map(placed);
  if (items.length > limit)
    return { items: items.slice(0, limit), next_cursor: items[limit - 1]?.position ?? null };
  if (state === 'unresolved' || (state !== undefined && goesOn(state))) return { items, next_cursor: null };
  const { sql, config } = context;
  const { source = null, route = null, since = 0, critical } = filter;
  let scanned = 0;
  // Each incident once, at the receiver for whom it is the newest. Items that belong to none are left out.
  for (const row of sql.exec<Listed & { wanted: number; lost: Lost | null }>(
    `SELECT id, source, route, key, closed_at AS rank, state ->> 'lost' AS lost,
       state ->> 'isLone' = 0 AND source = ifnull(?3, source) AND route = ifnull(?4, route) AND state ->> 'openedAt' >= ?5
       ${critical === undefined ? '' : IS_AS_CRITICAL} AND NOT EXISTS (
         SELECT 1 FROM incidents AS other
         WHERE other.id = one.id
           AND (other.closed_at = 0 OR (other.closed_at, other.phone) > (one.closed_at, one.phone))
       ) AS wanted
     FROM incidents AS one WHERE closed_at >= max(1, ?5) AND (closed_at, id) < (?1, ?2)
     ORDER BY closed_at DESC, id DESC LIMIT ${MAX_SCAN}`,
    cursor === undefined ? Infinity : rankAt(cursor),
    cursor === undefined ? '' : idAt(cursor),
    source,
    route,
    since,
    ...(critical === undefined
      ? []
      : [JSON.stringify(config ? urgentRoutes(config, filter.source) : []), Number(critical)]),
  )) {
    scanned += 1;
    const is = stateOf({ resolvedAt: row.rank, acknowledged: null, lost: row.lost });
    const isWanted = row.wanted === 1 && (state === undefined || state === is);
    if (isWanted && items.length === limit) return { items, next_cursor: items.at(-1)?.position ?? null };
    if (isWanted) items.push(placed(row));
    if (scanned === MAX_SCAN) return { items, next_cursor: positionOf(row) };
  }
  return { items, next_cursor: null };
}

const IS_AS_CRITICAL = `AND ?7 = (ifnull(state ->> 'severity', 0) = ${CRITICAL}
  OR (source, route) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?6)))`;

/** The routes whose incidents are critical, whatever their items say. `source`: only routes of this one. */
const urgentRoutes = (config: LoadedConfig, source: string | undefined) =>
  (source === undefined ? [...config.outlines.keys()] : [source]).flatMap((id) =>
    (placeIn(config, { source: id, route: '' }).source?.routes ?? []).flatMap(({ name, delivery }) =>
      delivery.priority === 'high' ? [[id, name] as const] : [],
    ),
  );

/** What its item says, or the highest on a route with `priority: high`. */
export const levelOf = (
  config: LoadedConfig | null | undefined,
  ref: Parameters<typeof placeIn>[1],
  { severity = 0 }: Incident,
): number => (placeIn(config ?? null, ref).route?.delivery.priority === 'high' ? CRITICAL : severity);

/** What is in memory, after the cursor: what is open, and what has ended and is still to be said. */
function openOnes(
  { sql, open, config }: ListContext,
  { source, route, group, state, since = 0, critical, cursor = '' }: IncidentFilter,
): readonly Listed[] {
  const before = cursor === '' ? Infinity : rankAt(cursor);
  const found: Listed[] = [];
  for (const entries of open?.all() ?? []) {
    const [first] = entries;
    if (first === undefined) continue;
    const { ref, grouping } = first;
    if ((source ?? ref.source) !== ref.source || (route ?? ref.route) !== ref.route) continue;
    if (group !== undefined && !isOfGroup(grouping.grouped, group)) continue;
    let { incident } = first;
    for (const one of entries) if (rankIn(one.incident) > rankIn(incident)) incident = one.incident;
    const is = stateOf(incident);
    const level = levelOf(config, ref, incident);
    const one = listed(sql, ref, incident, level);
    const isCritical = level === CRITICAL;
    const isWanted =
      (state === 'unresolved' ? goesOn(is) : (state ?? is) === is) &&
      incident.openedAt >= since &&
      (critical ?? isCritical) === isCritical;
    if (isWanted && (one.rank < before || positionOf(one) < cursor)) found.push(one);
  }
  return found.sort((one, other) => other.rank - one.rank || (positionOf(one) < positionOf(other) ? 1 : -1));
}

function isOfGroup(grouped: string | null, group: string): boolean {
  if (grouped === null) return false;
  const values = parseOwnJson<readonly string[]>(grouped);
  return values.includes(group) || values.join(', ') === group;
}

const listed = (sql: SqlStorage, ref: Entry['ref'], incident: Incident, level: number): Listed => ({
  ...partsOf(ref),
  id: incidentId(sql, ref),
  rank: rankIn(incident) + (incident.resolvedAt === null ? level * A_LEVEL : 0),
});

/** See {@link rankOf}. */
const rankIn = ({ openedAt, resolvedAt }: Incident): number =>
  Math.floor(resolvedAt === null ? OPEN + openedAt : ENDED + resolvedAt);

/** For all its receivers or for one. Whoever has left a list does not watch it any more. */
export function stateOf({
  resolvedAt,
  acknowledged,
  lost,
}: Pick<Incident, 'resolvedAt' | 'acknowledged' | 'lost'>): IncidentState {
  if (resolvedAt === null) return acknowledged === null ? 'open' : 'acknowledged';
  if (lost === null) return 'resolved';
  return lost === 'expired' ? 'expired' : 'unwatched';
}

/** The order of these texts is the order of the list. */
export const positionOf = ({ rank, id }: Pick<Listed, 'rank' | 'id'>): string =>
  `${String(rank).padStart(RANK_DIGITS, '0')}.${id}`;

const placed = (one: Listed): PlacedIncident => ({ ...partsOf(one), position: positionOf(one) });

const RANK_DIGITS = 15;

export const isIncidentPosition = (text: string): boolean => /^\d{15}\.inc_/.test(text);

export const idAt = (position: string): string => position.slice(RANK_DIGITS + 1);

const rankAt = (position: string): number => Number(position.slice(0, RANK_DIGITS));

/** The open incidents of one source in one outbox. `worst`: the first unattended one in the list. */
export type OpenOfSource = Omit<OpenIncidentsAnswer, 'worst'> & { readonly worst: PlacedIncident | null };

export interface SummaryContext {
  readonly sql: SqlStorage;
  readonly open: OpenIncidents;
  readonly config: LoadedConfig | null;
  readonly now: number;
}

export function openSummary({ sql, open, config, now }: SummaryContext): readonly OpenOfSource[] {
  const sums = new Map<string, ReturnType<typeof newSum>>();
  for (const entries of open.all()) {
    const firing = [...entries].filter(isFiring);
    const [first] = firing;
    if (first === undefined) continue;
    const { ref } = first;
    const sum = sums.get(ref.source) ?? newSum();
    sums.set(ref.source, sum);
    sum.open += 1;
    const state = attentionOf(firing, { sql, config, now });
    sum[state] += 1;
    if (state !== 'unattended') continue;
    const levels = firing.map(({ incident }) => levelOf(config, ref, incident));
    if (levels.includes(CRITICAL)) sum.critical += 1;
    for (const [at, { incident }] of firing.entries()) {
      sum.firedAt = Math.max(sum.firedAt, incident.heardAt);
      const position = positionOf(listed(sql, ref, incident, levels[at] ?? 0));
      if (position > (sum.worst?.position ?? '')) sum.worst = { ...partsOf(ref), position };
    }
  }
  return [...sums].map(([source, { firedAt, ...counts }]) => ({
    source,
    ...counts,
    fired_at: firedAt === 0 ? null : iso(firedAt),
  }));
}

const newSum = () => ({
  open: 0,
  unattended: 0,
  acknowledged: 0,
  silenced: 0,
  inhibited: 0,
  critical: 0,
  firedAt: 0,
  worst: null as PlacedIncident | null,
});

const isFiring = ({ incident }: Entry): boolean => !incident.isLone && incident.resolvedAt === null;

function attentionOf(firing: readonly Entry[], { sql, config, now }: Omit<SummaryContext, 'open'>) {
  if (firing.some(({ incident }) => incident.acknowledged !== null)) return 'acknowledged';
  if (firing.every(({ held }) => held?.why === 'inhibited')) return 'inhibited';
  const [first] = firing;
  // A known incident is looked at again only when it is due, but a silence counts from its first moment.
  if (first === undefined || config === null || config.silences.length === 0) return 'unattended';
  return silenceOf({ sql, config, now }, config.silences, first) === null ? 'unattended' : 'silenced';
}

/** The id of the one that matches an incident now; null if none does. */
export const silenceOf = (
  { sql, config, now }: Omit<SummaryContext, 'open'>,
  silences: readonly Silence[],
  entry: Entry,
): string | null =>
  silencedBy(silences, silenceable(sql, entry), localeOf(placeIn(config, entry.ref)), now)?.id ?? null;

export interface Matched {
  readonly open: number;
  readonly matches: number;
  readonly first: readonly string[];
}

const MAX_NAMED = 3;

export function matching({ open, ...context }: SummaryContext, silence: Silence): Matched {
  const first: string[] = [];
  let all = 0;
  let matches = 0;
  for (const entries of open.all()) {
    const found = [...entries].find(isFiring);
    if (found === undefined) continue;
    all += 1;
    if (silenceOf(context, [silence], found) === null) continue;
    matches += 1;
    if (first.length < MAX_NAMED) first.push(incidentId(context.sql, found.ref));
  }
  return { open: all, matches, first };
}
