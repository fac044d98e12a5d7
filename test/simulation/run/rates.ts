import type { RunResult } from './run-seed.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Seeds by how much comes: below N webhooks a day. */
const GROUPS = [
  { name: 'fewer than 100', below: 100 },
  { name: '100 to 299', below: 300 },
  { name: '300 to 599', below: 600 },
  { name: '600 and more', below: Infinity },
] as const;

/** The parts of a result that the rate of a run depends on. */
export type Measured = Pick<RunResult, 'hours' | 'simulatedMs' | 'cpuMs' | 'counts'>;

/** The simulated hours that a core runs in a minute, and what a webhook costs with all that follows from it, in ms of CPU. */
function rateOf(results: readonly Measured[]): { hours: number; webhookMs: string } {
  const sum = (of: (result: Measured) => number): number => results.reduce((all, one) => all + of(one), 0);
  const cpuMs = sum((one) => one.cpuMs);
  const hours = sum(({ simulatedMs }) => simulatedMs / HOUR_MS);
  const webhooks = sum(({ counts }) => counts['webhooks'] ?? 0);
  return {
    hours: cpuMs === 0 ? 0 : Math.round((hours * MINUTE_MS) / cpuMs),
    webhookMs: webhooks === 0 ? '–' : (cpuMs / webhooks).toFixed(1),
  };
}

/** A table of how fast seeds are simulated, by how many webhooks a day they have; the last row has all. */
export function rateTable(results: readonly Measured[]): string {
  const groups = Map.groupBy(results, ({ counts, hours }) => {
    const aDay = ((counts['webhooks'] ?? 0) * 24) / hours;
    return GROUPS.find(({ below }) => aDay < below);
  });
  const row = (name: string, of: readonly Measured[]): string => {
    const { hours, webhookMs } = rateOf(of);
    return `| ${name} | ${of.length} | ${hours} | ${webhookMs} |`;
  };
  return [
    '| webhooks a day | seeds | simulated hours a minute of one core | CPU a webhook, ms |',
    '| --- | --- | --- | --- |',
    ...GROUPS.flatMap((group) => {
      const of = groups.get(group) ?? [];
      return of.length === 0 ? [] : [row(group.name, of)];
    }),
    row('all', results),
  ].join('\n');
}
