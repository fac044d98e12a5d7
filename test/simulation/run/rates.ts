import type { RunResult } from './run-seed.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Seeds by how much comes: below so many webhooks a day. */
const GROUPS = [
  { name: 'fewer than 100', below: 100 },
  { name: '100 to 299', below: 300 },
  { name: '300 to 599', below: 600 },
  { name: '600 and more', below: Infinity },
] as const;

/** What of a run its rate depends on. */
export type Measured = Pick<RunResult, 'hours' | 'simulatedMs' | 'cpuMs' | 'counts'>;

/** The simulated hours that a core runs in a minute. */
const rateOf = (results: readonly Measured[]): number => {
  const cpuMs = results.reduce((sum, result) => sum + result.cpuMs, 0);
  const hours = results.reduce((sum, { simulatedMs }) => sum + simulatedMs / HOUR_MS, 0);
  return cpuMs === 0 ? 0 : Math.round((hours * MINUTE_MS) / cpuMs);
};

/** A table of how fast seeds are simulated, by how many webhooks a day they have; the last row has all. */
export function rateTable(results: readonly Measured[]): string {
  const groups = Map.groupBy(results, ({ counts, hours }) => {
    const aDay = ((counts['webhooks'] ?? 0) * 24) / hours;
    return GROUPS.find(({ below }) => aDay < below);
  });
  const row = (name: string, of: readonly Measured[]): string => `| ${name} | ${of.length} | ${rateOf(of)} |`;
  return [
    '| webhooks a day | seeds | simulated hours a minute of one core |',
    '| --- | --- | --- |',
    ...GROUPS.flatMap((group) => {
      const of = groups.get(group) ?? [];
      return of.length === 0 ? [] : [row(group.name, of)];
    }),
    row('all', results),
  ].join('\n');
}
