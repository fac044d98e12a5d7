import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../../scripts/docs/page.ts';
import { buildBundles, type Bundles } from '../e2e/build.ts';
import '../e2e/program.ts';
import { measureIncidents } from './growth-incidents.ts';
import { GROWN, measureRates, RATES, type GrownName } from './growth-rates.ts';
import { fillAll, measureRestarts, measureStored, type FilledRelay } from './growth-stored.ts';
import { Lab, type GrownFigure } from './measure.ts';
import { machineNow, writePage } from './page.ts';
import { number } from './tables.ts';

const SIZES = [1_000, 10_000, 100_000, 1_000_000] as const;
const POWERS = ['10³', '10⁴', '10⁵', '10⁶'] as const;

const PARTS = ['stored', 'incidents', 'accounts', 'payload', 'routes', 'each', 'restart'] as const;
type Part = (typeof PARTS)[number];

/**
 * `npx node test/bench/growth.ts [--only stored,… --rounds 5 --store DIR]`: what changes as there is more of something. The page is
 * written by a whole run only.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: PARTS.join(',') },
      rounds: { type: 'string', default: '5' },
      store: { type: 'string', default: tmpdir() },
    },
  });
  const only = values.only.split(',');
  const unknown = only.filter((name) => !PARTS.some((part) => part === name));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}; there are ${PARTS.join(', ')}`);
  const startedAt = performance.now();
  const machine = machineNow();
  const folder = mkdtempSync(join(values.store, 'hookbell-growth-'));
  const lab = await Lab.open();
  const filled: FilledRelay[] = [];
  try {
    const bundles = buildBundles();
    const context: Context = { lab, bundles, folder, filled, rounds: Number(values.rounds) };
    if (only.includes('stored') || only.includes('restart'))
      await fillAll(bundles, lab.gatewayUrl, folder, SIZES, filled);
    process.stderr.write(`filled: ${Math.round((performance.now() - startedAt) / 1_000)} s\n`);
    const grown: string[] = [];
    if (only.includes('stored')) grown.push(await stored(context));
    if (only.includes('incidents')) grown.push(await incidents(context));
    const rates = PARTS.filter(isRate).filter((part) => only.includes(part));
    if (rates.length > 0) grown.push(await grownRates(context, rates));
    if (only.includes('restart')) grown.push(await restarts(context));
    const method = `${machine}, Node ${process.version}; medians of at most ${values.rounds} interleaved rounds. A ratio is the median of the rounds’ ratios.`;
    const text = [method, ...grown].join('\n\n');
    process.stdout.write(`${text}\n\n${Math.round((performance.now() - startedAt) / 1_000)} s\n`);
    if (PARTS.every((part) => only.includes(part))) await writePage({ growth: text });
  } finally {
    await Promise.all(filled.map(({ relay }) => relay.kill()));
    await lab.close();
    rmSync(folder, { recursive: true });
  }
}

const isRate = (part: Part): part is GrownName => part in GROWN;

interface Context {
  readonly lab: Lab;
  readonly bundles: Bundles;
  readonly folder: string;
  readonly filled: readonly FilledRelay[];
  readonly rounds: number;
}

const rowOf = ({ name, values, ratio }: GrownFigure): readonly string[] => [
  name,
  ...values.map(number),
  number(ratio),
];

async function stored({ lab, filled, rounds }: Context): Promise<string> {
  const rows = (await measureStored(lab, filled, rounds)).map(rowOf);
  const bytes = filled.map((one) => number(one.bytes / one.stored));
  const last = ['bytes on disk a message, with a payload of 0.3 KB', ...bytes, ''];
  const all = table(['', ...POWERS, '10⁶ ÷ 10³'], [...rows, last]);
  return ['### Stored messages', all, STORED_TEXT].join('\n\n');
}

async function incidents({ lab, bundles, folder, rounds }: Context): Promise<string> {
  const figures = await measureIncidents(lab, bundles, folder, rounds);
  const rows = figures.map(rowOf);
  const head = ['accepted', 'none', '3,000 open, 3,000 waiting', 'ratio'];
  return ['### Open incidents', table(head, rows), INCIDENTS_TEXT].join('\n\n');
}

async function grownRates(
  { lab, bundles, folder, rounds }: Context,
  names: readonly GrownName[],
): Promise<string> {
  const tables: string[] = [];
  for (const name of names) {
    const figures = await measureRates(lab, bundles, folder, name, rounds);
    const rows = figures.map(({ step, values }) => [step, ...values.map(number)]);
    const head = [GROWN[name].abscissa, ...RATES];
    tables.push(`${table(head, rows)}\n\n${RATE_TEXTS[name]}`);
    process.stderr.write(`${name}\n`);
  }
  return ['### Rates', RATES_TEXT, ...tables].join('\n\n');
}

async function restarts({ lab, bundles, filled }: Context): Promise<string> {
  const figures = await measureRestarts(bundles, filled, lab);
  const rows = figures.map(({ name, values }) => [name, ...values.map(number)]);
  return ['### Restart', table(['waiting messages', ...POWERS], rows), RESTART_TEXT].join('\n\n');
}

const STORED_TEXT = `The accounts are paused: only accepting is measured, and each round adds 600 messages. Accepting is flat: an event looks up its key, and
is written where the tables end. What differs is the disk: over more rounds with the stores in memory, the median ratio was 0.99 at one
connection and 0.94 at 16. A page of a list begins at its cursor, so lists are flat as well. A filter without an index reads at most 20,000 rows, and
then the page ends with a cursor. If such a filter finds nothing, its time is flat from 10⁵ on. \`?state=dead\` has an index; its time grows
with what it finds, here one message in 10,000, up to the 50 of a page.`;

const INCIDENTS_TEXT = `One object has no open incident and no waiting item. The other has 3,000 open incidents of which receivers were notified, and
3,000 items that wait for a notification, in groups of a hundred. The accounts are paused: only accepting is measured, and each
round adds 600 payments and 600 items of one group to both. An item costs what its own row costs: it finds its incident and its group in memory.`;

const RATES_TEXT = `One process, 16 connections, no pace. All objects of a process share its thread and this machine’s disk, which on the platform they do
not. Compare rates only within a table.`;

const RATE_TEXTS: Readonly<Record<GrownName, string>> = {
  accounts: `Deliveries are nearly flat, accepting is not. The disk causes the fall: each account is a file of its own with its own flushes, so fewer
events share one. With the stores in memory (\`--store /dev/shm\`) 1, 2 and 4 accounts delivered 1,448, 1,404 and 1,427 messages a second.`,
  payload: `Nearly flat up to 16 KiB. At 256 KiB, the bytes take the time: each is hashed, parsed, passed to the object and
written, at about 60 MiB a second.`,
  routes: `Each route that does not match costs about 0.01 ms: its condition, here two comparisons.`,
  each: `Deliveries rise: the messages of an event share its verification, its commit and its dedupe row.`,
};

const RESTART_TEXT = `Flat: an object that starts reads its newest claim and the next 2,000 of what waits, and the rest as it is sent.`;

await main();
