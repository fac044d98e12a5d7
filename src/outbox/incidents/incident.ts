import type { EscalationStep } from '../../config/compiled/config.ts';
import { DAY, MINUTE } from '../../lib/time.ts';
import type { DraftItem, SenderTime } from '../state/acceptance.ts';
import type { MissedCounts } from '../../render/notification-scope.ts';
import type { ItemOutcome } from '../../schema/states.ts';

/** Returns the incident after an item that is news. `known`: its state before; `held`: why nobody is notified now. */
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
  const told = at === null ? before.told : toldBy(before.told, { at, isEnd: isResolved }, item.at);
  const heard = { ...before, items: before.items + 1, heardAt: now, told };
  if (isResolved)
    return before.resolvedAt === null || isOwedLate(before, now)
      ? resolve({ ...heard, endedAt: at }, flaps, held, now)
      : resolveAgain(heard);
  const { severity } = item;
  const again: Incident = { ...heard, occurrences: before.occurrences + 1, severity };
  if (before.resolvedAt === null) return again;
  const open = { resolvedAt: null, endedAt: null, acknowledged: null, resolvedBy: null, lost: null };
  const opened = change({ ...again, ...open, escalation: notEscalated(now) }, flaps, now);
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

/** It was open for others: somebody may have it, or it has escalated. */
export function openedBeside(opened: Incident, others: Incident): Incident {
  const { acknowledged } = others;
  const isAsOpened = others.escalation === null && others.openedAt === opened.openedAt;
  const escalation = isAsOpened ? null : { ...escalationOf(others), isCalled: false };
  return { ...opened, acknowledged, escalation };
}

/** Opens it for somebody who joins: all but what is a receiver's own is as it is for the others. */
export function joined(known: Incident | null, others: Incident): Incident {
  const { items, believed, before, changes, flapping, outcomes, lost } = known ?? NEW;
  // Somebody who was notified before it expired is notified again.
  const isAgain = lost === 'expired' && believed !== 'closed';
  const own = { items, before, changes, flapping, outcomes, notifiedIn: null, notifiedAt: null };
  return openedBeside({ ...others, ...own, believed: isAgain ? 'either' : believed }, others);
}

/** It was closed already: nobody waits for this resolution. Of what had expired, the end is known now. */
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

/** A call with this statement is under way: its receiver may or may not be notified. */
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

export const resolvedUnsaid = (incident: Incident, held: Held | null): Incident =>
  closed({ ...incident, ...CLOSED }, held);

function change(incident: Incident, flaps: Flaps | null, now: number): Incident {
  if (flaps === null) return calmed(incident);
  // If a publish makes flapping look further back, changes that were forgotten stay forgotten.
  const changes = [...incident.changes.filter((at) => at > now - flaps.perMs), now].slice(-flaps.changes);
  const isFlapping = incident.flapping !== 'no' || changes.length >= flaps.changes;
  const flapping = isFlapping && incident.flapping === 'no' ? 'new' : incident.flapping;
  return { ...incident, changes, flapping };
}

/** When it has been quiet for long enough (ms); null if it does not flap. */
export const stableAt = ({ flapping, changes }: Incident, flaps: Flaps | null): number | null =>
  flapping === 'no' ? null : (changes.at(-1) ?? 0) + (flaps?.perMs ?? 0);

/** It does not flap any more: who was notified of that is notified once of its state, also if it changes before. */
const calmed = (incident: Incident): Incident => ({
  ...incident,
  ...(incident.flapping === 'notified' && { believed: 'either', before: null }),
  flapping: 'no',
  changes: [],
});

export const stable = (incident: Incident, held: Held | null): Incident =>
  incident.resolvedAt === null ? calmed(incident) : closed(calmed(incident), held);

/** Closes what was not heard of for too long, and notifies nobody. Its receiver's belief is kept for a late end. */
export function expire(incident: Incident, now: number, held: Held | null = null): Incident {
  const isOpen = !incident.isLone && incident.resolvedAt === null;
  const lost = isOpen ? ({ lost: 'expired' } as const) : CLOSED;
  const outcome = outcomeOf({ lost: 'expired' }, held);
  return decided({ ...incident, ...lost, resolvedAt: now, flapping: 'no' }, outcome);
}

/** Drops an item that belongs to no incident: a silence took it, so nobody will be notified of it. */
export const drop = (incident: Incident, held: Held, now: number): Incident =>
  closed({ ...incident, ...CLOSED, resolvedAt: now, lost: held.why === 'left' ? 'left' : null }, held);

/** What its receiver is owed. `known`: nothing, it is open; `muted`: likewise, not repeated; `nothing`: it is over. */
export type Pending = 'opened' | 'flaps' | 'resolved' | 'unwatched' | 'known' | 'muted' | 'nothing';

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

/** Since when its receiver is to be notified (ms). */
export const pendingSince = ({ resolvedAt, openedAt, changes, flapping }: Incident): number =>
  flapping === 'new' ? (changes.at(-1) ?? openedAt) : (resolvedAt ?? openedAt);

const beliefIn = (statement: Statement): Belief => (isEnd(statement) ? 'closed' : 'open');

/** The call has ended, and its message may or may not have arrived. */
export const maybeNotified = (incident: Incident, statement: Statement): Incident => ({
  ...incident,
  believed: incident.believed === beliefIn(statement) ? incident.believed : 'either',
  before: null,
});

/** What a sent message says. `n`: the last item in it; `about`: the item that it is about, null if it only counts. */
export interface Said {
  readonly statement: Statement;
  readonly n: number;
  readonly about: number | null;
}

/** The gateway has taken the message. Items may have come since it was written. */
export function notified(incident: Incident, { statement, n, about }: Said, seq: number, now: number) {
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
  /** Over all its openings. Outcomes are kept by an item's number in this count. */
  readonly items: number;
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

/** The end of what is known, not of the problem: not heard of, not watched any more, or its receiver has left. */
export type Lost = 'expired' | 'unwatched' | 'left';

export type Statement = 'open' | 'resolved' | 'unwatched' | 'flapping';

/** So many changes between open and resolved, in a time, make an incident flap. */
export interface Flaps {
  readonly changes: number;
  readonly perMs: number;
}

/** Why nobody is notified: a silence, another open incident, or its receiver has left the list. */
export interface Held {
  readonly why: 'silenced' | 'inhibited' | 'left';
  readonly by: string;
}

/** The last thing that a sender said of an incident: since when it is so, by the sender's clock (ms). */
export interface Told {
  readonly at: number;
  readonly isEnd: boolean;
  /** The time that its sender gave for its opening, if that was in the future when it came. */
  readonly opening?: number | undefined;
  /** The same of the last thing, whatever it was. */
  readonly ahead?: number | undefined;
}

/** The clock of a sender is fast by less than this (ms): what is later in the future is not the time of anything yet. */
const FAST_MS = 10 * MINUTE;

/**
 * True if something newer is known: it came late. Of equal times the end wins. `isArrival`: its time is that of its
 * arrival, so it is not late, even if its machine's clock is behind. Pure.
 */
export function isOutdated(known: Told | null, told: Told, isArrival = false): boolean {
  if (known === null) return false;
  const isOpening = known.isEnd && !told.isEnd;
  // By a fast clock it was before the end, which overtook it or which a retry follows.
  const endedAt = known.ahead ?? -Infinity;
  if (isOpening && (told.ahead ?? Infinity) < endedAt && endedAt < told.at + FAST_MS) return true;
  // It is the same opening, whose time is not in the future any more.
  const isSame = told.at === known.opening && !isArrival;
  if (told.at === known.at || isSame) return isOpening;
  return told.at < known.at && !isArrival;
}

/**
 * Never older than what was known. An end that counts as that of its arrival outdates nothing newer than its opening,
 * since the sender's clock may be behind.
 */
export function toldBy(known: Told | null, { at, isEnd }: Told, from?: Omit<SenderTime, 'ms'>): Told {
  const isKept = known !== null && from?.isArrival === true && isEnd;
  return {
    at: isKept ? known.at : Math.max(at, known?.at ?? -Infinity),
    isEnd,
    opening: isEnd || from === undefined || at === known?.opening ? known?.opening : from.ahead,
    ahead: from?.ahead,
  };
}

/** The one that makes the others outdated. */
export const newestOf = (all: readonly (Told | null)[]): Told | null =>
  all.reduce(
    (newest, told) => (newest === null || (told !== null && isOutdated(told, newest)) ? told : newest),
    null,
  );

/** When the problem itself began and ended (ms; null: it goes on), by its sender's clock, if that is known. */
export const spanOf = ({ openedAt, resolvedAt, beganAt, endedAt, lost }: Incident) => ({
  from: beganAt ?? openedAt,
  to: resolvedAt === null || lost !== null ? null : (endedAt ?? resolvedAt),
});

/** In place of an item's number: it says who has an incident of which its receiver, who joined since, got no item. */
export const JOINED = -3;

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

/** Older outcomes are merged, and the messages that summarized their items are forgotten. */
const MOST_RUNS = 32;

export const decidedTo = ({ outcomes }: Incident): number => outcomes.at(-1)?.to ?? 0;

/** Gives this outcome to all items up to number `to` that have none yet. */
export function decided(incident: Incident, run: Omit<OutcomeRun, 'to'>, to = incident.items): Incident {
  if (decidedTo(incident) >= to) return incident;
  const outcomes = [...incident.outcomes, { ...run, to }];
  const [, second] = outcomes;
  if (outcomes.length <= 1 + MOST_RUNS || second === undefined) return { ...incident, outcomes };
  return { ...incident, outcomes: [{ to: second.to, outcome: 'summarized' }, ...outcomes.slice(2)] };
}

/** The run of its `n`th item; null if it waits. Of who joined, {@link JOINED}: what became of it for them since. */
export function runOf(incident: Incident, n: number): OutcomeRun | null {
  const { outcomes, notifiedIn } = incident;
  const run = outcomes.find(({ to }) => n <= to);
  if (run !== undefined || n !== JOINED) return run ?? null;
  if (notifiedIn !== null) return { to: 0, outcome: 'summarized', seq: notifiedIn };
  return pendingOf(incident) === 'nothing' ? { to: 0, ...outcomeOf(incident, null) } : null;
}

export const outcomeIn = (run: OutcomeRun | null, n: number): ItemOutcome =>
  run === null ? 'waiting' : run.about === n ? 'notified' : run.outcome;

/** The ends that a receiver was not notified of, and which the morning's message counts apart. */
export type Missed = keyof MissedCounts;

/** How it closed, if its receiver has missed that in quiet hours. An item of no incident neither opens nor closes. */
export function missedAs({ isLone, outcomes, notifiedIn, lost }: Incident): Missed | null {
  if (isLone || lost === 'left') return null;
  if (notifiedIn !== null) return lost === 'expired' ? lost : null;
  // Of who joined while it was open, no item has an outcome.
  const outcome = outcomes.at(-1)?.outcome ?? lost;
  return outcome === 'resolved' || outcome === 'expired' ? (lost ?? 'resolved') : null;
}

export const resolveByHand = (incident: Incident, by: string, held: Held | null, now: number): Incident =>
  resolve({ ...incident, resolvedBy: by }, null, held, now);

/** A step that was taken because nobody had acknowledged the incident. */
export interface TakenStep {
  /** Its place among the route's steps at that time, from 1. */
  readonly step: number;
  /** Its time after the opening (ms), which identifies it, whatever was published since. */
  readonly afterMs: number;
  readonly at: number;
  /** Its receivers, by the names of lists; empty if it had none. */
  readonly to: readonly string[];
}

/** The steps of an incident since it opened. The same for all its receivers, except {@link isCalled}. Times in ms. */
export interface Escalation {
  /** The time from which steps are counted: since it opened, without times in which somebody had it or it was held back. */
  readonly from: number;
  readonly pausedAt: number | null;
  readonly taken: readonly TakenStep[];
  readonly isCalled: boolean;
  /** The time since which nobody has it, if somebody had. */
  readonly freeSince?: number;
}

export const notEscalated = (from: number): Escalation => ({
  from,
  pausedAt: null,
  taken: [],
  isCalled: false,
});

/** Most incidents never escalate. */
export const escalationOf = ({ escalation, openedAt }: Incident): Escalation =>
  escalation ?? notEscalated(openedAt);

export const isCalled = ({ escalation }: Incident): boolean => escalation?.isCalled === true;

export const mayEscalate = ({ isLone, resolvedAt, acknowledged }: Incident): boolean =>
  !isLone && resolvedAt === null && acknowledged === null;

/** By the configuration in force, from 1, and after the taken steps. Null: there is none, or they stand still. */
export function nextStep(incident: Incident, steps: readonly EscalationStep[]) {
  if (steps.length === 0 || !mayEscalate(incident)) return null;
  const { from, pausedAt, taken } = escalationOf(incident);
  if (pausedAt !== null) return null;
  const before = taken.at(-1)?.afterMs ?? 0;
  const index = steps.findIndex(({ afterMs }) => afterMs > before);
  const rule = steps[index];
  return rule === undefined ? null : { step: index + 1, at: from + rule.afterMs, rule };
}

const escalating = (incident: Incident, change: Partial<Escalation>): Incident => ({
  ...incident,
  escalation: { ...escalationOf(incident), ...change },
});

export const withStep = (incident: Incident, step: TakenStep): Incident =>
  escalating(incident, { taken: [...escalationOf(incident).taken, step] });

/** A step that was taken notifies this receiver, too. */
export const withCall = (incident: Incident): Incident => escalating(incident, { isCalled: true });

export const paused = (incident: Incident, now: number): Incident => escalating(incident, { pausedAt: now });

/** It is no longer held back: its steps continue where they were. */
export function resumed(incident: Incident, now: number): Incident {
  const { from, pausedAt } = escalationOf(incident);
  return escalating(incident, { from: from + now - (pausedAt ?? now), pausedAt: null });
}

export interface Holder {
  readonly by: string;
  readonly at: number;
  /** True if its sender said so, which its sender can take back. */
  readonly isTold?: true;
}

/** The person who has an incident, and the time when they last said so (ms). */
interface Acknowledged extends Holder {
  readonly again?: number;
  /** Those who said so later: one of them has the incident if the first one takes that back. */
  readonly others?: readonly Holder[];
  /** The time until which somebody had it who has taken that back. */
  readonly hadUntil?: number;
}

/** Ends an acknowledgement at `at` (ms): the steps continue where they were. */
export function lapsed(incident: Incident, at: number): Incident {
  const { acknowledged } = incident;
  if (acknowledged === null) return incident;
  const { pausedAt } = escalationOf(incident);
  const stopped = paused(incident, Math.min(pausedAt ?? Infinity, acknowledged.at));
  // If it is held back as well, that ends later.
  const free = pausedAt === null ? resumed(stopped, at) : stopped;
  return { ...escalating(free, { freeSince: at }), acknowledged: null };
}

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

/** Ends one person's acknowledgement, or all that the sender told (null). Another's lasts as long as it would. */
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

/** Nobody acknowledged it again: its steps start again, and everyone who knows of it is notified again. */
export function beginAgain(incident: Incident, at: number): Incident {
  if (incident.acknowledged === null) return incident;
  const pausedAt = escalationOf(incident).pausedAt === null ? null : at;
  const escalation = { ...notEscalated(at), pausedAt, freeSince: at };
  return { ...owedAgain(incident), acknowledged: null, escalation };
}

/** A receiver who knows that it is open is notified again; of one that flaps, when that ends. */
export const owedAgain = (incident: Incident): Incident =>
  incident.believed === 'open' && incident.flapping === 'no' ? { ...incident, believed: 'either' } : incident;

/** When the acknowledgement ends unless it is repeated (ms). `forMs`: the time that one press lasts. */
export const lapsesAt = (
  { at, again = at, others = [], hadUntil = at }: Acknowledged,
  forMs: number,
): number => Math.max(hadUntil, forMs + Math.max(again, ...others.map((one) => one.at)));

const without = (others: readonly Holder[] = [], isOut: (one: Holder) => boolean): readonly Holder[] =>
  others.filter((one) => !isOut(one));
