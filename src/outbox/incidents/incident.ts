import { DAY } from '../../lib/time.ts';
import type { DraftItem, SenderTime } from '../state/acceptance.ts';
import { isCalled, notEscalated } from './escalation.ts';
import type { Belief, Flaps, Held, Incident, Lost, Statement } from './incident-state.ts';
import { decided, type OutcomeRun } from './outcomes.ts';
import { toldBy } from './told.ts';

export type { Belief, Flaps, Held, Incident, Lost, Statement } from './incident-state.ts';

/**
 * Returns the incident after an item that is news. `known`: its state before, if it had one; `at`: since when it is so,
 * by the sender's clock; `held`: why nobody is notified at present.
 */
export function arrive(
  known: Incident | null,
  item: Pick<DraftItem, 'isResolved' | 'severity'> & {
    readonly isLone: boolean;
    readonly at?: SenderTime | undefined;
  },
  { flaps, held, now }: { readonly flaps: Flaps | null; readonly held: Held | null; readonly now: number },
): Incident {
  const before = known ?? { ...NEW, isLone: item.isLone, openedAt: now, resolvedAt: now };
  const { isResolved } = item;
  const at = item.at?.ms ?? null;
  const told = at === null ? before.told : toldBy(before.told, { at, isEnd: isResolved }, item.at?.isArrival);
  const heard = { ...before, items: before.items + 1, heardAt: now, told };
  if (isResolved)
    return before.resolvedAt === null
      ? resolve({ ...heard, endedAt: at }, flaps, held, now)
      : isOwedLate(before, now)
        ? resolve({ ...heard, endedAt: at }, flaps, held, now)
        : resolveAgain(heard);
  const { severity } = item;
  const again: Incident = { ...heard, occurrences: before.occurrences + 1, severity };
  if (before.resolvedAt === null) return again;
  const opened = change({ ...again, ...OPENED, escalation: notEscalated(now) }, flaps, now);
  // As far as is known, its receiver believes that it is open, so nothing changes for them.
  const isPast = before.believed === 'past';
  if (before.believed !== 'closed' && before.lost !== 'expired' && !isPast) return opened;
  // After it expired, it is news, also to somebody who is still owed the resolution of the opening before.
  const believed = isPast || isOwedLate(before, now) ? 'either' : 'closed';
  const beforeCall = before.before === 'open' ? 'either' : before.before;
  const fresh: Incident = { ...opened, believed, before: beforeCall, notifiedIn: null, notifiedAt: null };
  return opened.flapping === 'no'
    ? { ...fresh, occurrences: 1, openedAt: now, beganAt: at, escalation: null }
    : fresh;
}

const OPENED = { resolvedAt: null, endedAt: null, acknowledged: null, resolvedBy: null, lost: null } as const;

/** Its receiver believes that it is closed, and no call is under way. */
const CLOSED = { believed: 'closed', before: null } as const;

/** An incident that never was open. */
export const NEW: Incident = {
  isLone: false,
  items: 0,
  occurrences: 0,
  openedAt: 0,
  resolvedAt: 0,
  beganAt: null,
  endedAt: null,
  told: null,
  heardAt: 0,
  ...CLOSED,
  notifiedIn: null,
  notifiedAt: null,
  changes: [],
  flapping: 'no',
  acknowledged: null,
  escalation: null,
  resolvedBy: null,
  lost: null,
  outcomes: [],
};

/** A resolution that comes so long after an incident expired still goes to those who were notified of it (ms). */
export const LATE_MS = 7 * DAY;

/** True if its receiver was, or may have been, notified of it, and is to be notified if the problem turns out to be over. */
export const isOwedLate = ({ lost, believed, resolvedAt }: Incident, now: number): boolean =>
  lost !== null && believed !== 'closed' && resolvedAt !== null && now - resolvedAt <= LATE_MS;

/**
 * It was closed already. The earlier resolution covers this one, or nobody waits for it. Of what had expired, the end is
 * known now.
 */
const resolveAgain = (heard: Incident): Incident =>
  pendingOf(heard) === 'nothing'
    ? decided(heard.lost === 'expired' ? { ...heard, ...CLOSED, lost: null } : heard, { outcome: 'resolved' })
    : heard;

/** Resolves the incident, by an item or by a person. */
export function resolve(incident: Incident, flaps: Flaps | null, held: Held | null, now: number): Incident {
  const isPast = incident.lost === 'expired' && incident.believed !== 'closed';
  const believed = isPast ? 'past' : incident.believed;
  const before = isPast && incident.before === 'open' ? 'past' : incident.before;
  return closed(change({ ...incident, believed, before, resolvedAt: now, lost: null }, flaps, now), held);
}

/** It was resolved before its receiver was notified of its opening: the receiver is notified of neither. */
const closed = (resolved: Incident, held: Held | null): Incident =>
  pendingOf(resolved) === 'nothing' ? decided(resolved, outcomeOf(resolved, held)) : resolved;

const outcomeOf = (
  { lost }: Pick<Incident, 'lost'>,
  held: Held | null,
): Pick<OutcomeRun, 'outcome' | 'by'> =>
  held === null || held.why === 'left'
    ? { outcome: lost === null ? 'resolved' : 'expired' }
    : { outcome: held.why, by: held.by };

/** Ends it, although the problem may go on: its receiver has left, or it is not watched any more. */
export const lose = (incident: Incident, as: Lost, held: Held | null, now: number): Incident =>
  closed({ ...incident, resolvedAt: now, lost: as, flapping: 'no' }, held);

/** It is watched again, before its receiver was notified that it is not. */
export const watchedAgain = (incident: Incident): Incident => ({ ...incident, resolvedAt: null, lost: null });

/** A call with this statement is under way: until it ends, its receiver may or may not be notified. */
export const calling = (incident: Incident, statement: Statement): Incident => ({
  ...maybeNotified(incident, statement),
  before: incident.before ?? incident.believed,
});

/** The call has certainly notified nobody, or was not made: its receiver believes the same as before the call. */
export function notCalled(incident: Incident, held: Held | null): Incident {
  const { before, believed, resolvedAt } = incident;
  const next = { ...incident, believed: before ?? believed, before: null };
  return resolvedAt === null ? next : closed(next, held);
}

/** It is resolved, and its receiver has opted out, so they are not notified of that. */
export const resolvedUnsaid = (incident: Incident, held: Held | null): Incident =>
  closed({ ...incident, ...CLOSED }, held);

function change(incident: Incident, flaps: Flaps | null, now: number): Incident {
  if (flaps === null) return { ...incident, changes: [], flapping: 'no' };
  // If a publish makes flapping look further back, changes that were forgotten stay forgotten.
  const changes = [...incident.changes.filter((at) => at > now - flaps.perMs), now].slice(-flaps.changes);
  const isFlapping = incident.flapping !== 'no' || changes.length >= flaps.changes;
  return {
    ...incident,
    changes,
    flapping: isFlapping && incident.flapping === 'no' ? 'new' : incident.flapping,
  };
}

/** Returns the time when it has been quiet for long enough (ms); null if it does not flap. */
export const stableAt = ({ flapping, changes }: Incident, flaps: Flaps | null): number | null =>
  flapping === 'no' ? null : (changes.at(-1) ?? 0) + (flaps?.perMs ?? 0);

/** It does not flap any more. A receiver who was notified of the flapping is notified once of its state now. */
export function stable(incident: Incident, held: Held | null): Incident {
  const wasNotified = incident.flapping === 'notified';
  const calm: Incident = { ...incident, flapping: 'no', changes: [] };
  if (incident.resolvedAt !== null) return closed(calm, held);
  return wasNotified ? { ...calm, believed: 'either', before: null } : calm;
}

/**
 * Nothing was heard of it for too long: it is closed, and nobody is notified. What its receiver believes is kept, for a
 * resolution that comes late; not if they can get nothing.
 */
export function expire(incident: Incident, now: number, held: Held | null = null): Incident {
  const isOpen = !incident.isLone && incident.resolvedAt === null;
  const lost = isOpen ? ({ lost: 'expired' } as const) : CLOSED;
  const outcome = outcomeOf({ lost: 'expired' }, held);
  return decided({ ...incident, ...lost, resolvedAt: now, flapping: 'no' }, outcome);
}

/** Drops an item that belongs to no incident: a silence took it, so nobody will be notified of it. */
export const drop = (incident: Incident, held: Held, now: number): Incident =>
  closed({ ...incident, ...CLOSED, resolvedAt: now, lost: held.why === 'left' ? 'left' : null }, held);

/**
 * The news that its receiver is owed. `known`: it is open, and its receiver knows; `muted`: the same, but nothing is
 * repeated, since it flaps or a person has it; `nothing`: it is closed for its receiver, too.
 */
export type Pending = 'opened' | 'flaps' | 'resolved' | 'unwatched' | 'known' | 'muted' | 'nothing';

/** True if a state, or a statement, is that an incident has ended. */
export const isEnd = (one: Pending | Statement): one is 'resolved' | 'unwatched' =>
  one === 'resolved' || one === 'unwatched';

export function pendingOf(incident: Incident): Pending {
  const { flapping, resolvedAt, believed, acknowledged, lost } = incident;
  if (flapping === 'new') return 'flaps';
  if (flapping === 'notified') return 'muted';
  if (resolvedAt === null) {
    // If somebody has the incident, the people of a step have nothing to do.
    if (believed !== 'open') return acknowledged !== null && isCalled(incident) ? 'muted' : 'opened';
    return acknowledged === null ? 'known' : 'muted';
  }
  if (believed === 'closed' || lost === 'expired') return 'nothing';
  return lost === null ? 'resolved' : 'unwatched';
}

/** Returns the state for a message to state. */
export const statementOf = (incident: Incident): Statement => {
  const pending = pendingOf(incident);
  if (isEnd(pending)) return pending;
  return pending === 'flaps' ? 'flapping' : 'open';
};

/** True if a step was to notify its receiver, but somebody has it: no message names it until that ends. */
export const isSpared = (incident: Incident): boolean =>
  incident.believed === 'closed' &&
  isCalled(incident) &&
  pendingOf(incident) === 'muted' &&
  incident.flapping === 'no';

/** Returns the time since which its receiver is to be notified (ms). */
export const pendingSince = ({ resolvedAt, openedAt, changes, flapping }: Incident): number =>
  flapping === 'new' ? (changes.at(-1) ?? openedAt) : (resolvedAt ?? openedAt);

const beliefIn = (statement: Statement): Belief => (isEnd(statement) ? 'closed' : 'open');

/** The call has ended, and its message may or may not have arrived. */
export const maybeNotified = (incident: Incident, statement: Statement): Incident => ({
  ...incident,
  believed: incident.believed === beliefIn(statement) ? incident.believed : 'either',
  before: null,
});

/**
 * The content of a sent message about an incident. `n`: the number of its last item in the message; `about`: the item
 * that the message is about, or null if it only counts them.
 */
export interface Said {
  readonly statement: Statement;
  readonly n: number;
  readonly about: number | null;
  /** True if the message is a summary of what is only counted; absent: it is not. */
  readonly isSummary?: boolean;
}

/** The gateway has taken the message: its receiver was notified. Items may have come since the message was written. */
export function notified(
  incident: Incident,
  { statement, n, about, isSummary }: Said,
  seq: number,
  now: number,
): Incident {
  // It fired again while the message was on its way: for its receiver that is an opening.
  const isAgain = isEnd(statement) && incident.resolvedAt === null;
  // A summary of what is only counted lasts, see `settle`.
  const isOnce = incident.isLone && !isSummary;
  // It became stable meanwhile, and its receiver does not know.
  const isStable = statement === 'flapping' && incident.flapping === 'no';
  const next: Incident = {
    ...incident,
    ...(isAgain && { openedAt: incident.heardAt, beganAt: incident.told?.at ?? null, occurrences: 1 }),
    believed: isOnce ? 'closed' : isStable ? 'either' : beliefIn(statement),
    before: null,
    resolvedAt: isOnce ? now : incident.resolvedAt,
    flapping: statement === 'flapping' && incident.flapping === 'new' ? 'notified' : incident.flapping,
    notifiedIn: isAgain ? null : seq,
    notifiedAt: isAgain ? null : now,
  };
  const said = decided(next, { outcome: 'summarized', seq, ...(about !== null && { about }) }, n);
  // Items that came while the message was on its way, and are resolved, do not wait any longer.
  return pendingOf(said) === 'nothing' ? decided(said, outcomeOf(said, null)) : said;
}
