import { escalationOf, lapsed, notEscalated, type Acknowledged, type Holder } from './escalation.ts';
import { resolve, type Held, type Incident } from './incident.ts';

/** A person says that the incident is resolved. */
export const resolveByHand = (incident: Incident, by: string, held: Held | null, now: number): Incident =>
  resolve({ ...incident, resolvedBy: by }, null, held, now);

/** The others who have an incident that are kept: a sender may name anybody. */
const MAX_OTHERS = 20;

/** A person acknowledges the incident. The first acknowledgement is kept; another one makes it last longer. */
export const acknowledge = (incident: Incident, by: string, now: number): Incident =>
  heldBy(incident, { by, at: now });

/** Does the same for somebody whom its sender names. */
export const acknowledgeTold = (incident: Incident, by: string, now: number): Incident =>
  heldBy(incident, { by, at: now, isTold: true });

function heldBy(incident: Incident, holder: Holder): Incident {
  const { resolvedAt, acknowledged } = incident;
  if (resolvedAt !== null) return incident;
  if (acknowledged === null) return { ...incident, acknowledged: holder };
  const isSame = ({ by, isTold }: Holder): boolean => by === holder.by && isTold === holder.isTold;
  if (isSame(acknowledged)) return { ...incident, acknowledged: { ...acknowledged, again: holder.at } };
  const others = [...without(acknowledged.others, isSame), holder].slice(-MAX_OTHERS);
  return { ...incident, acknowledged: { ...acknowledged, others } };
}

/**
 * Ends a person's acknowledgement: the incident is repeated, and escalates, again. If somebody else has also
 * acknowledged it, it is theirs as long as their own acknowledgement lasts.
 */
export const giveBack = (incident: Incident, by: string, now: number): Incident =>
  heldNoMore(incident, (one) => one.by === by && one.isTold !== true, now);

/** The same for everybody whom its sender named. */
export const giveBackTold = (incident: Incident, now: number): Incident =>
  heldNoMore(incident, ({ isTold }) => isTold === true, now);

function heldNoMore(incident: Incident, isOut: (one: Holder) => boolean, now: number): Incident {
  const { acknowledged } = incident;
  if (acknowledged === null) return incident;
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
  const { acknowledged, believed, flapping } = incident;
  if (acknowledged === null) return incident;
  const pausedAt = escalationOf(incident).pausedAt === null ? null : at;
  return {
    ...incident,
    acknowledged: null,
    escalation: { ...notEscalated(at), pausedAt, freeSince: at },
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

const without = (others: readonly Holder[] = [], isOut: (one: Holder) => boolean): readonly Holder[] =>
  others.filter((one) => !isOut(one));
