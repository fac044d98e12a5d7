import type { ContestantName } from './contestants.ts';
import type { Figure, LoadName, Results, Spread } from './results.ts';
import { spread } from './results.ts';

/** A bound that must be met, and the goal beyond it. */
export interface Bound {
  readonly must: number;
  readonly reach: number;
  /** True if more is better. */
  readonly isFloor: boolean;
}

interface Budget extends Bound {
  readonly what: string;
  readonly read: (results: Results, relay: ContestantName) => Spread | null;
}

export const least = (must: number, reach: number): Bound => ({ must, reach, isFloor: true });
export const most = (must: number, reach: number): Bound => ({ must, reach, isFloor: false });

const against =
  (to: ContestantName, load: LoadName, figure: Figure): Budget['read'] =>
  (results, relay) =>
    results.ratio(relay, to, load, figure);

/**
 * The bounds for the relay in comparison with the others. Figures that are the same on every machine (rows, flushes,
 * calls) have budgets of their own.
 */
export const BUDGETS: readonly Budget[] = [
  ...([16, 64] as const).map((connections) => ({
    what: `delivered a second ÷ minimal, ${connections} connections`,
    ...least(0.7, 0.85),
    read: against('minimal', connections, 'deliveredPerSecond'),
  })),
  {
    what: 'CPU per delivered event ÷ minimal’s, 16 connections',
    ...most(1.5, 1.25),
    read: against('minimal', 16, 'cpuMs'),
  },
  ...(
    [
      [16, least(0.6, 0.74)],
      [64, least(0.8, 1.02)],
    ] as const
  ).map(([connections, bound]) => ({
    what: `accepting while delivering ÷ bare, ${connections} connections`,
    ...bound,
    read: against('bare', connections, 'acceptedPerSecond'),
  })),
  {
    what: '202 → gateway call, unpaced, median, ms',
    ...most(1, 0.2),
    read: (results, relay) => spread(results.each(relay, 'alone', 'toCallMs')),
  },
];

/** The last cells of a bound's row; `value` null: it was not measured. */
export function judge(
  { must, reach, isFloor }: Bound,
  value: number | null,
  shown: (value: number) => string = String,
): { readonly cells: readonly string[]; readonly isMissed: boolean } {
  const isMissed = value !== null && !(isFloor ? value >= must : value <= must);
  const cells = [must, reach].map((bound) => `${isFloor ? '≥' : '≤'} ${shown(bound)}`);
  return { cells: [...cells, value === null ? 'not measured' : isMissed ? '**missed**' : 'met'], isMissed };
}
