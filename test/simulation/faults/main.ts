import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { table } from '../../../scripts/docs/page.ts';
import { writePage } from '../../bench/page.ts';
import { Pool } from '../run/pool.ts';
import { seedText } from '../run/seed-text.ts';
import { BACKLOG_EVERY } from '../world/plan.ts';
import { BEHIND_A_BACKLOG, PLANTED } from './planted.ts';

/**
 * `npx node test/simulation/faults/main.ts`: shows that the simulation finds each planted fault, and writes the seed that does into the
 * table of `docs/guarantees/simulation.md`. An argument chooses those that have it in their names; `new`: those that have no seed there.
 */

const MOST_SEEDS = 150;
const HOURS = 24;
const HOUR_MS = 3_600_000;
const PAGE = 'guarantees/simulation.md';

type Row = readonly [name: string, rule: string, seed: string, hours: string];

const page = readFileSync(join(import.meta.dirname, '../../../docs', PAGE), 'utf8');
const rows = new Map<string, Row>(
  Object.keys(PLANTED).map((name) => {
    const [, rule = '', seed = '', hours = ''] =
      page
        .split('\n')
        .map((line) => line.split('|').map((cell) => cell.trim()))
        .find((cells) => cells[1] === name)
        ?.slice(1) ?? [];
    return [name, [name, rule, seed, hours]];
  }),
);

/** Runs seeds until one of them finds the fault. */
async function find(pool: Pool, planted: string): Promise<Row> {
  const isRare = planted === BEHIND_A_BACKLOG;
  let strikes = 0;
  for (let run = 1; run <= (isRare ? 1 : MOST_SEEDS); run += 1) {
    const seed = isRare ? BACKLOG_EVERY : run;
    const { finding, struck } = await pool.run({ seed, hours: HOURS, isFaulty: true, only: null, planted });
    strikes += struck;
    if (finding !== null) return [planted, finding.rule, seedText(seed), (finding.atMs / HOUR_MS).toFixed(1)];
  }
  // What it is put in the way of has another shape by now.
  if (strikes === 0) throw new Error(`the planted fault “${planted}” never struck`);
  return [planted, '**nothing**', '', ''];
}

const [asked = ''] = process.argv.slice(2);
const wanted = [...rows.values()].filter(([name, , seed]) =>
  asked === 'new' ? seed === '' : name.includes(asked),
);
const pool = new Pool(Math.min(2, availableParallelism()));
let writing = Promise.resolve();
await Promise.all(
  wanted.map(async ([name]) => {
    const row = await find(pool, name);
    rows.set(name, row);
    process.stdout.write(`${row.join(' | ')}\n`);
    const found = table(['planted fault', 'found by', 'seed', 'after hours'], [...rows.values()]);
    writing = writing.then(() => writePage({ planted: found }, PAGE));
  }),
).finally(() => pool.close());
await writing;
process.exitCode = wanted.some(([name]) => rows.get(name)?.[2] === '') ? 1 : 0;
