import type { Seams } from '../platform/seams.ts';
import type { Random } from '../simulation.ts';

/**
 * Faults that are put between the product and its platform, to see whether the simulation finds them, by name. A comment
 * says which mistake the code would have made.
 */
export type PlantedFaults = Readonly<Record<string, (random: Random) => Partial<Seams>>>;

/** Published documents that say something else; `to` may ask what the group of `from` has matched. */
export const reading = (from: string | RegExp, to: string | ((part: string) => string)): Partial<Seams> => ({
  published: (set) => set.replaceAll(from, typeof to === 'string' ? () => to : (_, part: string) => to(part)),
});
