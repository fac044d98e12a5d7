import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleWorker } from '../../scripts/bundle-worker.ts';
import { buildBundles } from '../e2e/build.ts';
import '../e2e/program.ts';
import { freePort } from '../e2e/runtime.ts';
import { contestantOf, startPaid } from './contestants.ts';
import { profile, type CpuProfile, type ProfileNode } from './inspector.ts';
import { Lab } from './measure.ts';
import { paymentConfig } from './payment.ts';

const ROOT = join(import.meta.dirname, '../..');
const WARM_UP = 1_500;

/**
 * `npx node test/bench/profile.ts`: where the CPU time of the Worker and its objects goes under load, by function.
 * The profile itself is left in `dist/bench.cpuprofile`, for a browser's developer tools. The runtime's work outside of
 * JavaScript, such as SQLite, counts for the function that called it; its own threads and HTTP are not in it.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '16' },
      events: { type: 'string', default: '4000' },
      top: { type: 'string', default: '40' },
    },
  });
  const [connections = 0, events = 0, top = 0] = [values.connections, values.events, values.top].map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-profile-'));
  const lab = await Lab.open();
  try {
    // As it is deployed, but with its names and its lines.
    await bundleWorker('src/index.ts', folder, { minify: false });
    const bundle = readFileSync(join(folder, 'index.js'), 'utf8');
    const inspectorPort = await freePort();
    const bundles = { ...buildBundles(), relay: bundle };
    const relay = await startPaid(bundles, lab.gatewayUrl, join(folder, 'store'), paymentConfig(), {
      args: [`--inspector-addr=127.0.0.1:${inspectorPort}`],
    });
    try {
      const contestant = contestantOf(relay);
      await lab.measure(contestant, { count: WARM_UP, connections });
      const stop = await profile(inspectorPort, 'relay');
      const measured = await lab.measure(contestant, { count: events, connections });
      const taken = await stop();
      process.stdout.write(
        `${events} events over ${connections} connections, profiled: accepted ${measured.acceptedPerSecond.toFixed(0)}/s, ` +
          `delivered ${measured.deliveredPerSecond?.toFixed(0)}/s, ${measured.cpuMs?.toFixed(2)} ms of CPU an event in all threads\n`,
      );
      mkdirSync(join(ROOT, 'dist'), { recursive: true });
      writeFileSync(join(ROOT, 'dist/bench.cpuprofile'), JSON.stringify(taken));
      print(taken, bundle, events, top);
    } finally {
      await relay.kill();
    }
  } finally {
    await lab.close();
    rmSync(folder, { recursive: true });
  }
}

function print(taken: CpuProfile, bundle: string, events: number, top: number): void {
  const { busyMs, functions } = report(taken, bundle);
  process.stdout.write(
    `JavaScript thread busy for ${busyMs.toFixed(0)} ms, ${((busyMs * 1_000) / events).toFixed(0)} µs an event ` +
      '(of the clock: what else the machine ran meanwhile is in it, so read the shares)\n',
  );
  const list = (title: string, key: 'selfUs' | 'totalUs'): void => {
    process.stdout.write(`\n${title}\n   self  µs/event     total  µs/event\n`);
    for (const row of functions.toSorted((a, b) => b[key] - a[key]).slice(0, top)) {
      const cells = [row.selfUs, row.totalUs].map(
        (us) =>
          `${((us / busyMs / 1_000) * 100).toFixed(1).padStart(6)}%${(us / events).toFixed(1).padStart(10)}`,
      );
      process.stdout.write(`${cells.join('   ')}   ${row.name}\n`);
    }
  };
  list('by function, self', 'selfUs');
  list('by function, with all that it calls', 'totalUs');
  process.stdout.write('\nthe whole profile: dist/bench.cpuprofile\n');
}

interface Row {
  readonly name: string;
  selfUs: number;
  totalUs: number;
}

/** Sums the samples up. `bundle`: the text of the profiled module, whose comments say which file each line is of. */
function report({ nodes, samples, timeDeltas }: CpuProfile, bundle: string) {
  const files = filesOfLines(bundle);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  /** From the innermost outwards. */
  const stackOf = (id: number | undefined): readonly ProfileNode[] => {
    const node = id === undefined ? undefined : byId.get(id);
    return node === undefined ? [] : [node, ...stackOf(parents.get(node.id))];
  };
  const stacks = new Map(nodes.map(({ id }) => [id, namesOf(stackOf(id), files)]));
  const functions = new Map<string, Row>();
  let busyUs = 0;
  for (const [index, id] of samples.entries()) {
    const names = stacks.get(id) ?? [];
    if (names[0] === '(idle)') continue;
    // A sample lasts until the next.
    const us = timeDeltas[index + 1] ?? 0;
    busyUs += us;
    // The first has the time itself; each other once, however often it is in the stack.
    for (const [depth, name] of [...new Set(names)].entries()) {
      const row = functions.get(name) ?? { name, selfUs: 0, totalUs: 0 };
      functions.set(name, row);
      row.totalUs += us;
      if (depth === 0) row.selfUs += us;
    }
  }
  return { busyMs: busyUs / 1_000, functions: [...functions.values()] };
}

/** The source file of each line of a bundle: a region names the file of each module. */
function filesOfLines(bundle: string): readonly string[] {
  let file = '';
  return bundle.split('\n').map((line) => {
    file = /^\/\/#region ((?:src|node_modules|test)\/\S+)$/.exec(line)?.[1] ?? file;
    return file;
  });
}

/** Shows the runtime's work for a function, such as a statement of SQL, with the name of its caller. */
function namesOf(stack: readonly ProfileNode[], files: readonly string[]): readonly string[] {
  const names = stack.map(({ callFrame: { functionName, lineNumber, url } }) => {
    const isOurs = url !== '' && !/^(?:node|cloudflare)(?:-internal)?:/.test(url);
    const file = isOurs ? (files[lineNumber] ?? url) : url;
    const shown = functionName === '' ? `(anonymous, line ${lineNumber + 1})` : functionName;
    return file === '' ? shown : `${shown} · ${file.replace(/^node_modules\//, '')}`;
  });
  const isNative = stack[0]?.callFrame.url === '' && names[0]?.startsWith('(') === false;
  return isNative ? [`${names[0]} ← ${names[1]}`, ...names] : names;
}

await main();
