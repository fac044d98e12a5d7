import type { Job } from './child.ts';
import type { Pool } from './pool.ts';
import type { RunResult } from './run-seed.ts';

/** The most runs that a finding is worth. */
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
export async function shrink(pool: Pool, job: Job, result: RunResult): Promise<Shrunk> {
  const search = new Search(pool, job, result);
  await search.shorter();
  for (const kind of new Set(search.kept.map(kindOf)))
    await search.tryWithout([search.kept.filter((name) => kindOf(name) === kind)]);
  for (let size = Math.ceil(search.kept.length / 2); size >= 1; size = Math.floor(size / 2))
    while (await search.tryWithout(partsOf(search.kept, size)));
  await search.shorter();
  return search.best;
}

const partsOf = (names: readonly string[], size: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(names.length / size) }, (_, n) => names.slice(n * size, (n + 1) * size));

/** The best run so far, and tries to find a better one. */
class Search {
  best: Shrunk;
  readonly #pool: Pool;
  readonly #rule: string | undefined;

  constructor(pool: Pool, job: Job, result: RunResult) {
    this.#pool = pool;
    this.#rule = result.finding?.rule;
    this.best = { job, result, runs: 0 };
  }

  /** The faults and actions of the best run. */
  get kept(): readonly string[] {
    return this.best.job.only ?? this.best.result.decisions;
  }

  /** Leaves out one of these parts; returns whether the run still fails without it. */
  tryWithout(parts: readonly (readonly string[])[]): Promise<boolean> {
    const { kept, best } = this;
    return this.#try(
      parts.map((part) => {
        const left = new Set(part);
        return { ...best.job, only: kept.filter((name) => !left.has(name)) };
      }),
    );
  }

  /** Shortens the run as far as it goes. */
  async shorter(): Promise<void> {
    const { job, result } = this.best;
    const found = (result.finding?.atMs ?? 0) / HOUR_MS;
    const hours = [found / 8, found / 4, found / 2, (found * 3) / 4, found + 0.001].map(
      (one) => Math.ceil(one * 1_000) / 1_000,
    );
    const jobs = hours.filter((one) => one > 0 && one < job.hours).map((one) => ({ ...job, hours: one }));
    if (await this.#try(jobs)) await this.shorter();
  }

  /** Takes the first of these that breaks the same rule. */
  async #try(jobs: readonly Job[]): Promise<boolean> {
    const { size } = this.#pool;
    for (let from = 0; from < jobs.length && this.best.runs < MOST_RUNS; from += size) {
      const some = jobs.slice(from, from + size);
      const results = await Promise.all(some.map((job) => this.#pool.run(job)));
      const runs = this.best.runs + some.length;
      this.best = { ...this.best, runs };
      const index = results.findIndex(({ finding }) => finding?.rule === this.#rule);
      const [job, result] = [some[index], results[index]];
      if (job === undefined || result === undefined) continue;
      this.best = { job, result, runs };
      return true;
    }
    return false;
  }
}

/** `fault.evict@3#1` is an eviction; `webhook:alerts#17` is a webhook of alerts. */
const kindOf = (name: string): string => name.replace(/(@\d+)?#\d+$/, '');
