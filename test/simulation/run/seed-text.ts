/** Grows when a seed no longer gives the run that it gave: the world, the model or the order of random numbers changed. */
export const FORMAT = 8;

/** Seeds of 24 hours that once found a fault in this format. Each run of `npm run simulate` begins with them. */
export const KEPT: readonly number[] = [41, 58, 67];

/** A seed as it is printed and kept. */
export const seedText = (seed: number): string => `${FORMAT}-${seed}`;

/** The number of a seed: `1-8231`, or `8231` for one of today's format. Throws with what is wrong. */
export function seedNumber(text: string): number {
  const { format, seed } = /^(?:(?<format>\d{1,4})-)?(?<seed>\d{1,9})$/.exec(text)?.groups ?? {};
  if (seed === undefined) throw new UsageError(`\`${text}\` is no seed; a seed looks like ${FORMAT}-8231`);
  if (format !== undefined && Number(format) !== FORMAT)
    throw new UsageError(
      `the seed ${text} is of format ${format}, and the simulation is of format ${FORMAT} now: it would give another run`,
    );
  return Number(seed);
}

/** The command was called in a way that it does not understand. */
export class UsageError extends Error {}
