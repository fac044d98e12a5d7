import type { Pool } from './pool.ts';
import { rateTable, type Measured } from './rates.ts';
import type { RunResult } from './run-seed.ts';

const HOUR_MS = 3_600_000;
const EACH_MS = 1_000;

/** Counts what was simulated so far. */
export interface Tally {
  add(result: RunResult): void;
  summary(): string;
  stop(): void;
}

/** Says each second how far the simulation is. */
export function startTally(pool: Pool, say: (line: string) => void): Tally {
  const startedAt = performance.now();
  const totals: Record<string, number> = {};
  const results: Measured[] = [];
  let hours = 0;
  const sum = (what: string, isNow: boolean): number =>
    (totals[what] ?? 0) +
    (isNow ? pool.progress.reduce((all, { counts }) => all + (counts[what] ?? 0), 0) : 0);
  const line = (isNow: boolean): string => {
    const days =
      (hours + (isNow ? pool.progress.reduce((all, { simulatedMs }) => all + simulatedMs / HOUR_MS, 0) : 0)) /
      24;
    const calls = Object.keys(totals)
      .filter((name) => name.startsWith('calls.'))
      .reduce((all, name) => all + sum(name, isNow), 0);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    return `${seconds} s: ${results.length} seeds, ${days.toFixed(1)} days, ${sum('webhooks', isNow)} webhooks, ${calls} calls, ${sum('faults', isNow)} faults`;
  };
  const timer = setInterval(() => say(line(true)), EACH_MS);
  return {
    add(result) {
      // Not all of it: thousands may come.
      const { hours: active, simulatedMs, cpuMs, counts } = result;
      results.push({ hours: active, simulatedMs, cpuMs, counts });
      hours += simulatedMs / HOUR_MS;
      for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count;
    },
    summary: () => `${line(false)}\n${rateTable(results)}`,
    stop: () => clearInterval(timer),
  };
}
