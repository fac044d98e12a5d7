import { namesOf } from '../../config/compile/alerting.ts';
import { bringIn, reachedAt, welcome } from './receivers.ts';
import type { Look, Move } from './context.ts';
import { nameOf, type Entry } from './entries.ts';
import {
  called,
  drop,
  isEnd,
  pendingOf,
  escalationOf,
  isCalled,
  mayEscalate,
  nextStep,
  paused,
  resumed,
  withCall,
  withStep,
} from './incident.ts';
import { endRests } from './record.ts';
import { isSuppressedIn, isAmong } from './rules.ts';
import { silencedBy } from '../../config/compile/silences.ts';
import { silenceable } from './compose.ts';
import { idOfName } from './store.ts';
import type { OpenIncidents } from './open-incidents.ts';

/**
 * Takes the steps of an incident that are due: the people of a step are receivers from then on. While it is held back,
 * its steps stand still.
 */
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

/**
 * Takes a step, and returns the number of its receivers. They get the whole picture: everything open in its group that
 * nobody has and nothing holds back. Whatever has the same step before it takes it now.
 */
function take(look: Look, entry: Entry, { step, rule }: NonNullable<ReturnType<typeof nextStep>>): number {
  const { deps, now } = look;
  const { route } = look.rulesFor(entry.group.subscriber);
  const phones = new Set(rule.to.flatMap((one) => reachedAt(look, one, route?.isTransactional === true)));
  const taken = { step, afterMs: rule.afterMs, at: now, to: phones.size === 0 ? [] : namesOf(rule) };
  const others = phones.size === 0 ? [] : othersOf(look, entry);
  const along = others.filter(({ incident }) => nextStep(incident, route?.escalate ?? [])?.step === step);
  for (const one of [entry, ...along]) look.change(one.ref, ({ incident }) => withStep(incident, taken));
  for (const one of [entry, ...others]) for (const phone of phones) call(look, one, phone);
  endRests(
    look,
    [...phones].map((phone) => ({ ...entry.ref, phone })),
  );
  look.moved([entry, ...along].map(({ ref }) => ({ stage: 'incident.escalated', ref, by: String(step) })));
  if (phones.size === 0) deps.owner.nobodyToNotify(entry.ref, step);
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
  if (known === null) bringIn(look, entry, phone, called);
  else {
    if (!isCalled(known.incident)) look.set(known, withCall(known.incident));
    look.open.release(known, look.now);
  }
}

/**
 * Looks for reasons to hold back openings, repeats and flapping notices, but never a resolution. An incident stays held
 * back only if something still matches its newest item. True if one is now held back that was not before, or was for
 * another reason.
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
export function heldBy(look: Look, entry: Entry): Entry['held'] {
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
  const openedAt = oldestOf(open, inhibitor);
  const own = oldestOf(open, name);
  return own < openedAt || (own === openedAt && name < inhibitor);
}

/** Returns the time when an incident opened for its first receiver (ms): the same even for one that joined later. */
const oldestOf = (open: OpenIncidents, name: string): number =>
  Math.min(...open.entriesOf(name).map(({ incident }) => incident.openedAt));
