import { isOfIncidents } from '../../config/compile/actions.ts';
import { receiversOf } from '../../config/compile/alerting.ts';
import { type Route, inLanguage, sendIn, type Send } from '../../config/compiled/config.ts';
import { createCache } from '../../lib/cache.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { maskNumber } from '../../lib/numbers.ts';
import { personName } from '../../lib/person-name.ts';
import { err, type Result } from '../../lib/result.ts';
import { CRITICAL } from '../../lib/severity.ts';
import { iso, minTime } from '../../lib/time.ts';
import type { Look } from './context.ts';
import { factsOf, openIn, saysIn, type OwedMessage } from './owed.ts';
import {
  nameOf,
  sharedBy,
  type Entry,
  type Group,
  type Says,
  type Subscriber,
  type IncidentRef,
} from './entries.ts';
import { incidentId, readUnheard, readContent } from './store.ts';
import {
  LATE_MS,
  isSpared,
  pendingOf,
  pendingSince,
  spanOf,
  type Incident,
  escalationOf,
  isCalled,
} from './incident.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { MAX_LENGTH } from './who-has.ts';
import { isSuppressedIn } from './rules.ts';
import {
  type About,
  type DraftMessage,
  type MessageOrigin,
  unpack,
  type Packed,
} from '../state/acceptance.ts';
import {
  builtInText,
  escalationText,
  NAMED,
  NAMED_HOLDERS,
  titleOf,
  whoHasText,
} from '../../render/built-in-text.ts';
import {
  renderSends,
  withFallback,
  type RenderedSends,
  leftOutLines,
  linesBelow,
  names,
} from '../../render/fallback.ts';
import { linkLines } from '../../render/links.ts';
import {
  notificationScope,
  type NotificationContext,
  type NotificationContent,
  type NotificationElement,
} from '../../render/notification-scope.ts';
import { cutting } from '../../render/send.ts';
import type { Silenceable } from '../../config/compiled/silences.ts';
import type { Scope } from '../../template/basics/scope.ts';
import type { NotifyReason } from '../../schema/states.ts';

/** A template sees so many incidents of each kind: the newest, in a digest the oldest. The rest is only counted. */
const MAX_SEEN = 1_000;

const MAX_IN_DIGEST = 50;

const MAX_NAMED = 5;

/** The admin API names so many of a message: those that its text names first. */
const MAX_ABOUT = 20;

/**
 * By the route in force, else with the built-in text. A long text is cut, never split, as parts could contradict each
 * other. Times and counts are as of now; the origin's event is the newest, null if it only counts.
 */
export function compose(look: Look, subscriber: Subscriber, message: OwedMessage) {
  const notice = noticeOf(look, subscriber, message);
  const { about, newest, rules, counted } = notice;
  const { route, source } = rules;
  const rendered = render(notice);
  const phone = subscriber.phone === '' ? null : subscriber.phone;
  const further = withFallback(rendered, 0, { phone, elsewhere: route?.elsewhere ?? new Map() });
  const says: Says = {
    ...saysIn(message, notice.shown),
    ...(further.links !== undefined && { also: openIn(message.groups) }),
    ...(counted.open > 0 && about.firing === 0 && { counts: true }),
  };
  const draft: DraftMessage = {
    route: subscriber.route,
    kind: rendered.kind,
    phone,
    params: rendered.sets[0] ?? {},
    delayMs: route?.delivery.delayMs,
    expiresMs: route?.delivery.expiresMs,
    onUncertain: route?.delivery.onUncertain,
    priority: rules.priority,
    forget: source?.store === 'metadata',
    about,
    says,
    ...further,
  };
  const origin: MessageOrigin = {
    event: newest?.event.id ?? null,
    source: subscriber.source,
    since: look.now,
    configVersion: look.config.version,
    isOpen: source?.isOpen,
  };
  return { draft, origin, says };
}

type Notice = ReturnType<typeof noticeOf>;

/** The content of a message. `shown`: the incidents that its text names; `rules`: in the language of the newest event. */
function noticeOf(look: Look, subscriber: Subscriber, message: OwedMessage) {
  const { sql, now } = look;
  const { form, groups, missed } = message;
  const { held } = subscriber;
  const rules = look.rulesFor(subscriber);
  const { route } = rules;
  const isDigest = form === 'digest';
  const isUrgent = rules.priority === 'high';
  const lists = listOf(groups);
  const { resolved, unwatched } = lists;
  // Who joins a list or begins a turn gets the whole picture, in the route's text. So does who is only told of ends: for
  // some senders "resolved" may also be that nobody measures any more, and only that text says so.
  const isOnlyEnds = lists.firing.length + lists.knownHeld + missed.resolved + missed.unwatched === 0;
  const isWhole = (held?.by === 'joined' || isOnlyEnds) && rules.group !== null;
  const isOfRoute = !isDigest || (isWhole && route?.alerting?.digest === null);
  const mostSevere = ranked(lists, isUrgent);
  const { firing, fresh } = isDigest ? mostSevere : lists;
  const max = isOfRoute ? (rules.group?.max ?? 1) : MAX_NAMED;
  const most = isOfRoute ? MAX_SEEN : MAX_IN_DIGEST;
  const some = (entries: readonly Entry[], count: number): readonly Entry[] =>
    isDigest ? entries.slice(0, count) : entries.slice(-count);
  const elements = elementsFrom(sql, now);
  const count = firing.length + lists.knownHeld;
  const names = route === null ? [] : groups.map(({ name }) => name);
  const counted = look.beyond.openOf(subscriber, names, now - rules.expiresMs);
  // If no other is open, a message that did not count these would say that all is over.
  const { again, unheard } =
    count > 0 ? { again: 0, unheard: missed.expired } : expiredIn(look, subscriber, groups);
  const escalation = soFar(look.open, fresh, route, now);
  const waitsSince = minTime(groups.map(({ entries }) => factsOf(entries).waitsSince));
  const content: NotificationContent = {
    firing: elements(some(firing, max)),
    count: count || again + counted.open,
    new: elements(some(fresh, most)),
    resolved: elements(some(resolved, most)),
    unwatched: elements(some(unwatched, most)),
    max,
    missed: { ...missed, expired: unheard + counted.unheard },
    ...(isDigest && { since: iso(held?.since ?? waitsSince ?? now) }),
    ...(escalation !== null && { escalation }),
    single: !isDigest && rules.group === null,
  };
  const named = mostSevere.firing.slice(0, isDigest ? max : NAMED);
  const critical = named.filter(({ incident }) => isUrgent || incident.severity === CRITICAL).length;
  const newestOnes = [fresh, resolved, unwatched, firing].find((all) => all.length > 0) ?? [];
  const [newest] = elements(newestOnes.slice(-1));
  const shown = new Set([firing, resolved, fresh, unwatched].flatMap((entries) => some(entries, max)));
  const all = [...fresh, ...resolved, ...unwatched, ...firing];
  const about: About = {
    form,
    why: whyNow(message, held, rules.incident?.flapping !== null),
    new: fresh.length,
    resolved: resolved.length,
    firing: firing.length,
    incidents: [...new Set([...all.filter((entry) => shown.has(entry)), ...all])]
      .filter(({ incident }) => !incident.isLone)
      .slice(0, MAX_ABOUT)
      .map(({ ref }) => incidentId(sql, ref)),
  };
  // Of what flaps, the others are firing.
  const over = [...resolved, ...fresh.filter(({ incident }) => incident.resolvedAt !== null)];
  const ended = { resolved: over.length, unwatched: unwatched.length };
  const ownLists = { firing: elements(named), resolved: elements(some(over, most)), ended };
  const builtIn = { ...content, ...ownLists, critical };
  const inItsLanguage = inLanguage(rules, newest?.event.locale);
  const own = { rules: inItsLanguage, isDigest, isOfRoute, content, builtIn, newest, firing, fresh };
  return { look, subscriber, ...own, about, shown, counted, elements };
}

/** So many expired after their receiver was notified, and may still resolve. `again`: they are open for others. */
function expiredIn({ sql, open, now }: Look, subscriber: Subscriber, groups: readonly Group[]) {
  const { held, missed } = subscriber;
  let again = 0;
  // In a hold, those that expire are counted.
  let unheard = held === null ? 0 : missed.expired;
  for (const group of groups) {
    const grouped = sharedBy(group);
    if (grouped === null) continue;
    for (const key of readUnheard(sql, subscriber, grouped, [now - LATE_MS, held?.since ?? Infinity]))
      if (open.isOpen(nameOf({ ...subscriber, key }))) again += 1;
      else unheard += 1;
  }
  return { again, unheard };
}

/** The fields of a text that no template has made. */
export const plainSend = (phone: string, text: string) =>
  phone === ''
    ? { kind: 'status' as const, params: { text } }
    : { kind: 'text' as const, params: { message: text } };

/** `reason`: also why it is the built-in text instead of the template's. */
type RenderedNotice = Omit<RenderedSends, 'notes'>;

/** Adds who has something of it and, unless the template says it, that nobody does and what the sender left out. */
function render(notice: Notice): RenderedNotice {
  const { look, subscriber, rules, isDigest, content, builtIn, newest, firing, fresh } = notice;
  const { route, locale } = rules;
  const maxLength = route?.maxLength ?? MAX_LENGTH;
  const below = (entries: readonly Entry[], isCounted: boolean, send: Send | null) => {
    const options = { locale: locale.locale, isBack: false, isCounted, maxLength };
    const held = entries.filter(({ incident }) => incident.acknowledged !== null);
    const byHolder = Map.groupBy(held, ({ incident }) => incident.acknowledged?.by ?? '');
    const lines = [...byHolder].map(([by, own]) => {
      // Only the first are named, and read.
      const titles = own.flatMap((entry, at) =>
        at < NAMED_HOLDERS ? notice.elements([entry]).map(titleOf) : [''],
      );
      return whoHasText(personName(by), titles, options);
    });
    const { escalation } = content;
    if (escalation !== undefined && (send === null || !names(send, /\bescalation\b/)))
      lines.push(escalationText(escalation, iso(look.now), locale));
    lines.push(...leftOutLines(newest?.event.left_out, send, locale));
    return linesBelow(lines, maxLength);
  };
  const ofDigest = route?.alerting?.digest ?? null;
  const send = notice.isOfRoute ? route && sendIn(route.send, locale.locale) : ofDigest;
  let reason = route === null ? `the route \`${subscriber.route}\` no longer exists` : null;
  if (route !== null && send !== null) {
    const lines = below(isDigest ? firing : fresh, isDigest, send);
    const made = renderTemplate(notice, route, send, lines.maxLength);
    if (made.ok) return lines.add(made.value);
    reason = made.error;
  }
  const lines = below(firing, true, null);
  const actions = content.firing.length > 0 ? (route?.actions ?? []) : [];
  const { text, links } = linkLines(
    actions.filter(({ id }) => isOfIncidents(id)),
    (max) => builtInText(builtIn, locale, max),
    { scope: scopeOf(notice), locale, maxLength: lines.maxLength },
  );
  const { kind, params } = plainSend(subscriber.phone, text);
  return lines.add({
    kind,
    sets: [params],
    fallback: [],
    reason: reason === null ? null : `${reason}: this is the built-in text`,
    ...(links !== null && { links }),
  });
}

const scopeOf = ({ look, subscriber, content }: Notice, parts: Partial<NotificationContext> = {}) =>
  notificationScope(content, { at: iso(look.now), source: subscriber.source, ...parts });

/** Renders a template; the error is the reason why the built-in text takes its place. */
function renderTemplate(
  notice: Notice,
  route: Route,
  send: Send,
  maxLength: number,
): Result<RenderedNotice, string> {
  const { look, rules, isDigest, subscriber, content, newest } = notice;
  // Its template is now for single items, which nothing resolves: the text would read as if it fired again.
  if (!isDigest && rules.incident === null && content.resolved.length > 0)
    return err(`the route \`${subscriber.route}\` no longer has \`incident\``);
  const { unwatched = [], missed } = content;
  if (unwatched.length > 0) return err(`the route \`${subscriber.route}\` does not watch them any more`);
  // A template that does not know the number could say that all is over.
  const isCounted = isDigest || content.count === 0;
  if (isCounted && missed !== undefined && missed.expired > 0 && !names(send, /\bunheard\b/))
    return err('the template does not say `unheard`');
  const parts = content.single && names(send, PARTS) ? partsOf(look.sql, newest) : {};
  const fit = { ...route, ...cutting(route), maxLength };
  const sends = renderSends(fit, send, scopeOf(notice, parts), rules.locale);
  return sends.ok ? sends : err(sends.error[0]?.reason ?? 'the template failed');
}

const PARTS = /\b(?:payload|headers|query)\b/;

/** The newest event's body, headers and query, if its row is still there. */
function partsOf(sql: SqlStorage, newest: NotificationElement | undefined): Partial<NotificationContext> {
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

/** The incidents that a message is about, the oldest first. What is held back is not named. */
function listOf(groups: readonly Group[]) {
  const all = groups.flatMap(({ entries }) => [...entries]);
  const named = all.filter(({ held, incident }) => held === null && !isSpared(incident));
  const those = (holds: (incident: Incident) => boolean): readonly Entry[] =>
    named.filter(({ incident }) => holds(incident)).toSorted(oldest);
  return {
    firing: those(({ resolvedAt }) => resolvedAt === null),
    fresh: those((one) => ['opened', 'flaps'].includes(pendingOf(one))),
    resolved: those((one) => pendingOf(one) === 'resolved'),
    unwatched: those((one) => pendingOf(one) === 'unwatched'),
    // A message that did not count these would say that all is resolved.
    knownHeld: all.filter(
      ({ held, incident: { resolvedAt, believed } }) =>
        held !== null && resolvedAt === null && believed !== 'closed',
    ).length,
  };
}

/** First what cannot wait, then what nobody has, what its receiver does not know of, and the oldest. */
function ranked({ firing, fresh }: ReturnType<typeof listOf>, isUrgent: boolean) {
  const news = new Set(fresh);
  const ranks = (entry: Entry): number => {
    const { severity, acknowledged } = entry.incident;
    const canWait = !isUrgent && severity !== CRITICAL;
    return 4 * Number(canWait) + 2 * Number(acknowledged !== null) + Number(!news.has(entry));
  };
  const sorted = (entries: readonly Entry[]) => entries.toSorted((one, other) => ranks(one) - ranks(other));
  return { firing: sorted(firing), fresh: sorted(fresh) };
}

/** The row, which may be large, is read when a condition needs it. */
export function silenceable(
  sql: SqlStorage,
  { ref, grouping: { grouped } }: Pick<Entry, 'ref' | 'grouping'>,
): Silenceable {
  let content: ReturnType<typeof readContent> | null = null;
  const read = () => (content ??= readContent(sql, ref));
  const scope: Scope = {
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
  return { ...ref, grouped, scope };
}

/** So many rows stay in memory for templates that name them again: a thousand may be larger than that. */
const MAX_KEPT = 32;

type Elements = (entries: readonly Entry[]) => readonly NotificationElement[];

/** The incidents as templates see them. A row may be large, so it is read only when a template names something in it. */
function elementsFrom(sql: SqlStorage, now: number): Elements {
  const known = new Map<Entry, NotificationElement>();
  const kept = createCache<ReturnType<typeof readContent>>(MAX_KEPT);
  const read = (ref: IncidentRef) => kept(ref.key, () => readContent(sql, ref));
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

/** The first that holds for one incident is that of the message. */
const IN_ORDER: readonly NotifyReason[] = [
  'escalated',
  'flapping',
  'first',
  'new',
  'unacknowledged',
  'stable',
  'corrected',
  'resolved',
  'removed',
];

/** `mayFlap`: its route looks for flapping. */
function whyNow(
  { form, groups, endsHold }: OwedMessage,
  held: Subscriber['held'],
  mayFlap: boolean,
): NotifyReason {
  const reasons = new Set(groups.flatMap((group) => reasonsIn(group, mayFlap)));
  if (endsHold && held?.by === 'joined') return reasons.has('corrected') ? 'turn' : 'joined';
  if (endsHold && held?.by === 'quiet') return 'morning';
  if (form === 'digest') return 'digest';
  return IN_ORDER.find((reason) => reasons.has(reason)) ?? 'repeat';
}

function reasonsIn({ entries }: Group, mayFlap: boolean): readonly NotifyReason[] {
  const due = [...entries].flatMap(({ held, incident }) => (held === null ? [incident] : []));
  const isFirst = due.every(({ notifiedAt }) => notifiedAt === null);
  return due.map((incident) => {
    const { believed, escalation, notifiedAt, changes } = incident;
    const pending = pendingOf(incident);
    if (pending === 'flaps') return 'flapping';
    if (pending === 'unwatched') return 'removed';
    if (pending !== 'opened') return pending === 'resolved' ? 'resolved' : 'repeat';
    if (isCalled(incident)) return 'escalated';
    if (believed !== 'either') return isFirst ? 'first' : 'new';
    if ((escalation?.freeSince ?? 0) > (notifiedAt ?? Infinity)) return 'unacknowledged';
    // An incident forgets its changes when it is stable.
    return mayFlap && changes.length === 0 ? 'stable' : 'corrected';
  });
}
