import { isOfIncidents } from '../../config/compile/actions.ts';
import { receiversOf } from '../../config/compile/alerting.ts';
import { type Route, inLanguage, sendIn, type Send } from '../../config/compiled/config.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { maskNumber } from '../../lib/numbers.ts';
import { personName } from '../../lib/person-name.ts';
import { err, type Result } from '../../lib/result.ts';
import { CRITICAL } from '../../lib/severity.ts';
import { iso, minTime } from '../../lib/time.ts';
import type { Look } from './context.ts';
import { factsOf, type OwedMessage } from './owed.ts';
import { nameOf, sharedBy, type Entry, type Group, type Subscriber, type IncidentRef } from './entries.ts';
import { incidentId, readUnheard, readContent } from './store.ts';
import {
  LATE_MS,
  isSpared,
  pendingOf,
  pendingSince,
  spanOf,
  type Incident,
  type Pending,
  escalationOf,
  isCalled,
} from './incident.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { MAX_LENGTH } from './who-has.ts';
import { type Rules, isSuppressedIn } from './rules.ts';
import { type About, type DraftMessage, unpack, type Packed } from '../state/acceptance.ts';
import { builtInText, NAMED, titleOf } from '../../render/built-in-text.ts';
import {
  renderSends,
  withFallback,
  type RenderedSends,
  leftOutLines,
  linesBelow,
  names,
} from '../../render/fallback.ts';
import { escalationText, whoHasText, NAMED as NAMED_HOLDERS } from '../../render/incident-words.ts';
import { linkLines } from '../../render/links.ts';
import {
  notificationScope,
  type NotificationContext,
  type NotificationContent,
  type NotificationElement,
} from '../../render/notification-scope.ts';
import { cutting } from '../../render/send.ts';
import type { Silenceable } from '../../config/compile/silences.ts';
import type { Scope } from '../../template/basics/scope.ts';
import type { NotifyReason } from '../state/states.ts';

/** A template sees so many incidents of each kind: the newest, in a digest the oldest. The rest is only counted. */
const MAX_SEEN = 1_000;

const MAX_IN_DIGEST = 50;

const MAX_NAMED = 5;

/** The admin API names so many of a message: those that its text names first. */
const MAX_ABOUT = 20;

/** The subject of a notification: groups, or everything that was held back, in one digest. */
interface Subject extends OwedMessage, Pick<Look, 'sql' | 'open' | 'now'> {
  readonly subscriber: Subscriber;
  readonly rules: Rules;
  readonly held: Subscriber['held'];
  /** So many of its groups are only counted: open as far as is known, and not heard of any more. */
  readonly counted: { readonly open: number; readonly unheard: number };
}

/**
 * By the route in force, else with the built-in text. A long text is cut, never split, as parts could contradict each
 * other. `event`: the newest, null if it only counts; `shown`: the incidents that the text names.
 */
export function compose(subject: Subject) {
  const { rules, form, groups, subscriber, held, missed, now } = subject;
  const { route } = rules;
  const lists = listOf(groups);
  const { resolved, unwatched } = lists;
  const isDigest = form === 'digest';
  const isWhole = isHandover(subject);
  const isUrgent = rules.priority === 'high';
  const mostSevere = ranked(lists, isUrgent);
  const { firing, fresh } = isDigest ? mostSevere : lists;
  const max = isDigest && !isWhole ? MAX_NAMED : (rules.group?.max ?? 1);
  const most = isDigest && !isWhole ? MAX_IN_DIGEST : MAX_SEEN;
  const some = (entries: readonly Entry[], count: number): readonly Entry[] =>
    isDigest ? entries.slice(0, count) : entries.slice(-count);
  const elements = elementsFrom(subject.sql, now);
  const count = firing.length + knownHeldIn(groups);
  // If no other is open, a message that did not count these would say that all is over.
  const { again, unheard } = count > 0 ? { again: 0, unheard: missed.expired } : expiredIn(subject);
  const escalation = soFar(subject.open, fresh, route, now);
  const waitsSince = minTime(groups.map(({ entries }) => factsOf(entries).waitsSince));
  const content: NotificationContent = {
    firing: elements(some(firing, max)),
    count: count || again + subject.counted.open,
    new: elements(some(fresh, most)),
    resolved: elements(some(resolved, most)),
    unwatched: elements(some(unwatched, most)),
    ended: { resolved: resolved.length, unwatched: unwatched.length },
    max,
    missed: { ...missed, expired: unheard + subject.counted.unheard },
    ...(form === 'digest' && { since: iso(held?.since ?? waitsSince ?? now) }),
    ...(escalation !== null && { escalation }),
    single: form === 'group' && rules.group === null,
  };
  const named = mostSevere.firing.slice(0, isDigest ? max : NAMED);
  const newest = elements(newestOf(lists))[0];
  const inItsOwn = { ...subject, rules: inLanguage(rules, newest?.event.locale) };
  const rendered = render(inItsOwn, {
    content,
    builtIn: {
      ...content,
      firing: elements(named),
      critical: named.filter(({ incident }) => isUrgent || incident.severity === CRITICAL).length,
    },
    newest,
    holders: holdersIn(firing, elements),
    news: holdersIn(isDigest ? firing : fresh, elements),
  });
  const shown = new Set([firing, resolved, fresh, unwatched].flatMap((entries) => some(entries, max)));
  const all = [...fresh, ...resolved, ...unwatched, ...firing];
  const about: About = {
    form,
    why: whyNow({ ...subject, mayFlap: rules.incident?.flapping !== null }),
    new: fresh.length,
    resolved: resolved.length,
    firing: firing.length,
    incidents: [...new Set([...all.filter((entry) => shown.has(entry)), ...all])]
      .filter(({ incident }) => !incident.isLone)
      .slice(0, MAX_ABOUT)
      .map(({ ref }) => incidentId(subject.sql, ref)),
  };
  const phone = subscriber.phone === '' ? null : subscriber.phone;
  const draft: DraftMessage = {
    route: subscriber.route,
    kind: rendered.kind,
    phone,
    params: rendered.sets[0] ?? {},
    delayMs: route?.delivery.delayMs,
    expiresMs: route?.delivery.expiresMs,
    onUncertain: route?.delivery.onUncertain,
    priority: rules.priority,
    forget: rules.source?.store === 'metadata',
    about,
    ...withFallback(rendered, 0, { phone, elsewhere: route?.elsewhere ?? new Map() }),
  };
  return { draft, event: newest?.event.id ?? null, shown };
}

/** So many expired after their receiver was notified, and may still resolve. `again`: they are open for others. */
function expiredIn({ sql, open, subscriber, groups, held, now }: Subject) {
  let again = 0;
  // In a hold, those that expire are counted.
  let unheard = held === null ? 0 : subscriber.missed.expired;
  for (const group of groups) {
    const grouped = sharedBy(group);
    if (grouped === null) continue;
    for (const key of readUnheard(sql, subscriber, grouped, [now - LATE_MS, held?.since ?? Infinity]))
      if (open.isOpen(nameOf({ ...subscriber, key }))) again += 1;
      else unheard += 1;
  }
  return { again, unheard };
}

const newestOf = ({ fresh, resolved, unwatched, firing }: Lists): readonly Entry[] =>
  [fresh, resolved, unwatched, firing].find((all) => all.length > 0)?.slice(-1) ?? [];

/** True if the route's text is for somebody who joins a list or begins a turn: they get the whole picture. */
const isHandover = ({ form, held, rules: { route, group } }: Subject): boolean =>
  form === 'digest' && held?.by === 'joined' && group !== null && route?.alerting?.digest === null;

/** `reason`: also why it is the built-in text instead of the template's. */
type RenderedNotice = Omit<RenderedSends, 'notes'>;

interface Contents {
  readonly content: NotificationContent;
  readonly builtIn: Parameters<typeof builtInText>[0];
  /** Absent: the message only counts. */
  readonly newest: NotificationElement | undefined;
  /** See {@link holdersIn}. `news`: of what is new to its receiver. */
  readonly holders: Holders;
  readonly news: Holders;
}

type Holders = ReturnType<typeof holdersIn>;

/** Adds who has something of it and, unless the template says it, that nobody does and what the sender left out. */
function render(subject: Subject, contents: Contents): RenderedNotice {
  const { rules, form, now } = subject;
  const { content, newest, holders, news } = contents;
  const { route, locale } = rules;
  const maxLength = route?.maxLength ?? MAX_LENGTH;
  const linesFor = (of: Holders, isCounted: boolean, send: Send | null) => {
    const options = { locale: locale.locale, isBack: false, isCounted, maxLength };
    const lines = [...of].map(([by, titles]) => whoHasText(personName(by), titles, options));
    const { escalation } = content;
    if (escalation !== undefined && (send === null || !names(send, /\bescalation\b/)))
      lines.push(escalationText(escalation, iso(now), locale));
    lines.push(...leftOutLines(newest?.event.left_out, send, locale));
    return linesBelow(lines, maxLength);
  };
  const isOfRoute = form === 'group' || isHandover(subject);
  const send = isOfRoute ? route && sendIn(route.send, locale.locale) : (route?.alerting?.digest ?? null);
  let reason: string | null =
    route === null ? `the route \`${subject.subscriber.route}\` no longer exists` : null;
  if (route !== null && send !== null) {
    const below = linesFor(news, form === 'digest', send);
    const made = renderTemplate(subject, contents, { route, send, maxLength: below.maxLength });
    if (made.ok) return below.add(made.value);
    reason = made.error;
  }
  const below = linesFor(holders, true, null);
  const why = reason === null ? null : `${reason}: this is the built-in text`;
  return below.add(renderBuiltIn(subject, contents, why, below.maxLength));
}

const scopeOf = (
  { subscriber, now }: Subject,
  content: NotificationContent,
  parts: Partial<NotificationContext> = {},
) => notificationScope(content, { at: iso(now), source: subscriber.source, ...parts });

function renderBuiltIn(
  subject: Subject,
  { content, builtIn }: Contents,
  reason: string | null,
  maxLength: number,
): RenderedNotice {
  const { route, locale } = subject.rules;
  const actions = content.firing.length > 0 ? (route?.actions ?? []) : [];
  const { text, links } = linkLines(
    actions.filter(({ id }) => isOfIncidents(id)),
    (max) => builtInText(builtIn, locale, max),
    { scope: scopeOf(subject, content), locale, maxLength },
  );
  const sent = { fallback: [], reason, ...(links !== null && { links }) };
  return subject.subscriber.phone === ''
    ? { kind: 'status', sets: [{ text }], ...sent }
    : { kind: 'text', sets: [{ message: text }], ...sent };
}

/** Renders a template; the error is the reason why the built-in text takes its place. */
function renderTemplate(
  subject: Subject,
  { content, newest }: Contents,
  { route, send, maxLength }: { readonly route: Route; readonly send: Send; readonly maxLength: number },
): Result<RenderedNotice, string> {
  const { rules, form, subscriber } = subject;
  // Its template is now for single items, which nothing resolves: the text would read as if it fired again.
  if (form === 'group' && rules.incident === null && content.resolved.length > 0)
    return err(`the route \`${subscriber.route}\` no longer has \`incident\``);
  const { unwatched = [], missed } = content;
  if (unwatched.length > 0) return err(`the route \`${subscriber.route}\` does not watch them any more`);
  // A template that does not know the number could say that all is over.
  const isCounted = form === 'digest' || content.count === 0;
  if (isCounted && missed !== undefined && missed.expired > 0 && !names(send, /\bunheard\b/))
    return err('the template does not say `unheard`');
  const parts = content.single && names(send, PARTS) ? partsOf(subject, newest) : {};
  const fit = { ...route, ...cutting(route), maxLength };
  const sends = renderSends(fit, send, scopeOf(subject, content, parts), rules.locale);
  return sends.ok ? sends : err(sends.error[0]?.reason ?? 'the template failed');
}

const PARTS = /\b(?:payload|headers|query)\b/;

/** The newest event's body, headers and query, if its row is still there. */
function partsOf({ sql }: Subject, newest: NotificationElement | undefined): Partial<NotificationContext> {
  const [row] = sql
    .exec<{ payload: Packed; headers: string; query: string }>(
      'SELECT payload, headers, query FROM events WHERE id = ? AND stored = 1',
      newest?.event.id ?? '',
    )
    .toArray();
  if (row === undefined) return {};
  return {
    payload: parseOwnJson<unknown>(unpack(row.payload)),
    headers: parseOwnJson<Record<string, string>>(row.headers),
    query: parseOwnJson<Record<string, string>>(row.query),
  };
}

/** The past of the incidents that a step notifies a receiver of; null if no step does. */
function soFar(open: OpenIncidents, fresh: readonly Entry[], route: Route | null, now: number) {
  const escalated = fresh.filter(({ incident }) => isCalled(incident));
  if (escalated.length === 0) return null;
  const steps = escalated.flatMap(({ incident }) => escalationOf(incident).taken.at(-1)?.step ?? []);
  const sinces = escalated.map(({ incident }) => escalationOf(incident).freeSince ?? incident.openedAt);
  const since = Math.min(...sinces);
  const notifiedAt = new Map<string, number>();
  const out = new Set<string>();
  for (const entry of escalated)
    for (const { ref, incident, group } of open.entriesOf(nameOf(entry.ref))) {
      if (ref.phone === entry.ref.phone) continue;
      const name = nameIn(route, ref.phone);
      const { rules } = group.subscriber;
      if (incident.notifiedAt !== null)
        notifiedAt.set(name, Math.min(notifiedAt.get(name) ?? Infinity, incident.notifiedAt));
      else if (isSuppressedIn(rules?.of ?? null, group.subscriber)) out.add(name);
    }
  return {
    step: Math.max(...steps),
    since: iso(since),
    minutes: Math.floor((now - since) / 60_000),
    notified: [...notifiedAt]
      .toSorted(([name, one], [otherName, other]) => one - other || (name < otherName ? -1 : 1))
      .map(([name, at]) => ({ name, at: iso(at) })),
    opted_out: [...out].toSorted(),
  };
}

/** The person's name, or else the list's. */
function nameIn(route: Route | null, phone: string): string {
  const listed = route === null ? [] : receiversOf(route).filter((one) => one.from === 'document');
  const own = listed.filter(({ numbers }) => numbers.includes(phone));
  const people = own.flatMap(({ names }) => names?.get(phone) ?? []);
  const lists = own.flatMap(({ list }) => list ?? []);
  return people[0] ?? lists[0] ?? maskNumber(phone);
}

const oldest = (one: Entry, other: Entry) => pendingSince(one.incident) - pendingSince(other.incident);

/** The incidents that a message is about, without those that are held back, the oldest first. */
type Lists = Readonly<Record<'firing' | 'fresh' | 'resolved' | 'unwatched', readonly Entry[]>>;

function listOf(groups: readonly Group[]): Lists {
  const entries = groups
    .flatMap((group) => [...group.entries.values()])
    .filter(({ held, incident }) => held === null && !isSpared(incident));
  const those = (holds: (entry: Entry) => boolean) => entries.filter(holds).toSorted(oldest);
  return {
    firing: those(({ incident }) => incident.resolvedAt === null),
    fresh: those(({ incident }) => ['opened', 'flaps'].includes(pendingOf(incident))),
    resolved: those(({ incident }) => pendingOf(incident) === 'resolved'),
    unwatched: those(({ incident }) => pendingOf(incident) === 'unwatched'),
  };
}

/** First what cannot wait, then what nobody has, what its receiver does not know of, and the oldest. */
function ranked({ firing, fresh }: Lists, isUrgent: boolean): Pick<Lists, 'firing' | 'fresh'> {
  const news = new Set(fresh);
  const ranks = (entry: Entry): number => {
    const { severity, acknowledged } = entry.incident;
    const canWait = !isUrgent && severity !== CRITICAL;
    return 4 * Number(canWait) + 2 * Number(acknowledged !== null) + Number(!news.has(entry));
  };
  const sorted = (entries: readonly Entry[]) => entries.toSorted((one, other) => ranks(one) - ranks(other));
  return { firing: sorted(firing), fresh: sorted(fresh) };
}

/** The titles of the incidents that somebody has, by the person; only the first are read, others are empty. */
function holdersIn(
  entries: readonly Entry[],
  elements: (entries: readonly Entry[]) => readonly NotificationElement[],
): ReadonlyMap<string, readonly string[]> {
  const held = entries.filter(({ incident }) => incident.acknowledged !== null);
  const byHolder = Map.groupBy(held, ({ incident }) => incident.acknowledged?.by ?? '');
  const titlesOf = (own: readonly Entry[]): readonly string[] =>
    own.flatMap((entry, at) => (at < NAMED_HOLDERS ? elements([entry]).map(titleOf) : ['']));
  return new Map([...byHolder].map(([by, own]) => [by, titlesOf(own)]));
}

/** Those that are held back are not named, but a message that did not count them would say that all is resolved. */
const knownHeldIn = (groups: readonly Group[]): number =>
  groups
    .flatMap(({ entries }) => [...entries])
    .filter(
      ({ held, incident: { resolvedAt, believed } }) =>
        held !== null && resolvedAt === null && believed !== 'closed',
    ).length;

export const silenceable = (
  sql: SqlStorage,
  { ref, grouping: { grouped } }: Pick<Entry, 'ref' | 'grouping'>,
): Silenceable => ({ ...ref, grouped, scope: silenceScope(sql, ref) });

/** The row, which may be large, is read when a condition needs it. */
function silenceScope(sql: SqlStorage, ref: IncidentRef): Scope {
  let content: ReturnType<typeof readContent> | null = null;
  const read = () => (content ??= readContent(sql, ref));
  return {
    payload: undefined,
    get event() {
      return read().event;
    },
    headers: {},
    query: {},
    get item() {
      return read().value;
    },
    get notification() {
      return { at: read().event.received_at, names: { key: ref.key } };
    },
  };
}

/** So many rows stay in memory for templates that name them again: a thousand may be larger than that. */
const MAX_KEPT = 32;

type Elements = (entries: readonly Entry[]) => readonly NotificationElement[];

/** The incidents as templates see them. A row may be large, so it is read only when a template names something in it. */
function elementsFrom(sql: SqlStorage, now: number): Elements {
  const known = new Map<Entry, NotificationElement>();
  const kept = new Map<IncidentRef, ReturnType<typeof readContent>>();
  const read = (ref: IncidentRef): ReturnType<typeof readContent> => {
    const content = kept.get(ref) ?? readContent(sql, ref);
    if (kept.size === MAX_KEPT) kept.clear();
    kept.set(ref, content);
    return content;
  };
  const element = ({ ref, incident }: Entry): NotificationElement => {
    const { occurrences, isLone, flapping, changes } = incident;
    const { from, to } = spanOf(incident);
    return {
      get item() {
        return read(ref).value;
      },
      get event() {
        return read(ref).event;
      },
      started_at: iso(from),
      resolved_at: to === null ? null : iso(to),
      duration_ms: Math.max(0, (to ?? now) - from),
      occurrences,
      key: isLone ? null : ref.key,
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

/** `mayFlap`: its route looks for flapping. */
type Owing = Pick<Subject, 'form' | 'groups' | 'endsHold' | 'held'> & { readonly mayFlap: boolean };

/** The first that holds for one incident is that of the message. */
const IN_ORDER = [
  'escalated',
  'flapping',
  'first',
  'new',
  'unacknowledged',
  'stable',
  'corrected',
  'resolved',
  'removed',
] as const satisfies readonly NotifyReason[];

export function whyNow({ form, groups, endsHold, held, mayFlap }: Owing): NotifyReason {
  const reasons = new Set(groups.flatMap((group) => reasonsIn(group, mayFlap)));
  if (endsHold && held?.by === 'joined') return reasons.has('corrected') ? 'turn' : 'joined';
  if (endsHold && held?.by === 'quiet') return 'morning';
  if (form === 'digest') return 'digest';
  return IN_ORDER.find((reason) => reasons.has(reason)) ?? 'repeat';
}

function reasonsIn({ entries }: Group, mayFlap: boolean): readonly NotifyReason[] {
  const due = [...entries].filter(({ held }) => held === null).map(({ incident }) => incident);
  const isFirst = due.every(({ notifiedAt }) => notifiedAt === null);
  return due.flatMap((incident) => {
    const pending = pendingOf(incident);
    if (pending === 'opened') return whyOpen(incident, isFirst, mayFlap);
    return PENDING[pending] ?? [];
  });
}

const PENDING: Partial<Readonly<Record<Pending, NotifyReason>>> = {
  flaps: 'flapping',
  resolved: 'resolved',
  unwatched: 'removed',
};

function whyOpen(incident: Incident, isFirst: boolean, mayFlap: boolean): NotifyReason {
  const { believed, escalation, notifiedAt, changes } = incident;
  if (isCalled(incident)) return 'escalated';
  if (believed !== 'either') return isFirst ? 'first' : 'new';
  if ((escalation?.freeSince ?? 0) > (notifiedAt ?? Infinity)) return 'unacknowledged';
  // An incident forgets its changes when it is stable.
  return mayFlap && changes.length === 0 ? 'stable' : 'corrected';
}
