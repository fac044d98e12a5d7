import { NO_PLANTED_FAULT, type Seams } from '../platform/seams.ts';
import type { Random } from '../simulation.ts';
import { OF_ANSWERS } from './of-answers.ts';
import { OF_DOCUMENTS } from './of-documents.ts';
import { OF_ESCALATIONS } from './of-escalations.ts';
import { OF_LATE_ALERTS } from './of-late-alerts.ts';
import { OF_OPT_OUTS } from './of-opt-outs.ts';
import { OF_STRANGERS } from './of-strangers.ts';
import { OF_THE_PLATFORM } from './of-the-platform.ts';
import { OF_UNSENT } from './of-unsent.ts';
import type { PlantedFaults } from './planted-fault.ts';

/** Each is at a seam that does not depend on how the outbox is written. */
export const PLANTED: PlantedFaults = {
  ...OF_THE_PLATFORM,
  ...OF_DOCUMENTS,
  ...OF_ANSWERS,
  ...OF_ESCALATIONS,
  ...OF_OPT_OUTS,
  ...OF_UNSENT,
  ...OF_LATE_ALERTS,
  ...OF_STRANGERS,
};

/** The seams with a planted fault; null: as they are. Throws if there is none of this name. */
export function seamsWith(name: string | null): (random: Random) => Seams {
  if (name === null) return () => NO_PLANTED_FAULT;
  const fault = PLANTED[name];
  if (fault === undefined) throw new Error(`no planted fault is called ${name}`);
  return (random) => ({ ...NO_PLANTED_FAULT, ...fault(random) });
}
