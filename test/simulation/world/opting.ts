import type { Random } from '../simulation.ts';

const HOUR_MS = 3_600_000;

/** Receivers who opt out, and in again. */
export interface Opting {
  readonly everyMs: number;
  /** The batches for the crew are sent to those who have opted out, too. */
  readonly isTransactional: boolean;
}

export function optingOf(random: Random): Opting | null {
  if (!random.chance(0.3)) return null;
  return { everyMs: random.pick([1, 3]) * HOUR_MS, isTransactional: random.chance(0.5) };
}
