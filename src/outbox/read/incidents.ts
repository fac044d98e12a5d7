import { namesOf } from '../../config/compile/alerting.ts';
import { silencedBy } from '../../config/compiled/silences.ts';
import {
  type EscalationStep,
  inLanguage,
  type LoadedConfig,
  type Silence,
  subjectOf,
} from '../../config/compiled/config.ts';
import { byLabel } from '../../counts/counts.ts';
import { parseOwnJson, ownValue, present } from '../../lib/json.ts';
import { CRITICAL, severityOf } from '../../lib/severity.ts';
import { readRows } from '../../lib/store.ts';
import { truncateTo } from '../../lib/text.ts';
import { iso } from '../../lib/time.ts';
import type {
  IncidentAnswer,
  IncidentNotification,
  IncidentReceiver,
  OpenIncidentsAnswer,
} from '../../answers/api-incident.ts';
import { silenceable } from '../incidents/compose.ts';
import { partsOf, type Entry, type IncidentParts } from '../incidents/entries.ts';
import {
  decidedTo,
  escalationOf,
  type Incident,
  type Lost,
  nextStep,
  pendingOf,
  spanOf,
} from '../incidents/incident.ts';
import type { OpenIncidents } from '../incidents/open-incidents.ts';
import { localeOf, placeIn } from '../incidents/rules.ts';
import { idOfName, incidentId } from '../incidents/store.ts';
import { readMessage, type Page, type ReadContext } from './read.ts';
import { messageId } from '../state/message.ts';
import { goesOn, type IncidentState, type ItemOutcome } from '../../schema/states.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { compileText, lineOf } from '../../template/text.ts';

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
const RANK = `CASE WHEN closed_at > 0 THEN closed_at ELSE CAST(
  coalesce(${ENDED} + state ->> 'resolvedAt', ${OPEN} + (state ->> 'openedAt')) AS INTEGER) END`;

type Listed = Record<'id' | 'source' | 'route' | 'key', string> & { rank: number };

/** The rows of an incident, one for each receiver, the newest first. */
export const rowsOf = <Row extends Record<string, SqlStorageValue>>(
  sql: SqlStorage,
  of: IncidentParts,
  columns: string,
  limit: number,
) =>
  readRows<Row>(
    sql,
    `SELECT ${columns}, ${RANK} AS rank FROM incidents WHERE id = ? AND state ->> 'isLone' = 0
       ORDER BY rank DESC LIMIT ?`,
    incidentId(sql, of),
    limit,
  );

type ListContext = Pick<ReadContext, 'sql' | 'open' | 'config'>;

export type PlacedIncident = IncidentParts & { readonly position: string };

export function listIncidents(context: ListContext, filter: IncidentFilter): Page<PlacedIncident> {
  const { state, limit, cursor } = filter;
  const found = openOnes(context, filter);
  const items = found.slice(0, limit);
  const endsAt = (position = items.at(-1)?.position) => ({ items, next_cursor: position ?? null });
  if (found.length > limit) return endsAt();
  if (state === 'unresolved' || (state !== undefined && goesOn(state))) return { items, next_cursor: null };
  const { sql, config } = context;
  const { source = null, route = null, since = 0, critical } = filter;
  let scanned = 0;
  // Each incident once, at the receiver for whom it is the newest. Items that belong to none are left out.
  for (const row of sql.exec<Listed & { wanted: number; lost: Lost | null }>(
    `SELECT id, source, route, key, closed_at AS rank, state ->> 'lost' AS lost,
       state ->> 'isLone' = 0 AND source = ifnull(?3, source) AND route = ifnull(?4, route) AND state ->> 'openedAt' >= ?5
       AND (?7 IS NULL OR ?7 = (ifnull(state ->> 'severity', 0) = ${CRITICAL}
         OR (source, route) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?6))))
       AND NOT EXISTS (
         SELECT 1 FROM incidents AS other
         WHERE other.id = one.id
           AND (other.closed_at = 0 OR (other.closed_at, other.phone) > (one.closed_at, one.phone))
       ) AS wanted
     FROM incidents AS one WHERE closed_at >= max(1, ?5) AND (closed_at, id) < (?1, ?2)
     ORDER BY closed_at DESC, id DESC LIMIT ${MAX_SCAN}`,
    cursor === undefined ? Infinity : Number(cursor.slice(0, RANK_DIGITS)),
    cursor === undefined ? '' : idAt(cursor),
    source,
    route,
    since,
    JSON.stringify(critical === undefined || !config ? [] : urgentRoutes(config, filter.source)),
    critical === undefined ? null : Number(critical),
  )) {
    scanned += 1;
    const is = stateOf({ resolvedAt: row.rank, acknowledged: null, lost: row.lost });
    const isWanted = row.wanted === 1 && (state === undefined || state === is);
    if (isWanted && items.length === limit) return endsAt();
    if (isWanted) items.push({ ...partsOf(row), position: positionOf(row) });
    if (scanned === MAX_SCAN) return endsAt(positionOf(row));
  }
  return { items, next_cursor: null };
}

/** The routes whose incidents are critical, whatever their items say. `source`: only routes of this one. */
const urgentRoutes = (config: LoadedConfig, source: string | undefined) =>
  (source === undefined ? [...config.outlines.keys()] : [source]).flatMap((id) =>
    (placeIn(config, { source: id, route: '' }).source?.routes ?? []).flatMap(({ name, delivery }) =>
      delivery.priority === 'high' ? [[id, name] as const] : [],
    ),
  );

/** What its item says, or the highest on a route with `priority: high`. */
const levelOf = (
  config: LoadedConfig | null | undefined,
  ref: Parameters<typeof placeIn>[1],
  { severity = 0 }: Incident,
): number => (placeIn(config ?? null, ref).route?.delivery.priority === 'high' ? CRITICAL : severity);

/** What is in memory, after the cursor: what is open, and what has ended and is still to be said. */
const openOnes = (
  { sql, open, config }: ListContext,
  { source, route, group, state, since = 0, critical, cursor }: IncidentFilter,
): readonly PlacedIncident[] =>
  [...(open?.all() ?? [])]
    .flatMap((entries) => {
      const [first] = entries;
      if (first === undefined) return [];
      const { ref, grouping } = first;
      if ((source ?? ref.source) !== ref.source || (route ?? ref.route) !== ref.route) return [];
      if (group !== undefined && !isOfGroup(grouping.grouped, group)) return [];
      const { incident } = [...entries].reduce((newest, one) =>
        rankIn(one.incident) > rankIn(newest.incident) ? one : newest,
      );
      const is = stateOf(incident);
      const level = levelOf(config, ref, incident);
      const one = placedIn(sql, ref, incident, level);
      const isCritical = level === CRITICAL;
      const isWanted =
        (state === 'unresolved' ? goesOn(is) : (state ?? is) === is) &&
        incident.openedAt >= since &&
        (critical ?? isCritical) === isCritical &&
        (cursor === undefined || one.position < cursor);
      return isWanted ? [one] : [];
    })
    .sort((one, other) => (one.position < other.position ? 1 : -1));

function isOfGroup(grouped: string | null, group: string): boolean {
  if (grouped === null) return false;
  const values = parseOwnJson<readonly string[]>(grouped);
  return values.includes(group) || values.join(', ') === group;
}

function placedIn(sql: SqlStorage, ref: IncidentParts, incident: Incident, level: number): PlacedIncident {
  const rank = rankIn(incident) + (incident.resolvedAt === null ? level * A_LEVEL : 0);
  return { ...partsOf(ref), position: positionOf({ id: incidentId(sql, ref), rank }) };
}

/** See {@link RANK}. */
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
const positionOf = ({ rank, id }: Pick<Listed, 'rank' | 'id'>): string =>
  `${String(rank).padStart(RANK_DIGITS, '0')}.${id}`;

const RANK_DIGITS = 15;

export const isIncidentPosition = (text: string): boolean => /^\d{15}\.inc_/.test(text);

export const idAt = (position: string): string => position.slice(RANK_DIGITS + 1);

/** The open incidents of one source in one outbox. `worst`: the first unattended one in the list. */
export type OpenOfSource = Omit<OpenIncidentsAnswer, 'worst'> & { readonly worst: PlacedIncident | null };

export interface SummaryContext {
  readonly sql: SqlStorage;
  readonly open: OpenIncidents;
  readonly config: LoadedConfig | null;
  readonly now: number;
}

/** What fires now, each for its receivers. */
const firing = (open: OpenIncidents) =>
  [...open.all()].flatMap((entries) => {
    const all = [...entries].filter(({ incident }) => incident.resolvedAt === null);
    const [first] = all;
    return first === undefined ? [] : [{ first, all }];
  });

export function openSummary({ open, ...context }: SummaryContext): readonly OpenOfSource[] {
  const { sql, config } = context;
  const bySource = Map.groupBy(firing(open), ({ first }) => first.ref.source);
  return [...bySource].map(([source, incidents]) => {
    const byState = Map.groupBy(incidents, ({ first, all }) => attentionOf(first, all, context));
    const states = ['unattended', 'acknowledged', 'silenced', 'inhibited'] as const;
    const unattended = (byState.get('unattended') ?? []).map(({ all }) =>
      all.map(({ ref, incident }) => ({ ref, incident, level: levelOf(config, ref, incident) })),
    );
    let firedAt = 0;
    let worst: PlacedIncident | null = null;
    for (const { ref, incident, level } of unattended.flat()) {
      firedAt = Math.max(firedAt, incident.heardAt);
      const one = placedIn(sql, ref, incident, level);
      if (one.position > (worst?.position ?? '')) worst = one;
    }
    return {
      source,
      open: incidents.length,
      ...byLabel(states, (state) => byState.get(state)?.length ?? 0),
      critical: unattended.filter((all) => all.some(({ level }) => level === CRITICAL)).length,
      fired_at: firedAt === 0 ? null : iso(firedAt),
      worst,
    };
  });
}

function attentionOf(first: Entry, all: readonly Entry[], context: Omit<SummaryContext, 'open'>) {
  if (all.some(({ incident }) => incident.acknowledged !== null)) return 'acknowledged';
  if (all.every(({ held }) => held?.why === 'inhibited')) return 'inhibited';
  // A known incident is looked at again only when it is due, but a silence counts from its first moment.
  return silenceOf(context, context.config?.silences ?? [], first) === null ? 'unattended' : 'silenced';
}

/** The id of the one that matches an incident now; null if none does. */
export const silenceOf = (
  { sql, config, now }: Omit<SummaryContext, 'open'>,
  silences: readonly Silence[],
  entry: Entry,
): string | null =>
  silences.length === 0
    ? null
    : (silencedBy(silences, silenceable(sql, entry), localeOf(placeIn(config, entry.ref)), now)?.id ?? null);

const MAX_NAMED = 3;

/** `first`: the ids of some. */
export function matching({ open, ...context }: SummaryContext, silence: Silence) {
  const all = firing(open);
  const matches = all.filter(({ first }) => silenceOf(context, [silence], first) !== null);
  const named = matches.slice(0, MAX_NAMED).map(({ first }) => incidentId(context.sql, first.ref));
  return { open: all.length, matches: matches.length, first: named };
}

/** As one receiver knows it. */
export interface IncidentView {
  readonly position: string;
  readonly incident: Omit<IncidentAnswer, 'receivers'>;
  readonly receiver: IncidentReceiver;
}

/** `value`: null if the source keeps no payloads. */
type ViewedRow = Listed &
  Record<'phone' | 'state' | 'event', string> &
  Record<'grouped' | 'value', string | null>;

/** For each receiver, up to `limit` of each. `isWhole`: with their notifications. */
export function readIncidents(
  context: ReadContext,
  incidents: readonly IncidentParts[],
  { limit, isWhole }: { readonly limit: number; readonly isWhole: boolean },
): readonly IncidentView[] {
  const columns =
    'id, source, route, key, phone, state, event, grouped, iif(stored = 1, value, NULL) AS value';
  return incidents.flatMap((incident) =>
    rowsOf<ViewedRow>(context.sql, incident, columns, limit).map((row) => view(context, row, isWhole)),
  );
}

function view(context: ReadContext, row: ViewedRow, isWhole: boolean): IncidentView {
  const { id, source, route, key, phone } = row;
  const { tag, account } = context;
  const event = parseOwnJson<Scope['event']>(row.event);
  const incident = parseOwnJson<Incident>(row.state);
  const { acknowledged, resolvedAt, resolvedBy, notifiedIn, notifiedAt, lost } = incident;
  const place = placeIn(context.config ?? null, row);
  const value = row.value === null ? null : parseOwnJson<unknown>(row.value);
  const title = value === null ? null : titleOf(place, value, event);
  const summary = summaryOf(value, title);
  const severity = severityOf(value);
  const ref = { source, route, key, phone };
  const held = context.open?.heldOf(ref) ?? null;
  const state = held === null ? STATES[pendingOf(incident)] : 'held';
  const waits = state === 'waiting' ? context.open?.waitOf(ref) : null;
  const { from, to } = spanOf(incident);
  return {
    position: positionOf(row),
    incident: {
      id,
      account,
      source,
      route,
      key,
      ...present({ title, summary, severity }),
      critical: levelOf(context.config, ref, incident) === CRITICAL,
      state: stateOf(incident),
      started_at: iso(from),
      ...(acknowledged && { acknowledged_at: iso(acknowledged.at), acknowledged_by: acknowledged.by }),
      ...(to !== null && { resolved_at: iso(to) }),
      ...(resolvedAt !== null && resolvedBy !== null && { resolved_by: resolvedBy }),
      ...(resolvedAt !== null && lost !== null && { lost_at: iso(resolvedAt) }),
      heard_at: iso(incident.heardAt),
      occurrences: incident.occurrences,
      flapping: incident.flapping !== 'no',
      event: event.id,
      ...(isWhole && {
        silence_by: silenceScopes(row, row.grouped),
        links: linksOf(value),
        ...stepsOf(incident, place.route?.escalate ?? []),
      }),
    },
    receiver: {
      phone: phone === '' ? null : phone,
      state,
      ...(waits && { waits }),
      ...(notifiedIn !== null && { message: messageId(notifiedIn, tag) }),
      ...(notifiedAt !== null && { notified_at: iso(notifiedAt) }),
      ...(held?.why === 'silenced' && { silence: held.by }),
      ...(held?.why === 'inhibited' && { inhibited_by: idOfName(context.sql, held.by) }),
      items: countsOf(incident),
      ...(isWhole && { notifications: notificationsOf(context, incident) }),
    },
  };
}

function stepsOf(incident: Incident, rules: readonly EscalationStep[]) {
  const next = nextStep(incident, rules);
  return {
    // A step without receivers gave way to the next.
    steps: escalationOf(incident).taken.flatMap(({ at, step, to }) =>
      to.length === 0 ? [] : [{ at: iso(at), step, to }],
    ),
    next: next && { at: iso(next.at), step: next.step, to: namesOf(next.rule) },
  };
}

const STATES = {
  opened: 'waiting',
  flaps: 'waiting',
  resolved: 'waiting',
  unwatched: 'waiting',
  known: 'notified',
  muted: 'notified',
  nothing: 'done',
} as const;

/** Runs with the numbers of their items. */
const counted = ({ outcomes }: Incident) =>
  outcomes.map((run, at) => ({ ...run, items: run.to - (outcomes[at - 1]?.to ?? 0) }));

function countsOf(incident: Incident): IncidentReceiver['items'] {
  const counts: Partial<Record<ItemOutcome, number>> = {};
  const add = (outcome: ItemOutcome, n: number): void => {
    if (n > 0) counts[outcome] = (counts[outcome] ?? 0) + n;
  };
  for (const { items, outcome, about } of counted(incident)) {
    const named = about === undefined ? 0 : 1;
    add('notified', named);
    add(outcome, items - named);
  }
  add('waiting', incident.items - decidedTo(incident));
  return counts;
}

function notificationsOf(context: ReadContext, incident: Incident) {
  const messages = new Map<number, number>();
  for (const { seq, items } of counted(incident)) if (seq !== undefined) messages.set(seq, items);
  const { notifiedIn } = incident;
  if (notifiedIn !== null && !messages.has(notifiedIn)) messages.set(notifiedIn, 0);
  return [...messages].map(([seq, items]): IncidentNotification => {
    const message = messageId(seq, context.tag);
    const { state, created_at, sent_at } = readMessage(context, message) ?? {};
    return { message, items, ...present({ state, created_at, sent_at }) };
  });
}

/** The name of an alert, in the fields that senders use. */
const USUAL =
  '{{ item.labels.alertname | default: item.alertname | default: item.annotations.summary | default: item.title | default: item.name | default: item.summary | default: item.message }} {{ item.labels.instance }}';

/** Compiled when it is first needed: an isolate that shows no list does not pay for it. */
let usual: ReturnType<typeof compileText> | null = null;

/** Its source's `subject`, if that is about one item; otherwise the usual name of an alert. Null if it has neither. */
function titleOf({ source, route }: ReturnType<typeof placeIn>, value: unknown, event: Scope['event']) {
  const { locale } = inLanguage({ locale: localeOf({ source }) }, event.locale);
  const isWhole = route !== null && route.each === null;
  const payload = isWhole ? value : undefined;
  const scope: Scope = { payload, event, headers: {}, query: {}, item: value };
  const own = source === null ? null : subjectOf(source);
  if (own !== null && (isWhole || /\bitem\b/.test(own.source))) {
    const line = lineOf(own, scope, locale);
    if (line !== null) return line;
  }
  usual ??= compileText(USUAL);
  return usual.ok ? lineOf(usual.value, scope, locale) : null;
}

/** The paths in an item at which senders say in a sentence what is wrong. */
const SUMMARY = [
  'annotations.summary',
  'annotations.description',
  'summary',
  'description',
  'message',
  'text',
];

const MAX_SUMMARY = 300;

function summaryOf(item: unknown, title: string | null): string | null {
  const texts = SUMMARY.map((path) => ownValue(item, path)).filter((value) => typeof value === 'string');
  const text = texts.map((one) => one.trim()).find((one) => one !== '' && title?.startsWith(one) !== true);
  return text === undefined ? null : truncateTo(text, MAX_SUMMARY).toWellFormed();
}

/** Links, values that are examined, and the length of a link and of its path. */
const MAX_LINKS = 10;
const MAX_VALUES = 1_000;
const MAX_LENGTH = 2_000;

/** Returns the links to web pages in an item by their paths, those that are least deep first. */
function linksOf(item: unknown): Readonly<Record<string, string>> {
  const links = new Map<string, string>();
  const values: [path: string, value: unknown][] = [['', item]];
  for (const [path, value] of values) {
    if (links.size === MAX_LINKS) break;
    if (typeof value === 'string') {
      const link = linkIn(value);
      if (link !== null) links.set(link, links.get(link) ?? path);
    } else if (values.length < MAX_VALUES && typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) {
        const at = path === '' ? key : `${path}.${key}`;
        if (at.length <= MAX_LENGTH) values.push([at, one]);
      }
  }
  return Object.fromEntries([...links].map(([link, path]) => [path, link]));
}

/** As browsers read it; null if it is no address, or names a user in front of its host. */
function linkIn(text: string): string | null {
  if (text.length > MAX_LENGTH || !text.includes('://') || text.includes(' ') || !URL.canParse(text))
    return null;
  const { protocol, username, password, href } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username + password === '' ? href : null;
}

/** What an incident can be silenced with, the narrowest first: alone, with its group, with its source. */
function silenceScopes({ source, route, key }: IncidentParts, grouped: string | null) {
  const group = parseOwnJson<string[]>(grouped ?? '[]');
  const ofGroup = group.length === 0 ? [] : [{ source, route, group }];
  return [{ source, route, keys: [key] }, ...ofGroup, { source }];
}
