import { type Route, numbersAt, isSuppressed } from '../../config/compiled/config.ts';
import type { Look } from './context.ts';
import type { Entry, Subscriber } from './entries.ts';
import {
  called,
  joined,
  lose,
  owedAgain,
  watchedAgain,
  escalationOf,
  isCalled,
  withCall,
} from './incident.ts';
import { endRest } from './record.ts';
import { isAmong, rulesOf, type Rules } from './rules.ts';
import { miss } from './open-incidents.ts';
import { copyIncident, readIncident } from './store.ts';

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
    const rules = rulesOf(config, ref, now);
    const isStill = isWatched(look, rules);
    if (isStill && (rules.isMember || rules.isInSteps)) continue;
    beyond.forget(ref);
    if (isStill || known === 0) continue;
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
export function welcome(look: Look, entries: readonly Entry[]): void {
  const open = entries.find(({ incident }) => incident.resolvedAt === null);
  if (open === undefined) return;
  const { route } = look.rulesFor(open.group.subscriber);
  const incident = route?.alerting?.incident ?? null;
  if (route === null || incident === null) return;
  const known = new Map(entries.map((entry) => [entry.ref.phone, entry]));
  for (const phone of numbersOf(route, look.now)) {
    const entry = known.get(phone);
    if (entry === undefined) join(look, open, phone, joined);
    else remind(look, entry, look.rulesFor(entry.group.subscriber).onCallSince);
  }
  for (const [phone, since] of inStepsTaken(look, open, route)) {
    const entry = look.open.get({ ...open.ref, phone });
    if (entry === null) join(look, open, phone, called);
    else callAgain(look, entry, since);
  }
}

/** Returns those whom the taken steps would notify now, and the time since when (ms; -Infinity: there are no turns). */
function inStepsTaken(
  look: Look,
  { incident }: Entry,
  { escalate, isTransactional }: Route,
): ReadonlyMap<string, number> {
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

const numbersOf = ({ to }: Route, now: number): readonly string[] => [
  ...new Set(to.flatMap((one) => (one.from === 'document' ? numbersAt(one, now) : []))),
];

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

function join(look: Look, entry: Entry, phone: string, as: typeof joined): void {
  if (!bringIn(look, entry, phone, as)) return;
  const subscriber = look.open.subscribers.of({ ...entry.ref, phone });
  holdJoined(look, subscriber);
  endRest(look, subscriber);
}

/** Puts the incidents that are open when somebody joins into one message. */
function holdJoined(look: Look, subscriber: Subscriber): void {
  if (subscriber.held === null)
    look.setSubscriber(subscriber, { held: { since: look.now, until: null, as: 'digest', by: 'joined' } });
}

export const reachedAt = (
  { config, now }: Look,
  list: Parameters<typeof numbersAt>[0],
  isTransactional: boolean,
): readonly string[] =>
  numbersAt(list, now).filter((phone) => isTransactional || !isSuppressed(config, phone));

/** Opens an incident for one more receiver, as it is for the others. False: there is no space, so it is only counted. */
export function bringIn(
  look: Look,
  { ref: from, incident: others, grouping, group }: Entry,
  phone: string,
  as: typeof joined,
): boolean {
  const { open, sql, now, beyond } = look;
  const { standing } = look.rulesFor(group.subscriber);
  const ref = { ...from, phone };
  if (!open.hasRoomFor(ref, standing)) {
    beyond.add({ ...ref, grouped: grouping.grouped ?? '' }, [ref.key], standing, now);
    return false;
  }
  if (grouping.grouped !== null) beyond.join({ ...from, grouped: grouping.grouped }, phone, standing, now);
  const incident = as(readIncident(sql, ref), others);
  copyIncident(sql, from, ref, incident);
  open.put(ref, incident, grouping, now);
  return true;
}
