import type { ContestantName } from './contestants.ts';
import type { Figure, LoadName, Results, Spread } from './results.ts';
import { spread } from './results.ts';

/** A bound that must be met, and the goal beyond it. */
export interface Budget {
  readonly what: string;
  readonly must: number;
  readonly reach: number;
  /** True if more is better. */
  readonly isFloor: boolean;
  readonly read: (results: Results, relay: ContestantName) => Spread | null;
}

const against =
  (to: ContestantName, load: LoadName, figure: Figure): Budget['read'] =>
  (results, relay) =>
    results.ratio(relay, to, load, figure);

/**
 * The bounds for the relay in comparison with the others. Figures that are the same on every machine (rows, flushes,
 * calls) have budgets of their own.
 */
export const BUDGETS: readonly Budget[] = [
  ...([16, 64] as const).map((connections): Budget => ({
    what: `delivered a second ÷ minimal, ${connections} connections`,
    must: 0.7,
    reach: 0.85,
    isFloor: true,
    read: against('minimal', connections, 'deliveredPerSecond'),
  })),
  {
    what: 'CPU per delivered event ÷ minimal’s, 16 connections',
    must: 1.5,
    reach: 1.25,
    isFloor: false,
    read: against('minimal', 16, 'cpuMs'),
  },
  {
    what: 'accepting while delivering ÷ bare, 16 connections',
    must: 0.6,
    reach: 0.74,
    isFloor: true,
    read: against('bare', 16, 'acceptedPerSecond'),
  },
  {
    what: 'accepting while delivering ÷ bare, 64 connections',
    must: 0.8,
    reach: 1.02,
    isFloor: true,
    read: against('bare', 64, 'acceptedPerSecond'),
  },
  {
    what: '202 → gateway call, unpaced, median, ms',
    must: 1,
    reach: 0.2,
    isFloor: false,
    read: (results, relay) => spread(results.each(relay, 'alone', 'toCallMs')),
  },
];

export const isMet = ({ isFloor }: Budget, value: number, bound: number): boolean =>
  isFloor ? value >= bound : value <= bound;
