import type { EscalationStep } from '../../config/compiled/config.ts';

/** A step that was taken because nobody had acknowledged the incident. */
export interface TakenStep {
  /** Its place among the route's steps at that time, from 1. */
  readonly step: number;
  /** Its time after the opening (ms). It identifies the step, whatever was published since. */
  readonly afterMs: number;
  readonly at: number;
  /** Its receivers, by the names of lists; empty if it had none. */
  readonly to: readonly string[];
}

/** The steps of an incident since it opened. The same for all its receivers, except {@link isCalled}. Times in ms. */
export interface Escalation {
  /**
   * The time from which steps are counted: since it opened, not counting times in which somebody had it or it was held
   * back.
   */
  readonly from: number;
  /** The time since which it is held back; null if it is not. */
  readonly pausedAt: number | null;
  readonly taken: readonly TakenStep[];
  /** True if a step notifies this receiver. */
  readonly isCalled: boolean;
  /** The time since which nobody has it, if somebody had. */
  readonly freeSince?: number;
}

/** Somebody who has an incident, and since when (ms). */
export interface Holder {
  readonly by: string;
  readonly at: number;
  /** True if its sender said so, which its sender can take back. */
  readonly isTold?: true;
}

/** The person who has an incident, and the time when they last said so (ms). */
export interface Acknowledged extends Holder {
  readonly again?: number;
  /** Those who said so later: one of them has the incident if the first one takes that back. */
  readonly others?: readonly Holder[];
  /** The time until which somebody had it who has taken that back. */
  readonly hadUntil?: number;
}

interface EscalationState {
  readonly isLone: boolean;
  readonly openedAt: number;
  readonly resolvedAt: number | null;
  readonly acknowledged: { readonly at: number } | null;
  readonly escalation: Escalation | null;
}

export const notEscalated = (from: number): Escalation => ({
  from,
  pausedAt: null,
  taken: [],
  isCalled: false,
});

/** Most incidents never escalate. */
export const escalationOf = ({
  escalation,
  openedAt,
}: Pick<EscalationState, 'escalation' | 'openedAt'>): Escalation => escalation ?? notEscalated(openedAt);

/** True if a step notifies this receiver. */
export const isCalled = ({ escalation }: Pick<EscalationState, 'escalation'>): boolean =>
  escalation?.isCalled === true;

/** True if its steps continue: it is open, and nobody has it. */
export const mayEscalate = ({ isLone, resolvedAt, acknowledged }: EscalationState): boolean =>
  !isLone && resolvedAt === null && acknowledged === null;

/**
 * Returns the next step by the configuration in force, its place among the steps (from 1), and when it will be taken
 * (ms). Null if there is none, or the steps stand still. It is later than the steps that were taken, whatever was
 * published since.
 */
export function nextStep(incident: EscalationState, steps: readonly EscalationStep[]) {
  if (steps.length === 0 || !mayEscalate(incident)) return null;
  const { from, pausedAt, taken } = escalationOf(incident);
  if (pausedAt !== null) return null;
  const before = taken.at(-1)?.afterMs ?? 0;
  const index = steps.findIndex(({ afterMs }) => afterMs > before);
  const rule = steps[index];
  return rule === undefined ? null : { step: index + 1, at: from + rule.afterMs, rule };
}

export const withStep = <Incident extends EscalationState>(incident: Incident, step: TakenStep): Incident => {
  const escalation = escalationOf(incident);
  return { ...incident, escalation: { ...escalation, taken: [...escalation.taken, step] } };
};

/** Marks that a step that was taken notifies this receiver, too. */
export const withCall = <Incident extends EscalationState>(incident: Incident): Incident => ({
  ...incident,
  escalation: { ...escalationOf(incident), isCalled: true },
});

/** Stops the steps, because it is held back from now on. */
export const paused = <Incident extends EscalationState>(incident: Incident, now: number): Incident => ({
  ...incident,
  escalation: { ...escalationOf(incident), pausedAt: now },
});

/** It is no longer held back: its steps continue where they were. */
export function resumed<Incident extends EscalationState>(incident: Incident, now: number): Incident {
  const escalation = escalationOf(incident);
  const { from, pausedAt } = escalation;
  return { ...incident, escalation: { ...escalation, from: from + now - (pausedAt ?? now), pausedAt: null } };
}

/** Ends an acknowledgement at `at` (ms): the steps continue where they were. */
export function lapsed<Incident extends EscalationState>(incident: Incident, at: number): Incident {
  const { acknowledged } = incident;
  if (acknowledged === null) return incident;
  const { pausedAt } = escalationOf(incident);
  const stopped = paused(incident, Math.min(pausedAt ?? Infinity, acknowledged.at));
  // If it is held back as well, that ends later.
  const free = pausedAt === null ? resumed(stopped, at) : stopped;
  return { ...free, acknowledged: null, escalation: { ...escalationOf(free), freeSince: at } };
}
