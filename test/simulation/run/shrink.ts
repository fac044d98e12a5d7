import type { Job } from './child.ts';
import type { Pool } from './pool.ts';
import type { RunResult } from './run-seed.ts';

/** How many runs a finding is worth. */
const MOST_RUNS = 400;
const HOUR_MS = 3_600_000;

/** A run that shows the same finding with less. */
export interface Shrunk {
  readonly job: Job;
  readonly result: RunResult;
  readonly runs: number;
}

/**
 * Looks for the shortest first part of a run, and the fewest faults and actions of the world, that still break the same rule: first
 * whole kinds of them are left out, then ever smaller parts.
 */
export async function shrink(pool: Pool, first: Job, firstResult: RunResult): Promise<Shrunk> {
  let best: Shrunk = { job: first, result: firstResult, runs: 0 };
  const rule = firstResult.finding?.rule;
  let runs = 0;

  /** Takes the first of these that still fails; returns whether one did. */
  const tryAll = async (jobs: readonly Job[]): Promise<boolean> => {
    for (let from = 0; from < jobs.length && runs < MOST_RUNS; from += pool.size) {
      const some = jobs.slice(from, from + pool.size);
      const results = await Promise.all(some.map((job) => pool.run(job)));
      runs += some.length;
      const index = results.findIndex(({ finding }) => finding?.rule === rule);
      const [job, result] = [some[index], results[index]];
      if (job === undefined || result === undefined) continue;
      best = { job, result, runs };
      return true;
    }
    return false;
  };
  const shorter = async (): Promise<void> => {
    const found = (best.result.finding?.atMs ?? 0) / HOUR_MS;
    const hours = [found / 8, found / 4, found / 2, (found * 3) / 4, found + 0.001].map(
      (one) => Math.ceil(one * 1_000) / 1_000,
    );
    const jobs = hours
      .filter((one) => one > 0 && one < best.job.hours)
      .map((one) => ({ ...best.job, hours: one }));
    if (await tryAll(jobs)) await shorter();
  };

  await shorter();
  const kept = (): readonly string[] => best.job.only ?? best.result.decisions;
  const without = (left: readonly string[]): Job => {
    const out = new Set(left);
    return { ...best.job, only: kept().filter((name) => !out.has(name)) };
  };
  const kinds = new Set(kept().map(kindOf));
  for (const kind of kinds) await tryAll([without(kept().filter((name) => kindOf(name) === kind))]);
  for (let size = Math.ceil(kept().length / 2); size >= 1 && runs < MOST_RUNS; size = Math.floor(size / 2)) {
    let isLess = true;
    while (isLess && runs < MOST_RUNS) {
      const names = kept();
      const parts = Array.from({ length: Math.ceil(names.length / size) }, (_, n) =>
        names.slice(n * size, (n + 1) * size),
      );
      isLess = await tryAll(parts.map(without));
    }
  }
  await shorter();
  return { ...best, runs };
}

/** `fault.evict@3#1` is an eviction; `webhook:alerts#17` is a webhook of alerts. */
const kindOf = (name: string): string => name.replace(/(@\d+)?#\d+$/, '');
