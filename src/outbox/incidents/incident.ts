import { DAY } from '../../lib/time.ts';
import type { DraftItem, SenderTime } from '../state/acceptance.ts';
import {
  isCalled,
  notEscalated,
  type Acknowledged,
  type Escalation,
  escalationOf,
  lapsed,
  type Holder,
  withCall,
} from './escalation.ts';
import type { MissedCounts } from '../../render/notification-scope.ts';
import type { ItemOutcome } from '../state/states.ts';

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

/** What an open incident has in common for all its receivers, besides the facts of its items. */
function shared(others: Incident, openedAt: number): Pick<Incident, 'acknowledged' | 'escalation'> {
  const escalation = escalationOf(others);
  const isAsOpened = others.escalation === null && others.openedAt === openedAt;
  return {
    acknowledged: others.acknowledged,
    escalation: isAsOpened ? null : { ...escalation, isCalled: false },
  };
}

/** Opens it for somebody who joins its receivers: all but what is a receiver's own is as it is for the others. */
export function joined(known: Incident | null, others: Incident): Incident {
  const { items, believed, before, changes, flapping, outcomes, lost } = known ?? NEW;
  // Somebody who was notified before it expired is notified again.
  const isAgain = lost === 'expired' && believed !== 'closed';
  const own = {
    items,
    believed: isAgain ? 'either' : believed,
    before,
    changes,
    flapping,
    outcomes,
  } as const;
  return { ...others, ...shared(others, others.openedAt), ...own, notifiedIn: null, notifiedAt: null };
}

/** Does the same for somebody whom a step notifies. */
export const called = (known: Incident | null, others: Incident): Incident => withCall(joined(known, others));

/** An item has opened it for one receiver, and it was open for others: somebody may have it, or it has escalated. */
export const openedBeside = (opened: Incident, others: Incident): Incident => ({
  ...opened,
  ...shared(others, opened.openedAt),
});

/**
 * It was closed already. The earlier resolution covers this one, or nobody waits for it. Of what had expired, the end is
 * known now.
 */
const resolveAgain = (heard: Incident): Incident =>
  pendingOf(heard) === 'nothing'
    ? decided(heard.lost === 'expired' ? { ...heard, ...CLOSED, lost: null } : heard, { outcome: 'resolved' })
    : heard;

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
}

/** The gateway has taken the message: its receiver was notified. Items may have come since the message was written. */
export function notified(
  incident: Incident,
  { statement, n, about }: Said,
  seq: number,
  now: number,
): Incident {
  // It fired again while the message was on its way: for its receiver that is an opening.
  const isAgain = isEnd(statement) && incident.resolvedAt === null;
  // It became stable meanwhile, and its receiver does not know.
  const isStable = statement === 'flapping' && incident.flapping === 'no';
  const next: Incident = {
    ...incident,
    ...(isAgain && { openedAt: incident.heardAt, beganAt: incident.told?.at ?? null, occurrences: 1 }),
    believed: incident.isLone ? 'closed' : isStable ? 'either' : beliefIn(statement),
    before: null,
    resolvedAt: incident.isLone ? now : incident.resolvedAt,
    flapping: statement === 'flapping' && incident.flapping === 'new' ? 'notified' : incident.flapping,
    notifiedIn: isAgain ? null : seq,
    notifiedAt: isAgain ? null : now,
  };
  const said = decided(next, { outcome: 'summarized', seq, ...(about !== null && { about }) }, n);
  // Items that came while the message was on its way, and are resolved, do not wait any longer.
  return pendingOf(said) === 'nothing' ? decided(said, outcomeOf(said, null)) : said;
}

/**
 * One problem, and its receiver's knowledge of it. Two facts change independently: the incident *is* open or not (an
 * item says so), and its receiver *believes* that it is open or not (the gateway has taken a message that says so). Its
 * receiver is owed the difference. An item that belongs to no incident is a problem of its own, and its receiver is
 * notified of it once. Pure: nothing here reads a clock or writes a row. Times are ms since the epoch; messages are
 * named by their number in the outbox.
 */
export interface Incident {
  /** True if it is one item that belongs to no incident. */
  readonly isLone: boolean;
  /** How bad its newest firing item says that it is, see `severityLevel`; absent: 0. */
  readonly severity?: number | undefined;
  /** The number of items that it got, over all its openings. Outcomes are kept by an item's number in this count. */
  readonly items: number;
  /** The number of times that it fired since it opened. */
  readonly occurrences: number;
  readonly openedAt: number;
  readonly resolvedAt: number | null;
  /** When the problem began and ended, by its sender's clock; null if the sender did not say. See {@link spanOf}. */
  readonly beganAt: number | null;
  readonly endedAt: number | null;
  /** The last that its sender said of it; null if its items have no times of their own. */
  readonly told: Told | null;
  readonly heardAt: number;
  readonly believed: Belief;
  /** The belief of its receiver before the call that is under way; null if none is. */
  readonly before: Belief | null;
  /** The last message that notified of it since it opened; null if none did. */
  readonly notifiedIn: number | null;
  readonly notifiedAt: number | null;
  /** The times when it opened and resolved, as far back as flapping looks. */
  readonly changes: readonly number[];
  /** `new`: it is flapping, and its receiver was not notified of that. */
  readonly flapping: 'no' | 'new' | 'notified';
  /** The person who has it, so that nothing is repeated; null if nobody has said so since it opened. */
  readonly acknowledged: Acknowledged | null;
  /** Null if only its opening matters so far. */
  readonly escalation: Escalation | null;
  /** The person who resolved it by hand; null if it is open, or an item resolved it. */
  readonly resolvedBy: string | null;
  /** The reason why it ended, if nobody says that the problem is over; null: it is open, or it is resolved. */
  readonly lost: Lost | null;
  readonly outcomes: readonly OutcomeRun[];
}

/**
 * The state that its receiver believes. A receiver who was never notified believes that it is closed. `either`: a
 * message contradicts what the receiver knew before, and its outcome is uncertain or its call is under way. `past`: it
 * expired after they may have been notified, and they are owed its end: what fires from now on is another opening.
 */
export type Belief = 'open' | 'closed' | 'either' | 'past';

/**
 * The end of what is known of an incident, which is not the end of its problem: nothing was heard of it, its route or
 * source is not watched any more, or its receiver left the list before they were notified.
 */
export type Lost = 'expired' | 'unwatched' | 'left';

/** The state of an incident that a message states. */
export type Statement = 'open' | 'resolved' | 'unwatched' | 'flapping';

/** The number of changes between open and resolved, in a time, that makes an incident flap. */
export interface Flaps {
  readonly changes: number;
  readonly perMs: number;
}

/** The reason why nobody is notified of an incident: a silence, another open incident, or its receiver has left the list. */
export interface Held {
  readonly why: 'silenced' | 'inhibited' | 'left';
  readonly by: string;
}

/** The last thing that a sender said of an incident: since when it is so, by the sender's clock (ms). */
export interface Told {
  readonly at: number;
  readonly isEnd: boolean;
}

/**
 * True if an item says nothing new, since something newer is known of its incident: it came late. Of equal times the
 * end wins, so an opening as old as a known end is none. `isArrival`: its time is that of its arrival, so it is not
 * late, even if the clock of its machine is behind. Pure.
 */
export function isOutdated(known: Told | null, told: Told, isArrival = false): boolean {
  if (known === null) return false;
  if (told.at === known.at) return known.isEnd && !told.isEnd;
  return told.at < known.at && !isArrival;
}

/**
 * Returns what is known after news. Clocks of machines differ: it is not older than what was known, even if it counts as
 * that of its arrival; and an end that does so makes nothing outdated that is newer than its opening, since the sender's
 * clock may be behind.
 */
export const toldBy = (known: Told | null, told: Told, isArrival = false): Told => ({
  at: known !== null && isArrival && told.isEnd ? known.at : Math.max(told.at, known?.at ?? -Infinity),
  isEnd: told.isEnd,
});

/** Returns the one that makes the others outdated; null if there is none. */
export const newestOf = (all: readonly (Told | null)[]): Told | null =>
  all.reduce(
    (newest, told) => (newest === null || (told !== null && isOutdated(told, newest)) ? told : newest),
    null,
  );

/**
 * Returns when the problem itself began and ended (ms; null: it goes on, as far as is known): by its sender's clock, if
 * that is known.
 */
export const spanOf = ({ openedAt, resolvedAt, beganAt, endedAt, lost }: Incident) => ({
  from: beganAt ?? openedAt,
  to: resolvedAt === null || lost !== null ? null : (endedAt ?? resolvedAt),
});

/** The outcome of a run of items: those up to number `to` that are not in an earlier run. */
export interface OutcomeRun {
  readonly to: number;
  readonly outcome: Exclude<ItemOutcome, 'waiting' | 'notified'>;
  /** The item that the message is about: its receiver was notified of it, and the others are summarized. */
  readonly about?: number;
  readonly seq?: number;
  /** The silence, or the incident that was open. */
  readonly by?: string;
}

type HasRuns = Pick<Incident, 'items' | 'outcomes'>;

/**
 * The maximum number of separate outcomes. Older ones are merged, and the messages that summarized their items are
 * forgotten.
 */
const MOST_RUNS = 32;

export const decidedTo = ({ outcomes }: HasRuns): number => outcomes.at(-1)?.to ?? 0;

/** Gives this outcome to all items up to number `to` that have none yet. */
export function decided<Incident extends HasRuns>(
  incident: Incident,
  run: Omit<OutcomeRun, 'to'>,
  to = incident.items,
): Incident {
  if (decidedTo(incident) >= to) return incident;
  const outcomes = [...incident.outcomes, { ...run, to }];
  const [, second] = outcomes;
  if (outcomes.length <= 1 + MOST_RUNS || second === undefined) return { ...incident, outcomes };
  return { ...incident, outcomes: [{ to: second.to, outcome: 'summarized' }, ...outcomes.slice(2)] };
}

/** Returns the run of its `n`th item; null if it waits. */
export const runOf = ({ outcomes }: HasRuns, n: number): OutcomeRun | null =>
  outcomes.find(({ to }) => n <= to) ?? null;

export const outcomeIn = (run: OutcomeRun | null, n: number): ItemOutcome =>
  run === null ? 'waiting' : run.about === n ? 'notified' : run.outcome;

/** The ends that a receiver was not notified of, and which the morning's message counts apart. */
export type Missed = keyof MissedCounts;

/**
 * Returns how it closed, if its receiver has missed that in quiet hours; null if not. An item of no incident neither
 * opens nor closes: its receiver has left, or nothing could be sent to them.
 */
export function missedAs({ isLone, outcomes, notifiedIn, lost }: Incident): Missed | null {
  if (isLone || lost === 'left') return null;
  if (notifiedIn !== null) return lost === 'expired' ? lost : null;
  // Of who joined while it was open, no item has an outcome.
  const outcome = outcomes.at(-1)?.outcome ?? lost;
  return outcome === 'resolved' || outcome === 'expired' ? (lost ?? 'resolved') : null;
}

export const resolveByHand = (incident: Incident, by: string, held: Held | null, now: number): Incident =>
  resolve({ ...incident, resolvedBy: by }, null, held, now);

/** The others who have an incident that are kept: a sender may name anybody. */
const MAX_OTHERS = 20;

/** Somebody acknowledges the incident. The first acknowledgement is kept; another one makes it last longer. */
export function acknowledge(incident: Incident, holder: Holder): Incident {
  const { resolvedAt, acknowledged } = incident;
  if (resolvedAt !== null) return incident;
  if (acknowledged === null) return { ...incident, acknowledged: holder };
  const isSame = ({ by, isTold }: Holder): boolean => by === holder.by && isTold === holder.isTold;
  if (isSame(acknowledged)) return { ...incident, acknowledged: { ...acknowledged, again: holder.at } };
  const others = [...without(acknowledged.others, isSame), holder].slice(-MAX_OTHERS);
  return { ...incident, acknowledged: { ...acknowledged, others } };
}

/**
 * Ends a person's acknowledgement, or that of everybody whom its sender named (null): the incident is repeated, and
 * escalates, again. If somebody else has also acknowledged it, it is theirs as long as their own acknowledgement lasts.
 */
export function giveBack(incident: Incident, by: string | null, now: number): Incident {
  const { acknowledged } = incident;
  if (acknowledged === null) return incident;
  const isOut = (one: Holder): boolean =>
    by === null ? one.isTold === true : one.by === by && one.isTold !== true;
  const others = without(acknowledged.others, isOut);
  if (!isOut(acknowledged)) return { ...incident, acknowledged: { ...acknowledged, others } };
  const [next, ...more] = others;
  if (next === undefined) return lapsed(incident, now);
  return { ...lapsed(incident, next.at), acknowledged: { ...next, others: more, hadUntil: now } };
}

/**
 * Nobody has acknowledged it again: from `at` on (ms), its steps start again, and everyone who knows of it is notified
 * again, the people of a step by that step.
 */
export function beginAgain(incident: Incident, at: number): Incident {
  if (incident.acknowledged === null) return incident;
  const pausedAt = escalationOf(incident).pausedAt === null ? null : at;
  return {
    ...owedAgain(incident),
    acknowledged: null,
    escalation: { ...notEscalated(at), pausedAt, freeSince: at },
  };
}

/** A receiver who knows that it is open is notified again; of one that flaps, when that ends. */
export const owedAgain = (incident: Incident): Incident =>
  incident.believed === 'open' && incident.flapping === 'no' ? { ...incident, believed: 'either' } : incident;

/**
 * Returns the time (ms) at which the acknowledgement ends unless it is repeated. `forMs`: the time that one press
 * lasts.
 */
export const lapsesAt = (
  { at, again = at, others = [], hadUntil = at }: Acknowledged,
  forMs: number,
): number => Math.max(hadUntil, forMs + Math.max(again, ...others.map((one) => one.at)));

const without = (others: readonly Holder[] = [], isOut: (one: Holder) => boolean): readonly Holder[] =>
  others.filter((one) => !isOut(one));
