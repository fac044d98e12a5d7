import { escalationOf, lapsed, notEscalated, type Acknowledged } from './escalation.ts';
import { resolve, type Held, type Incident } from './incident.ts';

/** A person says that the incident is resolved. */
export const resolveByHand = (incident: Incident, by: string, held: Held | null, now: number): Incident =>
  resolve({ ...incident, resolvedBy: by }, null, held, now);

/** A person acknowledges the incident. The first acknowledgement is kept; another one makes it last longer. */
export function acknowledge(incident: Incident, by: string, now: number): Incident {
  const { resolvedAt, acknowledged } = incident;
  if (resolvedAt !== null) return incident;
  if (acknowledged === null) return { ...incident, acknowledged: { by, at: now } };
  if (acknowledged.by === by) return { ...incident, acknowledged: { ...acknowledged, again: now } };
  const others = [...without(acknowledged.others, by), { by, at: now }];
  return { ...incident, acknowledged: { ...acknowledged, others } };
}

/**
 * Ends a person's acknowledgement: the incident is repeated, and escalates, again. If somebody else has also
 * acknowledged it, it is theirs as long as their own acknowledgement lasts.
 */
export function giveBack(incident: Incident, by: string, now: number): Incident {
  const { acknowledged } = incident;
  if (acknowledged === null) return incident;
  const others = without(acknowledged.others, by);
  if (acknowledged.by !== by) return { ...incident, acknowledged: { ...acknowledged, others } };
  const [next, ...more] = others;
  if (next === undefined) return lapsed(incident, now);
  return { ...lapsed(incident, next.at), acknowledged: { ...next, others: more, hadUntil: now } };
}

/**
 * Nobody has acknowledged it again: from `at` on (ms), its steps start again, and everyone who knows of it is notified
 * again, the people of a step by that step.
 */
export function beginAgain(incident: Incident, at: number): Incident {
  const { acknowledged, believed, flapping } = incident;
  if (acknowledged === null) return incident;
  const pausedAt = escalationOf(incident).pausedAt === null ? null : at;
  return {
    ...incident,
    acknowledged: null,
    escalation: { ...notEscalated(at), pausedAt },
    // A receiver who was notified of the flapping is notified when it ends.
    believed: believed === 'open' && flapping === 'no' ? 'either' : believed,
  };
}

/**
 * Returns the time (ms) at which the acknowledgement ends unless it is repeated. `forMs`: the time that one press
 * lasts.
 */
export const lapsesAt = (
  { at, again = at, others = [], hadUntil = at }: Acknowledged,
  forMs: number,
): number => Math.max(hadUntil, forMs + Math.max(again, ...others.map((one) => one.at)));

const without = (others: Acknowledged['others'] = [], by: string): NonNullable<Acknowledged['others']> =>
  others.filter((one) => one.by !== by);
