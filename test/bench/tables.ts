import { table } from '../../scripts/page-section.ts';
import { BUDGETS, judge } from './budgets.ts';
import type { ContestantName } from './contestants.ts';
import type { Figure, LoadName, Results, Spread } from './results.ts';
import { number, spread } from './results.ts';

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
