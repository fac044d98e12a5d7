import { table } from '../../scripts/page-section.ts';
import { BUDGETS, isMet } from './budgets.ts';
import type { ContestantName } from './contestants.ts';
import type { Figure, LoadName, Results, Spread } from './results.ts';
import { spread } from './results.ts';

const number = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : value >= 10
      ? value.toFixed(1)
      : value.toFixed(2);

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

/** Lines that show whether the load generator and the runtime could do more than is measured. */
export function bottleneckLines(results: Results, connections: readonly number[]): readonly string[] {
  const lines = connections.flatMap((load) => {
    const ratio = results.ratio('no-op', 'hookbell', load, 'acceptedPerSecond');
    const [own, generator] = (['cpuMs', 'generatorCpuMs'] as const).map((figure) =>
      spread(results.each('hookbell', load, figure)),
    );
    if (ratio === null || !own || !generator) return [];
    const share = ((generator.median / own.median) * 100).toFixed(0);
    return [
      `- ${load} connection${load === 1 ? '' : 's'}: no-op answers ${number(ratio.median)} times as many requests a second as hookbell accepts; the generator’s own CPU is ${share} % of hookbell’s.`,
    ];
  });
  return lines.length === 0
    ? []
    : [`Neither the load generator nor the runtime’s HTTP is the bottleneck:\n\n${lines.join('\n')}`];
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
    const [sign, cells] = [budget.isFloor ? '≥' : '≤', relays.map((relay) => budget.read(results, relay))];
    const own = cells[0] ?? null;
    const isMissed = own !== null && !isMet(budget, own.median, budget.must);
    if (isMissed) missed += 1;
    return [
      budget.what,
      ...cells.map(cell),
      `${sign} ${budget.must}`,
      `${sign} ${budget.reach}`,
      own === null ? 'not measured' : isMissed ? '**missed**' : 'met',
    ];
  });
  return { text: table(['', ...relays, 'required', 'target', ''], rows), missed };
}
