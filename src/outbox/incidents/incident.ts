import { isCalled, notEscalated, type Acknowledged, type Escalation } from './escalation.ts';
import { decided, type OutcomeRun } from './outcomes.ts';

/**
 * One problem, and what one receiver knows of it. Two facts that change independently: whether it *is* open (an item says so) and what
 * its receiver *believes* (the gateway has taken a message that says so). Its receiver is owed the difference. An item that belongs to
 * no incident is a problem of its own, of which a receiver is notified once. Pure: nothing here reads a clock or writes a row. Times are
 * ms since the epoch; messages are named by their number in the outbox.
 */
export interface Incident {
  /** True if it is one item that belongs to no incident. */
  readonly isLone: boolean;
  /** The number of items that it got, over all its openings. An item's number among them says which outcome it has. */
  readonly items: number;
  /** The number of times that it fired since it opened. */
  readonly occurrences: number;
  readonly openedAt: number;
  /** Null: it is open. */
  readonly resolvedAt: number | null;
  /** When its last item came. */
  readonly heardAt: number;
  readonly believed: Belief;
  /** The belief of its receiver before the call that is under way; null: none is. */
  readonly before: Belief | null;
  /** The message that notified of it last since it opened; null: none did. */
  readonly notifiedIn: number | null;
  readonly notifiedAt: number | null;
  /** When it opened and resolved, as long as flapping is looked for. */
  readonly changes: readonly number[];
  /** `new`: it is flapping, and its receiver was not notified of that. */
  readonly flapping: 'no' | 'new' | 'notified';
  /** The person who has it, so that there is nothing to repeat; null: nobody has said so since it opened. */
  readonly acknowledged: Acknowledged | null;
  /** Null: nothing is to be known but when it opened. */
  readonly escalation: Escalation | null;
  /** The person who resolved it by hand; null: it is open, or an item did. */
  readonly resolvedBy: string | null;
  readonly outcomes: readonly OutcomeRun[];
}

/**
 * The state that its receiver believes. One who was never notified believes that it is closed. `either`: a message whose
 * outcome is uncertain, or whose call is under way, says something else than what was known before.
 */
export type Belief = 'open' | 'closed' | 'either';

/** The state of an incident that a message states. */
export type Statement = 'open' | 'resolved' | 'flapping';

/** The number of changes between open and resolved, in a time, that makes an incident flap. */
export interface Flaps {
  readonly changes: number;
  readonly perMs: number;
}

/** Why nobody is notified of an incident: a silence, an incident that is open, or its receiver has left the list. */
export interface Held {
  readonly why: 'silenced' | 'inhibited' | 'left';
  readonly by: string;
}

/** The incident after an item. `known`: as it was, if it ever was; `held`: why nobody is notified at present. */
export function arrive(
  known: Incident | null,
  item: { readonly isResolved: boolean; readonly isLone: boolean },
  { flaps, held, now }: { readonly flaps: Flaps | null; readonly held: Held | null; readonly now: number },
): Incident {
  const before = known ?? { ...NEW, isLone: item.isLone, openedAt: now, resolvedAt: now };
  const heard = { ...before, items: before.items + 1, heardAt: now };
  if (item.isResolved)
    return before.resolvedAt === null ? resolve(heard, flaps, held, now) : resolveAgain(heard);
  const again: Incident = { ...heard, occurrences: before.occurrences + 1 };
  if (before.resolvedAt === null) return again;
  const opened = change({ ...again, ...OPENED, escalation: notEscalated(now) }, flaps, now);
  // As far as is known, its receiver believes that it is open: it is the same.
  if (before.believed !== 'closed') return opened;
  const fresh: Incident = { ...opened, notifiedIn: null, notifiedAt: null };
  return opened.flapping === 'no' ? { ...fresh, occurrences: 1, openedAt: now, escalation: null } : fresh;
}

const OPENED = { resolvedAt: null, acknowledged: null, resolvedBy: null } as const;

/** Its receiver takes it for closed, and no call is under way. */
const CLOSED = { believed: 'closed', before: null } as const;

/** It never was. */
export const NEW: Incident = {
  isLone: false,
  items: 0,
  occurrences: 0,
  openedAt: 0,
  resolvedAt: 0,
  heardAt: 0,
  ...CLOSED,
  notifiedIn: null,
  notifiedAt: null,
  changes: [],
  flapping: 'no',
  acknowledged: null,
  escalation: null,
  resolvedBy: null,
  outcomes: [],
};

/** It was resolved already. This is notified with the earlier resolution, or nobody waits for it. */
const resolveAgain = (heard: Incident): Incident =>
  pendingOf(heard) === 'nothing' ? decided(heard, { outcome: 'resolved' }) : heard;

/** The incident is resolved, by an item or by a person. */
export function resolve(incident: Incident, flaps: Flaps | null, held: Held | null, now: number): Incident {
  return closed(change({ ...incident, resolvedAt: now }, flaps, now), held);
}

/** Resolved before its receiver was notified that it is open: the receiver is notified of neither. */
const closed = (resolved: Incident, held: Held | null): Incident =>
  pendingOf(resolved) === 'nothing' ? decided(resolved, outcomeOf(held)) : resolved;

const outcomeOf = (held: Held | null): Pick<OutcomeRun, 'outcome' | 'by'> =>
  held === null || held.why === 'left' ? { outcome: 'resolved' } : { outcome: held.why, by: held.by };

/** A call that says this is under way: until it ends, its receiver may be notified or not. */
export const calling = (incident: Incident, statement: Statement): Incident => ({
  ...maybeNotified(incident, statement),
  before: incident.before ?? incident.believed,
});

/** The call has surely notified nobody, or was not made: its receiver believes what they believed before it. */
export function notCalled(incident: Incident, held: Held | null): Incident {
  const { before, believed, resolvedAt } = incident;
  const next = { ...incident, believed: before ?? believed, before: null };
  return resolvedAt === null ? next : closed(next, held);
}

/** It is resolved, and its receiver has opted out: they are not notified of that. */
export const resolvedUnsaid = (incident: Incident, held: Held | null): Incident =>
  closed({ ...incident, ...CLOSED }, held);

function change(incident: Incident, flaps: Flaps | null, now: number): Incident {
  if (flaps === null) return { ...incident, changes: [], flapping: 'no' };
  // After a publish that looks further back, what was forgotten stays forgotten.
  const changes = [...incident.changes.filter((at) => at > now - flaps.perMs), now].slice(-flaps.changes);
  const isFlapping = incident.flapping !== 'no' || changes.length >= flaps.changes;
  return {
    ...incident,
    changes,
    flapping: isFlapping && incident.flapping === 'no' ? 'new' : incident.flapping,
  };
}

/** When it has been quiet for long enough (ms); null: it does not flap. */
export const stableAt = ({ flapping, changes }: Incident, flaps: Flaps | null): number | null =>
  flapping === 'no' ? null : (changes.at(-1) ?? 0) + (flaps?.perMs ?? 0);

/** It does not flap any more. Whoever was notified that it does is notified once of what it is now. */
export function stable(incident: Incident, held: Held | null): Incident {
  const wasNotified = incident.flapping === 'notified';
  const calm: Incident = { ...incident, flapping: 'no', changes: [] };
  if (incident.resolvedAt !== null) return closed(calm, held);
  return wasNotified ? { ...calm, believed: 'either', before: null } : calm;
}

/** Nothing was heard of it for too long: it is closed, and nobody is notified. */
export const expire = (incident: Incident, now: number): Incident =>
  decided({ ...incident, ...CLOSED, resolvedAt: now, flapping: 'no' }, { outcome: 'expired' });

/** An item that belongs to no incident, and of which nobody will be notified: a silence took it. */
export const drop = (incident: Incident, held: Held, now: number): Incident =>
  decided({ ...incident, ...CLOSED, resolvedAt: now }, outcomeOf(held));

/**
 * The news that its receiver is owed. `known`: it is open, and its receiver knows; `muted`: the same, and there is
 * nothing to repeat, since it flaps or a person has it;
 * `nothing`: it is closed for its receiver, too.
 */
export type Pending = 'opened' | 'flaps' | 'resolved' | 'known' | 'muted' | 'nothing';

export function pendingOf(incident: Incident): Pending {
  const { flapping, resolvedAt, believed, acknowledged } = incident;
  if (flapping === 'new') return 'flaps';
  if (flapping === 'notified') return 'muted';
  if (resolvedAt === null) {
    // If somebody has the incident, the people of a step have nothing to do.
    if (believed !== 'open') return acknowledged !== null && isCalled(incident) ? 'muted' : 'opened';
    return acknowledged === null ? 'known' : 'muted';
  }
  return believed === 'closed' ? 'nothing' : 'resolved';
}

/** Returns the state that a message has to state. */
export const statementOf = (incident: Incident): Statement => {
  const pending = pendingOf(incident);
  return pending === 'flaps' ? 'flapping' : pending === 'resolved' ? 'resolved' : 'open';
};

/** A step was to notify its receiver of it, and somebody has it: no message names it until that ends. */
export const isSpared = (incident: Incident): boolean =>
  incident.believed === 'closed' &&
  isCalled(incident) &&
  pendingOf(incident) === 'muted' &&
  incident.flapping === 'no';

/** Since when its receiver is to be notified (ms). */
export const pendingSince = ({ resolvedAt, openedAt, changes, flapping }: Incident): number =>
  flapping === 'new' ? (changes.at(-1) ?? openedAt) : (resolvedAt ?? openedAt);

const beliefIn = (statement: Statement): Belief => (statement === 'resolved' ? 'closed' : 'open');

/** The call has ended, and its message may have arrived or not. */
export const maybeNotified = (incident: Incident, statement: Statement): Incident => ({
  ...incident,
  believed: incident.believed === beliefIn(statement) ? incident.believed : 'either',
  before: null,
});

/** The content of a sent message about an incident. `n`: up to which item; `about`: the one that it is about, null: it only counts them. */
export interface Said {
  readonly statement: Statement;
  readonly n: number;
  readonly about: number | null;
}

/** The gateway has taken the message: its receiver was notified. Items may have come since the message was written. */
export function notified(
  incident: Incident,
  { statement, n, about }: Said,
  seq: number,
  now: number,
): Incident {
  // It fired again while the message was on its way: to its receiver that is an opening.
  const isAgain = statement === 'resolved' && incident.resolvedAt === null;
  // It became stable meanwhile, and its receiver does not know.
  const isStable = statement === 'flapping' && incident.flapping === 'no';
  const next: Incident = {
    ...incident,
    ...(isAgain && { openedAt: incident.heardAt, occurrences: 1 }),
    believed: incident.isLone ? 'closed' : isStable ? 'either' : beliefIn(statement),
    before: null,
    resolvedAt: incident.isLone ? now : incident.resolvedAt,
    flapping: statement === 'flapping' && incident.flapping === 'new' ? 'notified' : incident.flapping,
    notifiedIn: isAgain ? null : seq,
    notifiedAt: isAgain ? null : now,
  };
  const said = decided(next, { outcome: 'summarized', seq, ...(about !== null && { about }) }, n);
  // Items that came while the message was on its way, and are resolved, have nothing left to wait for.
  return pendingOf(said) === 'nothing' ? decided(said, { outcome: 'resolved' }) : said;
}
