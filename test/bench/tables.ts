import { table } from '../../scripts/docs/page.ts';
import type { ContestantName } from './contestants.ts';
import { median, type Measured } from './measure.ts';

/** All rounds' runs, in the order measured. */
export class Results {
  readonly #runs = new Map<string, Measured[]>();

  add(name: ContestantName, load: LoadName, measured: Measured): void {
    const key = `${name}/${load}`;
    this.#runs.set(key, [...(this.#runs.get(key) ?? []), measured]);
  }

  /** The number of rounds. */
  get rounds(): number {
    return Math.max(0, ...[...this.#runs.values()].map((runs) => runs.length));
  }

  /** One figure of each round; empty: it was not measured, or has no such figure. */
  each(name: ContestantName, load: LoadName, figure: Figure): readonly number[] {
    return (this.#runs.get(`${name}/${load}`) ?? []).flatMap((run) => run[figure] ?? []);
  }

  /** The median of the rounds' ratios: whatever else the machine did in a round met both. */
  ratio(of: ContestantName, to: ContestantName, load: LoadName, figure: Figure): Spread | null {
    const [above, below] = [this.each(of, load, figure), this.each(to, load, figure)];
    return spread(above.flatMap((value, round) => value / (below[round] ?? Number.NaN)));
  }
}

/** A number of connections; or one event at a time, each delivered before the next is sent. */
export type LoadName = number | 'alone';
export type Figure = keyof Measured;

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export const spread = (values: readonly number[]): Spread | null =>
  values.length === 0 || values.some((value) => Number.isNaN(value))
    ? null
    : { median: median(values), min: Math.min(...values), max: Math.max(...values) };

/** A figure as the tables have it. */
export const number = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : value >= 10
      ? value.toFixed(1)
      : value.toFixed(2);

/** A bound that must be met, and the goal beyond it. */
interface Bound {
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
const delivered = (connections: number): Budget => ({
  what: `delivered a second ÷ minimal, ${connections} connections`,
  ...least(0.7, 0.85),
  read: against('minimal', connections, 'deliveredPerSecond'),
});
const accepting = (connections: number, bound: Bound): Budget => ({
  what: `accepting while delivering ÷ bare, ${connections} connections`,
  ...bound,
  read: against('bare', connections, 'acceptedPerSecond'),
});
const BUDGETS: readonly Budget[] = [
  ...[16, 64].map(delivered),
  {
    what: 'CPU per delivered event ÷ minimal’s, 16 connections',
    ...most(1.5, 1.25),
    read: against('minimal', 16, 'cpuMs'),
  },
  accepting(16, least(0.6, 0.74)),
  accepting(64, least(0.8, 1.02)),
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

const cell = (of: Spread | null): string =>
  of === null ? '–' : `${number(of.median)} (${number(of.min)}–${number(of.max)})`;

/** The median of the rounds, with the least and the most of them. */
export function loadTable(results: Results, names: readonly ContestantName[], load: LoadName): string {
  const figures: readonly (readonly [string, Figure])[] = [
    ['accepted/s', 'acceptedPerSecond'],
    ['delivered/s', 'deliveredPerSecond'],
    ['p50, ms', 'p50'],
    ['p99, ms', 'p99'],
    ['CPU, ms an event', 'cpuMs'],
    ['generator’s CPU, ms', 'generatorCpuMs'],
  ];
  const rows = names.map((name) => [
    name,
    ...figures.map(([, figure]) => cell(spread(results.each(name, load, figure)))),
  ]);
  return table(['', ...figures.map(([title]) => title)], rows);
}

/** One event at a time, and the memory after all rounds. */
export const restTable = (
  results: Results,
  names: readonly ContestantName[],
  memory: ReadonlyMap<ContestantName, number | null>,
): string =>
  table(
    ['', '202 → gateway call, ms', 'CPU of an event alone, ms', 'peak memory, MiB'],
    names.map((name) => [
      name,
      cell(spread(results.each(name, 'alone', 'toCallMs'))),
      cell(spread(results.each(name, 'alone', 'cpuMs'))),
      memory.get(name)?.toFixed(0) ?? '–',
    ]),
  );

/** The tree's own relay ÷ the other bundle, round by round: what a change has changed. */
export const otherTable = (results: Results, loads: readonly LoadName[]): string =>
  table(
    ['hookbell ÷ hookbell (other)', 'accepted/s', 'delivered/s', 'p50', 'CPU', '202 → gateway call'],
    loads.map((load) => [
      load === 'alone' ? 'one event at a time' : `${load} connections`,
      ...OTHER_FIGURES.map((figure) => cell(results.ratio('hookbell', 'hookbell (other)', load, figure))),
    ]),
  );

const OTHER_FIGURES = ['acceptedPerSecond', 'deliveredPerSecond', 'p50', 'cpuMs', 'toCallMs'] as const;

/** The budgets, and how many of them are missed. */
export function budgetTable(
  results: Results,
  relays: readonly ContestantName[],
): { readonly text: string; readonly missed: number } {
  let missed = 0;
  const rows = BUDGETS.map((budget) => {
    const spreads = relays.map((relay) => budget.read(results, relay));
    const { cells, isMissed } = judge(budget, spreads[0]?.median ?? null);
    if (isMissed) missed += 1;
    return [budget.what, ...spreads.map(cell), ...cells];
  });
  return { text: table(['', ...relays, 'required', 'target', ''], rows), missed };
}
