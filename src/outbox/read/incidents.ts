import { namesOf } from '../../config/compile/alerting.ts';
import { type EscalationStep, inLanguage, subjectOf } from '../../config/compiled/config.ts';
import { parseOwnJson, ownValue, present } from '../../lib/json.ts';
import { CRITICAL, severityOf } from '../../lib/severity.ts';
import { truncateTo } from '../../lib/text.ts';
import { iso } from '../../lib/time.ts';
import type { IncidentAnswer, IncidentNotification, IncidentReceiver } from '../../answers/api-incident.ts';
import type { IncidentParts } from '../incidents/entries.ts';
import { idOfName } from '../incidents/store.ts';
import {
  decidedTo,
  escalationOf,
  nextStep,
  pendingOf,
  type Incident,
  spanOf,
} from '../incidents/incident.ts';
import { placeIn, localeOf } from '../incidents/rules.ts';
import { levelOf, positionOf, stateOf, rowsOf, type Listed } from './list-incidents.ts';
import { readMessage, type ReadContext } from './read.ts';
import { messageId } from '../state/message.ts';
import type { ItemOutcome } from '../../schema/states.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { compileText, lineOf } from '../../template/text.ts';

/** As one receiver knows it. */
export interface IncidentView {
  readonly position: string;
  readonly incident: Omit<IncidentAnswer, 'receivers'>;
  readonly receiver: IncidentReceiver;
}

/** `value`: null if the source keeps no payloads. */
type Row = Listed & Record<'phone' | 'state' | 'event', string> & Record<'grouped' | 'value', string | null>;

/** For each receiver, up to `limit` of each. `isWhole`: with their notifications. */
export function readIncidents(
  context: ReadContext,
  incidents: readonly IncidentParts[],
  { limit, isWhole }: { readonly limit: number; readonly isWhole: boolean },
): readonly IncidentView[] {
  const columns =
    'id, source, route, key, phone, state, event, grouped, iif(stored = 1, value, NULL) AS value';
  return incidents.flatMap((incident) =>
    rowsOf<Row>(context.sql, incident, columns, limit).map((row) => view(context, row, isWhole)),
  );
}

function view(context: ReadContext, row: Row, isWhole: boolean): IncidentView {
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
