import { compileWorker } from '../platform/bundle.ts';
import { NO_PLANTED_FAULT } from '../platform/seams.ts';
import { createWorld } from '../world/world.ts';
import type { Job } from './child.ts';
import { readOptions, type Options } from './options.ts';
import { Pool } from './pool.ts';
import { runSeed, type RunResult } from './run-seed.ts';
import { KEPT, seedText, UsageError } from './seed-text.ts';
import { shrink } from './shrink.ts';
import { startTally, type Tally } from './tally.ts';
import { timeOf, traceLine } from './trace.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** `npm run simulate`: runs seeds until one fails. Returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args, process.env);
  if (options.seed !== null) return await runOne(options, options.seed);
  const pool = new Pool(options.jobs);
  const tally = startTally(pool, say);
  try {
    const failed = await runAll(pool, options, tally);
    tally.stop();
    say(tally.summary());
    return failed ? 1 : 0;
  } finally {
    tally.stop();
    pool.close();
  }
}

const jobOf = (seed: number, { hours, isFaulty }: Options): Job => ({
  seed,
  hours,
  isFaulty,
  only: null,
  planted: null,
});

async function runAll(pool: Pool, options: Options, tally: Tally): Promise<boolean> {
  const until = options.minutes === null ? Infinity : performance.now() + options.minutes * 60_000;
  const last = options.minutes === null ? options.first + options.seeds - 1 : Infinity;
  const kept = options.isFaulty ? [...KEPT] : [];
  let next = options.first;
  let failure: RunResult | null = null;
  let isFailed = false;
  const work = async (): Promise<void> => {
    while ((kept.length > 0 || next <= last) && performance.now() < until && failure === null) {
      const seed = kept.shift() ?? next;
      if (seed === next) next += 1;
      const result = await pool.run(jobOf(seed, options));
      tally.add(result);
      if (result.finding === null) continue;
      isFailed = true;
      if (options.isGoingOn) say(`seed ${seedText(seed)}: ${result.finding.rule}: ${result.finding.message}`);
      else failure ??= result;
    }
  };
  await Promise.all(Array.from({ length: pool.size }, work));
  if (failure !== null) await explain(pool, options, failure, tally);
  return isFailed;
}

/** Says what was found, and the least of it that shows it. */
async function explain(pool: Pool, options: Options, result: RunResult, tally: Tally): Promise<void> {
  const { finding, seed } = result;
  if (finding === null) return;
  say(
    `\nseed ${seedText(seed)} fails after ${timeOf(finding.atMs)}: ${finding.rule}: ${finding.message}\nlooking for less that shows it …`,
  );
  const { job, result: least, runs } = await shrink(pool, jobOf(seed, options), result);
  tally.stop();
  const only = job.only ?? [];
  say(`after ${runs} runs: ${job.hours} h, ${only.length} faults and actions of the world`);
  await printRun({ ...options, hours: job.hours }, seed, job.only, Infinity);
  say(`\nseed ${seedText(seed)}: ${least.finding?.rule}: ${least.finding?.message}`);
  say(`npm run simulate -- --seed ${seedText(seed)} --hours ${options.hours} --trace`);
}

async function runOne(options: Options, seed: number): Promise<number> {
  const { finding, counts } = await printRun(options, seed, null, options.isTrace ? Infinity : 0);
  say(JSON.stringify(counts));
  if (finding === null) return 0;
  say(`seed ${seedText(seed)} fails after ${timeOf(finding.atMs)}: ${finding.rule}: ${finding.message}`);
  return 1;
}

/** Runs a seed in this process, and prints its trace. */
async function printRun(
  options: Options,
  seed: number,
  only: readonly string[] | null,
  lines: number,
): Promise<RunResult> {
  let startedAt: number | null = null;
  let left = lines;
  return runSeed({
    program: await compileWorker(),
    createWorld,
    seed,
    hours: options.hours,
    isFaulty: options.isFaulty,
    only: only === null ? null : new Set(only),
    seams: () => NO_PLANTED_FAULT,
    onTrace:
      lines === 0
        ? null
        : (entry) => {
            startedAt ??= entry.at;
            left -= 1;
            if (left >= 0) say(traceLine(entry, startedAt));
          },
  });
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (thrown: unknown) => {
    const isUsage = thrown instanceof UsageError;
    process.stderr.write(
      `${isUsage ? thrown.message : thrown instanceof Error ? thrown.stack : String(thrown)}\n`,
    );
    process.exitCode = isUsage ? 2 : 1;
  },
);
