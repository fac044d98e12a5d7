import { availableParallelism } from 'node:os';
import { Pool } from '../run/pool.ts';
import { PLANTED } from './planted.ts';

/**
 * `npx node test/simulation/faults/main.ts`: shows that the simulation finds each planted fault, in how many seeds and seconds. An argument chooses those
 * that have it in their names.
 */

const MOST_SEEDS = 150;
const HOURS = 24;

interface Found {
  readonly seeds: number;
  readonly rule: string | null;
  readonly cpuMs: number;
}

/** Runs seeds until one of them finds the fault. */
async function find(pool: Pool, planted: string): Promise<Found> {
  let cpuMs = 0;
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
    const result = await pool.run({ seed, hours: HOURS, isFaulty: true, only: null, planted });
    cpuMs += result.cpuMs;
    if (result.finding !== null) return { seeds: seed, rule: result.finding.rule, cpuMs };
  }
  return { seeds: MOST_SEEDS, rule: null, cpuMs };
}

const wanted = Object.keys(PLANTED).filter((name) => name.includes(process.argv[2] ?? ''));
const pool = new Pool(Math.min(2, availableParallelism()));
process.stdout.write('| planted fault | found by | seeds | seconds |\n| --- | --- | --- | --- |\n');
const rows = await Promise.all(
  wanted.map(async (name) => {
    const found = await find(pool, name);
    const { rule, seeds, cpuMs } = found;
    process.stdout.write(`| ${name} | ${rule ?? 'nothing'} | ${seeds} | ${(cpuMs / 1_000).toFixed(1)} |\n`);
    return found;
  }),
).finally(() => pool.close());

const missed = rows.filter(({ rule }) => rule === null);
process.stdout.write(`${rows.length - missed.length} of ${rows.length} planted faults were found\n`);
process.exitCode = missed.length > 0 ? 1 : 0;
