import type { Send } from '../../config/config.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import { builtInText } from '../../render/built-in-text.ts';
import { renderSends, withFallback, type RenderedSends } from '../../render/fallback.ts';
import {
  notificationScope,
  type NotificationContext,
  type NotificationElement,
  type NotificationContent,
} from '../../render/notification-scope.ts';
import type { About, DraftMessage } from '../state/acceptance.ts';
import { entryKey, type Entry, type Group, type Teller } from './board.ts';
import { pendingOf, pendingSince } from './incident.ts';
import { incidentId } from './incident-id.ts';
import type { Holding } from './plan.ts';
import type { Rules } from './rules.ts';
import { readContent } from './store.ts';

/** How many incidents of each kind a render sees, the newest. Each is a row to read; more are only counted. */
const MAX_SEEN = 1_000;

/** How many incidents a digest names. */
const MAX_NAMED = 5;

/** How many incidents a message names in the admin API. */
const MAX_ABOUT = 20;

/** The gateway documents no limit; the strictest chat client's is 4,096 UTF-16 units. */
const MAX_LENGTH = 4_096;

/** What a receiver is told: groups, or all that was held back in one digest. */
interface Subject {
  readonly sql: SqlStorage;
  readonly teller: Teller;
  readonly rules: Rules;
  readonly form: 'group' | 'digest';
  readonly groups: readonly Group[];
  readonly held: Holding | null;
  /** How many incidents ended without being told. */
  readonly missed: number;
  readonly now: number;
}

/** A message, or several when its text was split. */
export interface Composed {
  readonly drafts: readonly DraftMessage[];
  readonly about: About;
  /** The newest event that it is about; null: it only counts. */
  readonly event: string | null;
  /** The incidents that it shows, by key; it counts the others. */
  readonly shown: ReadonlySet<string>;
}

/** Renders what is told by the route in force; if that fails, by the built-in text. */
export function compose(subject: Subject): Composed {
  const { rules, form, groups, teller, held, missed, now } = subject;
  const { route } = rules;
  const { burning, fresh, ended } = listOf(groups);
  const max = form === 'digest' ? MAX_NAMED : (rules.group?.max ?? 1);
  const elements = elementsOf(subject);
  const told: NotificationContent = {
    firing: elements(burning.slice(-max)),
    count: burning.length,
    new: elements(fresh.slice(-MAX_SEEN)),
    resolved: elements(ended.slice(-MAX_SEEN)),
    max,
    ...(missed > 0 && { missed }),
    ...(form === 'digest' && { since: iso(held?.since ?? earliest(groups) ?? now) }),
    single: form === 'group' && rules.group === null,
  };
  const rendered = render(subject, told);
  const { kind, sets } = rendered;
  const newest = told.new.at(-1) ?? told.resolved.at(-1) ?? told.firing.at(-1);
  const shown = [burning, ended, fresh].flatMap((entries) => entries.slice(-max));
  const about: About = {
    form,
    new: fresh.length,
    resolved: ended.length,
    firing: burning.length,
    incidents: [...fresh, ...ended, ...burning]
      .filter(({ incident }) => !incident.isLone)
      .slice(0, MAX_ABOUT)
      .map(({ place }) => incidentId(place)),
  };
  const drafts = sets.map((params, at) => ({
    route: teller.route,
    kind,
    phone: teller.phone === '' ? null : teller.phone,
    params,
    delayMs: route?.delivery.delayMs ?? 0,
    expiresMs: route?.delivery.expiresMs ?? null,
    onUncertain: route?.delivery.onUncertain ?? ('retry' as const),
    priority: rules.priority,
    forget: rules.source?.store === 'metadata',
    about,
    ...withFallback(rendered, at),
  }));
  return {
    drafts,
    about,
    event: newest?.event.id ?? null,
    shown: new Set(shown.map(({ place }) => entryKey(place))),
  };
}

const oldest = (one: Entry, other: Entry): number =>
  pendingSince(one.incident) - pendingSince(other.incident);

/** The incidents of what is told, oldest first; not those that are held back. */
function listOf(groups: readonly Group[]): Record<'burning' | 'fresh' | 'ended', readonly Entry[]> {
  const entries = groups.flatMap((group) => [...group.entries.values()]).filter(({ held }) => held === null);
  const those = (holds: (entry: Entry) => boolean): readonly Entry[] =>
    entries.filter(holds).toSorted(oldest);
  return {
    burning: those(({ incident }) => incident.endedAt === null),
    fresh: those(({ incident }) => ['opened', 'flaps'].includes(pendingOf(incident))),
    ended: those(({ incident }) => pendingOf(incident) === 'ended'),
  };
}

/** Reads what templates see of incidents; each row once. */
function elementsOf({ sql, now }: Subject): (entries: readonly Entry[]) => readonly NotificationElement[] {
  const known = new Map<Entry, NotificationElement>();
  const element = (entry: Entry): NotificationElement => {
    const { place, incident } = entry;
    const { event, value } = readContent(sql, place);
    const { openedAt, endedAt, times, isLone, flapping, changes } = incident;
    return {
      item: value,
      event,
      started_at: iso(openedAt),
      resolved_at: endedAt === null ? null : iso(endedAt),
      duration_ms: Math.max(0, (endedAt ?? now) - openedAt),
      occurrences: times,
      key: isLone ? null : place.key,
      flapping: flapping !== 'no',
      changes: changes.length,
    };
  };
  return (entries) =>
    entries.map((entry) => {
      const seen = known.get(entry) ?? element(entry);
      known.set(entry, seen);
      return seen;
    });
}

/** `reason`: also why it is the built-in text, where a template was meant. */
type Rendered = Omit<RenderedSends, 'notes'>;

function render(subject: Subject, told: NotificationContent): Rendered {
  const { rules, form, teller, now } = subject;
  const { route, locale } = rules;
  const builtIn = (reason: string | null): Rendered => {
    const text = builtInText(told, locale, route?.maxLength ?? MAX_LENGTH);
    return teller.phone === ''
      ? { kind: 'status', sets: [{ text }], fallback: [], reason }
      : { kind: 'text', sets: [{ message: text }], fallback: [], reason };
  };
  if (route === null)
    return builtIn(`the route \`${teller.route}\` is not there any more: this is the built-in text`);
  const send = form === 'group' ? route.send : (route.alerting?.digest ?? null);
  if (send === null) return builtIn(null);
  const scope = notificationScope(told, {
    at: iso(now),
    source: teller.source,
    ...(told.single && namesParts(send) && partsOf(subject, told)),
  });
  const sends = renderSends(route, send, scope, locale);
  if (sends.ok) return sends.value;
  const [failure] = sends.error;
  return builtIn(`${failure?.reason ?? 'the template failed'}: this is the built-in text`);
}

const PARTS = /\b(?:payload|headers|query)\b/;

const namesParts = ({ params, fallback }: Send): boolean =>
  params.some(({ texts }) => texts.some(({ source }) => PARTS.test(source))) || fallback.some(namesParts);

/** The newest event's body, headers and query, if its row is still there. */
function partsOf({ sql }: Subject, content: NotificationContent): Partial<NotificationContext> {
  const newest = content.new.at(-1) ?? content.resolved.at(-1) ?? content.firing.at(-1);
  const [row] = sql
    .exec<{ payload: string; headers: string; query: string }>(
      'SELECT payload, headers, query FROM events WHERE id = ? AND stored = 1',
      newest?.event.id ?? '',
    )
    .toArray();
  if (row === undefined) return {};
  return {
    payload: parseOwnJson<unknown>(row.payload),
    headers: parseOwnJson<Record<string, string>>(row.headers),
    query: parseOwnJson<Record<string, string>>(row.query),
  };
}

/** Since when something of them waits (ms). */
const earliest = (groups: readonly Group[]): number | null =>
  groups.reduce<number | null>(
    (first, { waitsSince }) => (waitsSince === null ? first : Math.min(first ?? waitsSince, waitsSince)),
    null,
  );

const iso = (ms: number): string => new Date(ms).toISOString();
