import type { Quiet } from '../model/quiet-hours.ts';
import type { Random } from '../simulation.ts';

const HOUR_MS = 3_600_000;

/** Nights in which much ends without a word: the route of alerts gets another name, incidents are not heard of any more. */
export interface Nights {
  readonly quiet: Quiet;
  /** The mean time between two new names of the route, in ms; null: it keeps its name. */
  readonly renameEveryMs: number | null;
  /** True if incidents that nobody speaks of are over within the night. */
  readonly expire: boolean;
}

export function nightsOf(random: Random): Nights | null {
  if (!random.chance(0.2)) return null;
  const from = random.int(16, 22);
  const timezone = random.pick(['Europe/Berlin', 'Pacific/Auckland']);
  const quiet = { from, to: random.int(5, 10), timezone };
  const renameEveryMs = random.chance(0.75) ? random.pick([4, 8]) * HOUR_MS : null;
  return { quiet, renameEveryMs, expire: renameEveryMs === null || random.chance(0.4) };
}
