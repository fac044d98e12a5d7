import { namesOf } from '../../config/compile/alerting.ts';
import { type Route, numbersAt, isSuppressed } from '../../config/compiled/config.ts';
import { silencedBy } from '../../config/compiled/silences.ts';
import { silenceable } from './compose.ts';
import type { Look, Move } from './context.ts';
import { nameOf, type Entry, type Subscriber } from './entries.ts';
import {
  drop,
  isEnd,
  joined,
  lose,
  owedAgain,
  pendingOf,
  watchedAgain,
  escalationOf,
  isCalled,
  mayEscalate,
  nextStep,
  paused,
  resumed,
  withCall,
  withStep,
} from './incident.ts';
import { miss, type OpenIncidents } from './open-incidents.ts';
import { endRest, endRests } from './record.ts';
import { isAmong, isSuppressedIn, rulesOf, type Rules } from './rules.ts';
import { copyIncident, idOfName, readIncident } from './store.ts';

/**
 * Updates receivers after a publish or a handover. Who joins a list or is now on call is notified of open incidents; who
 * left and was notified of nothing is not waited for. An incident is not watched any more if its route is gone, has no
 * incidents any more, or belongs to another account; those who were notified of it are notified of that.
 */
export function lookAtReceivers(look: Look): void {
  // Before anybody leaves: the incident would otherwise end with its only receiver.
  for (const entries of look.open.all()) welcome(look, [...entries]);
  for (const subscriber of look.open.subscribers.values()) lookAtSubscriber(look, subscriber);
  lookAtCounted(look);
}

/** The items of a source that has moved go to another account, so nothing would resolve its incidents here. */
const isWatched = ({ deps }: Look, { incident, source }: Rules): boolean =>
  incident !== null && source?.account === deps.account();

/** The same for what is only counted: a message has the number of those that are not watched any more. */
function lookAtCounted(look: Look): void {
  const { beyond, config, now, open } = look;
  for (const { known, ...ref } of beyond.receivers()) {
    if (isWatched(look, rulesOf(config, ref, now))) continue;
    beyond.forget(ref);
    if (known === 0) continue;
    const subscriber = open.subscribers.of(ref);
    const { held } = subscriber;
    const { unwatched = 0, since = now } = held ?? {};
    const hold = held?.by === 'quiet' ? held : ({ since, until: null, as: 'digest', by: 'quiet' } as const);
    look.setSubscriber(subscriber, { held: { ...hold, unwatched: unwatched + known } });
    miss(subscriber, 'unwatched', now, known);
    open.subscribers.bringForward(subscriber, now);
  }
}

function lookAtSubscriber(look: Look, subscriber: Subscriber): void {
  const rules = look.rulesFor(subscriber);
  const isStill = isWatched(look, rules);
  look.open.stands(subscriber.source, rules.source?.isOpen === true);
  // Who has left has nothing to do with a number, also once the route is gone.
  if (rules.hasLeft && !rules.isMember && subscriber.held?.by === 'quiet')
    look.setSubscriber(subscriber, { held: null });
  for (const entry of subscriber.entries.values()) {
    const { incident, held } = entry;
    if (isStill && incident.lost === 'unwatched') look.set(entry, watchedAgain(incident));
    if (incident.isLone || incident.resolvedAt !== null) continue;
    if (!isStill) look.set(entry, lose(incident, 'unwatched', held, look.now));
    else if (!isAmong(rules, incident) && incident.believed === 'closed')
      look.set(entry, lose(incident, 'left', held, look.now));
  }
}

/** Opens an incident that is open for some receivers also for those who joined their list or are on call again. */
function welcome(look: Look, entries: readonly Entry[]): void {
  const open = entries.find(({ incident }) => incident.resolvedAt === null);
  if (open === undefined) return;
  const { route, incident } = look.rulesFor(open.group.subscriber);
  if (route === null || incident === null) return;
  const listed = route.to.flatMap((one) => (one.from === 'document' ? numbersAt(one, look.now) : []));
  for (const phone of new Set(listed)) {
    const entry = look.open.get({ ...open.ref, phone });
    if (entry === null) join(look, open, phone, false);
    else remind(look, entry, look.rulesFor(entry.group.subscriber).onCallSince);
  }
  for (const [phone, since] of inStepsTaken(look, open, route)) {
    const entry = look.open.get({ ...open.ref, phone });
    if (entry === null) join(look, open, phone, true);
    else callAgain(look, entry, since);
  }
}

/** Returns those whom the taken steps would notify now, and the time since when (ms; -Infinity: there are no turns). */
function inStepsTaken(look: Look, { incident }: Entry, { escalate, isTransactional }: Route) {
  const phones = new Map<string, number>();
  const taken = new Set(escalationOf(incident).taken.map(({ afterMs }) => afterMs));
  const lists = escalate.flatMap(({ afterMs, to }) => (taken.has(afterMs) ? to : []));
  for (const list of lists) {
    const since = list.turns?.at(look.now).since ?? -Infinity;
    for (const phone of reachedAt(look, list, isTransactional))
      phones.set(phone, Math.min(since, phones.get(phone) ?? Infinity));
  }
  return phones;
}

/** A step notifies somebody who was notified in an earlier turn, or by a list of the route that they have left. */
function callAgain(look: Look, entry: Entry, since: number): void {
  const { incident, group } = entry;
  if (incident.resolvedAt !== null) return;
  if (!isCalled(incident)) {
    look.set(entry, withCall(incident));
    look.open.release(entry, look.now);
  }
  const { isReceiver, onCallSince } = look.rulesFor(group.subscriber);
  remind(look, entry, isReceiver ? Math.min(onCallSince, since) : since);
}

/** Notifies a receiver of an earlier turn again of open incidents, like one whose first turn it is. */
function remind(look: Look, entry: Entry, onCallSince: number): void {
  const { incident, group } = entry;
  // A person may have cancelled the message of an earlier turn.
  if ((group.subscriber.rest?.since ?? Infinity) < onCallSince) endRest(look, group.subscriber);
  const again = owedAgain(incident);
  if (incident.resolvedAt !== null || again === incident) return;
  if ((incident.notifiedAt ?? 0) >= onCallSince) return;
  look.set(entry, again);
  holdJoined(look, group.subscriber);
}

function join(look: Look, entry: Entry, phone: string, isByStep: boolean): void {
  const subscriber = bringIn(look, entry, phone, isByStep);
  if (subscriber === null) return;
  holdJoined(look, subscriber);
  endRest(look, subscriber);
}

/** Puts the incidents that are open when somebody joins into one message. */
function holdJoined(look: Look, subscriber: Subscriber): void {
  if (subscriber.held === null)
    look.setSubscriber(subscriber, { held: { since: look.now, until: null, as: 'digest', by: 'joined' } });
}

const reachedAt = ({ config, now }: Look, list: Parameters<typeof numbersAt>[0], isTransactional: boolean) =>
  numbersAt(list, now).filter((phone) => isTransactional || !isSuppressed(config, phone));

/** Opens an incident for one more receiver, as it is for the others. Null: there is no space, so it is only counted. */
function bringIn(look: Look, entry: Entry, phone: string, isByStep: boolean): Subscriber | null {
  const { open, sql, now, beyond } = look;
  const { grouping, ref: from } = entry;
  const { grouped } = grouping;
  const { standing } = look.rulesFor(entry.group.subscriber);
  const ref = { ...from, phone };
  if (!open.hasRoomFor(ref, standing)) {
    beyond.add({ ...ref, grouped: grouped ?? '' }, [ref.key], standing, now);
    return null;
  }
  if (grouped !== null) beyond.join({ ...from, grouped }, phone, standing, now);
  const own = joined(readIncident(sql, ref), entry.incident);
  const incident = isByStep ? withCall(own) : own;
  copyIncident(sql, from, ref, incident);
  open.put(ref, incident, grouping, now);
  return open.subscribers.get(ref);
}

/** Takes the due steps: their people are receivers from then on. While it is held back, its steps stand still. */
export function escalate(look: Look, entry: Entry): void {
  const { open, now } = look;
  const steps = look.rulesFor(entry.group.subscriber).route?.escalate ?? [];
  // An incident that has just expired without a notification is not an entry any more, and nothing changes it.
  if (steps.length === 0 || open.get(entry.ref) !== entry || !mayEscalate(entry.incident)) return;
  const isPaused = escalationOf(entry.incident).pausedAt !== null;
  const isHeld = entry.held !== null && entry.held.why !== 'left';
  const held = heldBy(look, entry);
  if (held !== null) {
    // The incident is looked at again when the hold ends.
    if (!isHeld) open.hold(entry, held, now);
    if (!isPaused) look.change(entry.ref, ({ incident }) => paused(incident, now));
    return;
  }
  if (isPaused) look.change(entry.ref, ({ incident }) => resumed(incident, now));
  let isAtOnce = false;
  for (let next = nextStep(entry.incident, steps); next !== null; next = nextStep(entry.incident, steps)) {
    if (next.at > now && !isAtOnce && !isHeardByNobody(look, entry)) return;
    // A step without receivers gives way to the next one.
    isAtOnce = take(look, entry, next) === 0;
  }
}

/** True if all its receivers have opted out and none of them can know of it, so there is nobody to wait for. */
const isHeardByNobody = ({ open, config }: Look, { ref }: Entry): boolean =>
  open
    .entriesOf(nameOf(ref))
    .every(
      ({ incident, group }) => incident.believed === 'closed' && isSuppressedIn(config, group.subscriber),
    );

/** Takes a step for all in the group that nobody has and nothing holds back. Returns the number of its receivers. */
function take(look: Look, entry: Entry, { step, rule }: NonNullable<ReturnType<typeof nextStep>>): number {
  const { deps, now } = look;
  const { route } = look.rulesFor(entry.group.subscriber);
  const phones = new Set(rule.to.flatMap((one) => reachedAt(look, one, route?.isTransactional === true)));
  const taken = { step, afterMs: rule.afterMs, at: now, to: phones.size === 0 ? [] : namesOf(rule) };
  const others = phones.size === 0 ? [] : othersOf(look, entry);
  const along = others.filter(({ incident }) => nextStep(incident, route?.escalate ?? [])?.step === step);
  for (const one of [entry, ...along]) look.change(one.ref, ({ incident }) => withStep(incident, taken));
  for (const one of [entry, ...others]) for (const phone of phones) call(look, one, phone);
  const called = [...phones].map((phone) => ({ ...entry.ref, phone }));
  endRests(look, called);
  look.moved([entry, ...along].map(({ ref }) => ({ stage: 'incident.escalated', ref, by: String(step) })));
  if (phones.size === 0)
    deps.owner.first(['incident.no_receiver', `${entry.ref.source}/${entry.ref.route}`, `${step}`]);
  return phones.size;
}

/** Returns the other open incidents of its group, whoever their receivers are, that nobody has and nothing holds back. */
function othersOf(look: Look, { ref, group: { name } }: Entry): readonly Entry[] {
  const others = new Map<string, Entry>();
  for (const { source, route, groups } of look.open.subscribers.values())
    if (source === ref.source && route === ref.route)
      for (const one of groups.get(name)?.entries ?? [])
        if (one.ref.key !== ref.key && !others.has(one.ref.key) && mayEscalate(one.incident))
          others.set(one.ref.key, one);
  return [...others.values()].filter((one) => heldBy(look, one) === null);
}

/** Has a step notify somebody of an incident. A person who has left its list is a receiver again. */
function call(look: Look, entry: Entry, phone: string): void {
  const known = look.open.get({ ...entry.ref, phone });
  if (known === null) bringIn(look, entry, phone, true);
  else {
    if (!isCalled(known.incident)) look.set(known, withCall(known.incident));
    look.open.release(known, look.now);
  }
}

/**
 * Holds back openings, repeats and flapping notices, never a resolution, as long as something matches the newest item.
 * True if one is held back by something new.
 */
export function holdBack(look: Look, entries: Iterable<Entry>): boolean {
  const { open, now } = look;
  const moves: Move[] = [];
  let isAny = false;
  for (const entry of entries) {
    const { ref, incident } = entry;
    const pending = pendingOf(incident);
    if (isEnd(pending) || pending === 'nothing') continue;
    const held = whyHeld(look, entry);
    if (held === null) open.release(entry, now);
    if (held === null || (held.why === entry.held?.why && held.by === entry.held.by)) continue;
    isAny = true;
    // The item was routed before its receiver left.
    if (held.why === 'left' && !incident.isLone) welcome(look, open.entriesOf(nameOf(ref)));
    if (incident.isLone) look.set(entry, drop(incident, held, now));
    else {
      const by = held.why === 'inhibited' ? idOfName(look.sql, held.by) : held.by;
      if (held.why !== 'left') moves.push({ stage: 'incident.held', ref, by });
      open.hold(entry, held, now);
    }
  }
  look.moved(moves);
  return isAny;
}

function whyHeld(look: Look, entry: Entry): Entry['held'] {
  const rules = look.rulesFor(entry.group.subscriber);
  // Items that wait for a route that is gone are notified by the built-in text. An item of no incident is like a
  // message: it stays with the person who was on call when it came.
  const isReceiver = entry.incident.isLone ? rules.isMember : isAmong(rules, entry.incident);
  if (rules.route !== null && !isReceiver) return { why: 'left', by: '', until: null };
  return heldBy(look, entry);
}

/** Returns the silence or the open incident that holds an incident back; null if none does. */
function heldBy(look: Look, entry: Entry): Entry['held'] {
  const { open, config, now, sql } = look;
  const { locale } = look.rulesFor(entry.group.subscriber);
  const inhibitor = entry.grouping.inhibitedBy.find(
    (name) => name !== nameOf(entry.ref) && open.isOpen(name) && !isOlderInCircle(open, entry, name),
  );
  if (inhibitor !== undefined) return { why: 'inhibited', by: inhibitor, until: null };
  if (config.silences.length === 0) return null;
  const silence = silencedBy(config.silences, silenceable(sql, entry), locale, now);
  return silence === null ? null : { why: 'silenced', by: silence.id, until: silence.until };
}

/** Two incidents that inhibit each other would both be held back for ever, so the older one is not. */
function isOlderInCircle(open: OpenIncidents, entry: Entry, inhibitor: string): boolean {
  const name = nameOf(entry.ref);
  const seen = new Set<string>();
  const waiting = [inhibitor];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const { grouping } of open.entriesOf(next))
      waiting.push(...grouping.inhibitedBy.filter((one) => open.isOpen(one)));
  }
  if (!seen.has(name)) return false;
  // When it opened for its first receiver: the same even for one that joined later.
  const sinceOf = (one: string): number =>
    Math.min(...open.entriesOf(one).map(({ incident }) => incident.openedAt));
  const [own, other] = [sinceOf(name), sinceOf(inhibitor)];
  return own < other || (own === other && name < inhibitor);
}
