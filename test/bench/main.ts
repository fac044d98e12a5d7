import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import '../e2e/program.ts';
import { CONTESTANTS, startAll, type Contestant, type ContestantName } from './contestants.ts';
import { Lab, peakMib } from './measure.ts';
import { costs } from './price.ts';
import { machineNow, writePage } from './page.ts';
import { budgetTable, loadTable, otherTable, restTable, Results } from './tables.ts';

/** One run ends after this, however few events there were: a slow disk must not make the bench take an hour. */
const WITHIN_MS = 3_000;
/** Not measured: code is still interpreted by then. */
const WARM_UP = { count: 800, connections: 16, withinMs: WITHIN_MS };
/** One at a time; long enough apart that nothing of the one before is still going on. */
const ALONE = { count: 60, connections: 1, withinMs: WITHIN_MS, aloneMs: 10 };
const CONNECTIONS = [1, 16, 64] as const;
/** No further round begins that would end after this: the whole bench takes less than eight minutes, counting included. */
const ROUNDS_WITHIN_MS = 360_000;

interface Options {
  readonly names: readonly ContestantName[];
  readonly connections: readonly number[];
  readonly rounds: number;
  /** At most N events a run; at one connection a fifth of them. */
  readonly events: number;
  readonly other: string | null;
  /** The folder in which the objects are kept. */
  readonly store: string;
  /** Only then is the page written. */
  readonly isWhole: boolean;
}

/**
 * `npm run bench`: the relay beside what does less, on the same workerd, in turns. Fails when a budget is missed.
 * `--bundle FILE` measures another production bundle of the relay as well; `--store /dev/shm` leaves out what the disk takes.
 */
async function main(): Promise<void> {
  const options = readOptions();
  const startedAt = performance.now();
  const machine = machineNow();
  const folder = mkdtempSync(join(options.store, 'hookbell-bench-'));
  const lab = await Lab.open();
  const running: Contestant[] = [];
  try {
    const stage = { gatewayUrl: lab.gatewayUrl, folder, other: options.other };
    await startAll(options.names, stage, running);
    const results = await play(lab, running, options);
    const memory = new Map(running.map(({ name, pid }) => [name, peakMib(pid)] as const));
    const { text, missed } = show(results, options, memory, machine);
    process.stdout.write(`${text}\n\n`);
    const cost = options.isWhole ? await costs() : null;
    if (cost !== null) process.stdout.write(`${cost.operations}\n\n${cost.price}\n\n`);
    const took = `${Math.round((performance.now() - startedAt) / 1_000)} s`;
    const allMissed = missed + (cost?.missed ?? 0);
    process.stdout.write(`${took}, ${allMissed} budgets missed\n`);
    if (allMissed > 0) process.exitCode = 1;
    if (cost !== null) {
      const { operations, price, deployment, bill } = cost;
      await writePage({ bench: text, operations, price, deployment });
      await writePage({ bill }, 'limits.md');
    }
  } finally {
    await Promise.all(running.map((one) => one.kill()));
    await lab.close();
    rmSync(folder, { recursive: true });
  }
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      connections: { type: 'string' },
      rounds: { type: 'string', default: '7' },
      events: { type: 'string', default: '1500' },
      bundle: { type: 'string' },
      store: { type: 'string', default: tmpdir() },
    },
  });
  const only = values.only?.split(',');
  const other = values.bundle ?? null;
  const wanted = CONTESTANTS.filter((name) =>
    name === 'hookbell (other)' ? other !== null : (only?.includes(name) ?? true),
  );
  const unknown = only?.filter((name) => !CONTESTANTS.some((known) => known === name)) ?? [];
  if (unknown.length > 0)
    throw new Error(`unknown: ${unknown.join(', ')}; there are ${CONTESTANTS.join(', ')}`);
  return {
    names: wanted,
    connections: values.connections?.split(',').map(Number) ?? CONNECTIONS,
    rounds: Number(values.rounds),
    events: Number(values.events),
    other,
    store: values.store,
    isWhole: process.argv.length === 2,
  };
}

/** In turns, and every second round the other way round, so that whatever else the machine does meets all of them. */
async function play(lab: Lab, running: readonly Contestant[], options: Options): Promise<Results> {
  const results = new Results();
  for (const contestant of running) await lab.measure(contestant, WARM_UP);
  const startedAt = performance.now();
  for (let round = 1; round <= options.rounds; round += 1) {
    const turns = round % 2 === 1 ? running : running.toReversed();
    for (const connections of options.connections) {
      const count = connections === 1 ? Math.ceil(options.events / 5) : options.events;
      for (const contestant of turns) {
        const measured = await lab.measure(contestant, { count, connections, withinMs: WITHIN_MS });
        results.add(contestant.name, connections, measured);
      }
    }
    for (const contestant of turns.filter(({ delivers }) => delivers))
      results.add(contestant.name, 'alone', await lab.measure(contestant, ALONE));
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
    const tookMs = performance.now() - startedAt;
    if (tookMs + tookMs / round > ROUNDS_WITHIN_MS) break;
  }
  return results;
}

function show(
  results: Results,
  { names, connections, store }: Options,
  memory: ReadonlyMap<ContestantName, number | null>,
  machine: string,
): { readonly text: string; readonly missed: number } {
  const relays = names.filter((name) => name === 'hookbell' || name === 'hookbell (other)');
  const { text, missed } = budgetTable(results, relays);
  const parts = [
    `Median of ${results.rounds} interleaved rounds (least–most), ${machine}, Node ${process.version}${store === tmpdir() ? '' : `, stores in ${store}`}.`,
    ...connections.map(
      (one) => `${one} connection${one === 1 ? '' : 's'}:\n\n${loadTable(results, names, one)}`,
    ),
    `One event at a time, each delivered before the next:\n\n${restTable(results, names, memory)}`,
    ...(relays.length > 1 ? [otherTable(results, [...connections, 'alone'])] : []),
    ...(relays.length > 0 ? [`Required figures:\n\n${text}`] : []),
  ];
  return { text: parts.join('\n\n'), missed };
}

await main();
