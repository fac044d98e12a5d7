import type { MissedCounts } from '../../render/notification-scope.ts';
import type { ItemOutcome } from '../state/states.ts';

/** The outcome of a run of items: those up to number `to` that are not in an earlier run. */
export interface OutcomeRun {
  readonly to: number;
  readonly outcome: Exclude<ItemOutcome, 'waiting' | 'notified'>;
  /** The item that the message is about: its receiver was notified of it, and the others are summarized. */
  readonly about?: number;
  /** The message. */
  readonly seq?: number;
  /** The silence, or the incident that was open. */
  readonly by?: string;
}

interface HasRuns {
  readonly items: number;
  readonly outcomes: readonly OutcomeRun[];
}

/**
 * The maximum number of separate outcomes. Older ones are merged, and the messages that summarized their items are
 * forgotten.
 */
const MOST_RUNS = 32;

/** Returns the number of items that have an outcome. */
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

/** The outcome of the `n`th item, by its run. */
export const outcomeIn = (run: OutcomeRun | null, n: number): ItemOutcome =>
  run === null ? 'waiting' : run.about === n ? 'notified' : run.outcome;

/** The ends that a receiver was not notified of, and which the morning's message counts apart. */
export type Missed = keyof MissedCounts;

/**
 * Returns how it closed, if its receiver has missed that in quiet hours; null if not. An item of no incident neither
 * opens nor closes: its receiver has left, or nothing could be sent to them.
 */
export function missedAs({
  isLone,
  outcomes,
  notifiedIn,
  lost,
}: HasRuns & {
  readonly isLone: boolean;
  readonly notifiedIn: number | null;
  readonly lost: Missed | 'left' | null;
}): Missed | null {
  if (isLone || lost === 'left') return null;
  if (notifiedIn !== null) return lost === 'expired' ? lost : null;
  // Of who joined while it was open, no item has an outcome.
  const outcome = outcomes.at(-1)?.outcome ?? lost;
  return outcome === 'resolved' || outcome === 'expired' ? (lost ?? 'resolved') : null;
}
