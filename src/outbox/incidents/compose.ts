import type { Send } from '../../config/send.ts';
import { earliest } from '../../lib/earliest.ts';
import { iso } from '../../lib/iso.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import { builtInText } from '../../render/built-in-text.ts';
import { appended, renderSends, withFallback, type RenderedSends } from '../../render/fallback.ts';
import { escalationText } from '../../render/incident-words.ts';
import { cutting } from '../../render/send.ts';
import {
  notificationScope,
  type NotificationContext,
  type NotificationContent,
} from '../../render/notification-scope.ts';
import type { About, DraftMessage } from '../state/acceptance.ts';
import { factsOf } from './due.ts';
import { elementsFrom } from './elements.ts';
import type { Entry, Group, Holding, Subscriber } from './entries.ts';
import { isSpared, pendingOf, pendingSince } from './incident.ts';
import { incidentId } from './incident-id.ts';
import type { OpenIncidents } from './open-incidents.ts';
import type { Rules } from './rules.ts';
import { soFar } from './so-far.ts';

/**
 * The maximum number of incidents of each kind that a template sees, newest first. Each one may need its row read; the
 * rest is only counted.
 */
const MAX_SEEN = 1_000;

/** The maximum for each kind in the template of a digest. */
const MAX_IN_DIGEST = 50;

/** The number of incidents that a digest names. */
const MAX_NAMED = 5;

/** The number of incidents that a message names in the admin API: those that its text names first. */
const MAX_ABOUT = 20;

/** The gateway documents no limit; the strictest chat client has one of 4,096 UTF-16 units. */
const MAX_LENGTH = 4_096;

/** The subject of a notification: groups, or everything that was held back, in one digest. */
export interface Subject {
  readonly sql: SqlStorage;
  readonly open: OpenIncidents;
  readonly subscriber: Subscriber;
  readonly rules: Rules;
  readonly form: 'group' | 'digest';
  readonly groups: readonly Group[];
  readonly held: Holding | null;
  /** The number of incidents that opened and closed without a notification. */
  readonly missed: number;
  readonly now: number;
}

/** The message. It is cut if its text is too long, and never split: its parts could contradict each other. */
export interface Composed {
  readonly draft: DraftMessage;
  /** The newest event that it is about; null if it only counts. */
  readonly event: string | null;
  /** The incidents that it shows; the others are counted. */
  readonly shown: ReadonlySet<Entry>;
}

/** Renders the notification by the route in force; if that fails, with the built-in text. */
export function compose(subject: Subject): Composed {
  const { rules, form, groups, subscriber, held, missed, now } = subject;
  const { route } = rules;
  const { firing, fresh, resolved } = listOf(groups);
  const max = form === 'digest' ? MAX_NAMED : (rules.group?.max ?? 1);
  const most = form === 'digest' ? MAX_IN_DIGEST : MAX_SEEN;
  const elements = elementsFrom(subject.sql, now);
  const escalation = soFar(subject.open, fresh, route, now);
  const content: NotificationContent = {
    firing: elements(firing.slice(-max)),
    count: firing.length + knownHeldIn(groups),
    new: elements(fresh.slice(-most)),
    resolved: elements(resolved.slice(-most)),
    max,
    ...(missed > 0 && { missed }),
    ...(form === 'digest' && { since: iso(held?.since ?? sinceWhen(groups) ?? now) }),
    ...(escalation !== null && { escalation }),
    single: form === 'group' && rules.group === null,
  };
  const rendered = render(subject, content);
  const newest = content.new.at(-1) ?? content.resolved.at(-1) ?? content.firing.at(-1);
  const shown = new Set([firing, resolved, fresh].flatMap((entries) => entries.slice(-max)));
  const all = [...fresh, ...resolved, ...firing];
  const about: About = {
    form,
    new: fresh.length,
    resolved: resolved.length,
    firing: firing.length,
    incidents: [...new Set([...all.filter((entry) => shown.has(entry)), ...all])]
      .filter(({ incident }) => !incident.isLone)
      .slice(0, MAX_ABOUT)
      .map(({ ref }) => incidentId(ref)),
  };
  const phone = subscriber.phone === '' ? null : subscriber.phone;
  const draft: DraftMessage = {
    route: subscriber.route,
    kind: rendered.kind,
    phone,
    params: rendered.sets[0] ?? {},
    delayMs: route?.delivery.delayMs ?? 0,
    expiresMs: route?.delivery.expiresMs ?? null,
    onUncertain: route?.delivery.onUncertain ?? 'retry',
    priority: rules.priority,
    forget: rules.source?.store === 'metadata',
    about,
    ...withFallback(rendered, 0, { phone, elsewhere: route?.elsewhere ?? new Map() }),
  };
  return { draft, event: newest?.event.id ?? null, shown };
}

const oldest = (one: Entry, other: Entry): number =>
  pendingSince(one.incident) - pendingSince(other.incident);

/** Returns the time since which something of these groups waits (ms); null if nothing does. */
const sinceWhen = (groups: readonly Group[]): number | null =>
  earliest(groups.map(({ entries }) => factsOf(entries).waitsSince));

/** Returns the incidents that a message is about, oldest first, without those that are held back. */
function listOf(groups: readonly Group[]): Record<'firing' | 'fresh' | 'resolved', readonly Entry[]> {
  const entries = groups
    .flatMap((group) => [...group.entries.values()])
    .filter(({ held, incident }) => held === null && !isSpared(incident));
  const those = (holds: (entry: Entry) => boolean): readonly Entry[] =>
    entries.filter(holds).toSorted(oldest);
  return {
    firing: those(({ incident }) => incident.resolvedAt === null),
    fresh: those(({ incident }) => ['opened', 'flaps'].includes(pendingOf(incident))),
    resolved: those(({ incident }) => pendingOf(incident) === 'resolved'),
  };
}

/**
 * Returns the number of incidents that are held back, still open, and known to the receiver. They are not named, but a
 * message that did not count them would say that everything is resolved.
 */
const knownHeldIn = (groups: readonly Group[]): number =>
  groups
    .flatMap(({ entries }) => [...entries])
    .filter(
      ({ held, incident: { resolvedAt, believed } }) =>
        held !== null && resolvedAt === null && believed !== 'closed',
    ).length;

/** `reason`: also why it is the built-in text instead of the template's. */
type RenderedNotice = Omit<RenderedSends, 'notes'>;

/** Renders the message. If a step sends it and its template does not say so, a line is added that does. */
function render(subject: Subject, content: NotificationContent): RenderedNotice {
  const { rules, form, now } = subject;
  const { route, locale } = rules;
  const maxLength = route?.maxLength ?? MAX_LENGTH;
  const send = form === 'group' ? (route?.send ?? null) : (route?.alerting?.digest ?? null);
  const { escalation } = content;
  if (escalation === undefined || (send !== null && names(send, /\bescalation\b/)))
    return renderText(subject, content, send, maxLength);
  const line = escalationText(escalation, iso(now), locale);
  const left = maxLength - line.length - 1;
  // If a text has hardly more space than the line needs, the line is left out.
  if (left < line.length) return renderText(subject, content, send, maxLength);
  return appended(renderText(subject, content, send, left), line);
}

function renderText(
  subject: Subject,
  content: NotificationContent,
  send: Send | null,
  maxLength: number,
): RenderedNotice {
  const { rules, form, subscriber, now } = subject;
  const { route, locale } = rules;
  const builtIn = (reason: string | null): RenderedNotice => {
    const text = builtInText(content, locale, maxLength);
    return subscriber.phone === ''
      ? { kind: 'status', sets: [{ text }], fallback: [], reason }
      : { kind: 'text', sets: [{ message: text }], fallback: [], reason };
  };
  if (route === null)
    return builtIn(`the route \`${subscriber.route}\` no longer exists: this is the built-in text`);
  if (send === null) return builtIn(null);
  // Its template is now for single items, which nothing resolves: the text would read as if it fired again.
  if (form === 'group' && rules.incident === null && content.resolved.length > 0)
    return builtIn(`the route \`${subscriber.route}\` no longer has \`incident\`: this is the built-in text`);
  const scope = notificationScope(content, {
    at: iso(now),
    source: subscriber.source,
    ...(content.single && names(send, PARTS) && partsOf(subject, content)),
  });
  const sends = renderSends({ ...route, ...cutting(route), maxLength }, send, scope, locale);
  if (sends.ok) return sends.value;
  const [failure] = sends.error;
  return builtIn(`${failure?.reason ?? 'the template failed'}: this is the built-in text`);
}

const PARTS = /\b(?:payload|headers|query)\b/;

const names = ({ params, fallback }: Send, pattern: RegExp): boolean =>
  [params, ...fallback.map((one) => one.params)]
    .flat()
    .some(({ texts }) => texts.some(({ source }) => pattern.test(source)));

/** Returns the newest event's body, headers and query, if its row is still there. */
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
