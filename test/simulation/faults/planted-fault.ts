import type { Seams } from '../platform/seams.ts';
import type { Random } from '../simulation.ts';

/** A fault that is put between the product and its platform, to see whether the simulation finds it. */
export interface PlantedFault {
  readonly name: string;
  /** The mistake that the code would have made. */
  readonly note: string;
  readonly seams: (random: Random) => Partial<Seams>;
}
