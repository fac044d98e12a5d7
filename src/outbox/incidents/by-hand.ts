import { lapsed } from './escalation.ts';
import { resolve, type Held, type Incident } from './incident.ts';

/** A person says that it is over. */
export const resolveByHand = (incident: Incident, by: string, held: Held | null, now: number): Incident =>
  resolve({ ...incident, resolvedBy: by }, null, held, now);

/** A person has it. The first one who says so is kept. */
export const acknowledge = (incident: Incident, by: string, now: number): Incident =>
  incident.resolvedAt !== null || incident.acknowledged !== null
    ? incident
    : { ...incident, acknowledged: { by, at: now } };

/** Who had it has it no more: it is repeated, and escalates, again. */
export const giveBack = (incident: Incident, by: string, now: number): Incident =>
  incident.acknowledged?.by === by ? lapsed(incident, now) : incident;
