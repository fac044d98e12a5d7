import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleWorker } from '../../scripts/bundle-worker.ts';
import { buildBundles } from '../e2e/build.ts';
import '../e2e/program.ts';
import { freePort } from '../e2e/runtime.ts';
import { contestantOf, startPaid } from './contestants.ts';
import { profile, type CpuProfile } from './inspector.ts';
import { Lab } from './measure.ts';
import { paymentConfig } from './payment.ts';
import { report } from './profile-report.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const WARM_UP = 1_500;

/**
 * `npm run bench:profile`: where the CPU time of the Worker and its objects goes under load, by function.
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
    await bundleWorker('src/index.ts', folder, false);
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
  const list = (title: string, rows: typeof functions, key: 'selfUs' | 'totalUs'): void => {
    process.stdout.write(`\n${title}\n   self  µs/event     total  µs/event\n`);
    for (const row of rows.toSorted((a, b) => b[key] - a[key]).slice(0, top)) {
      const cells = [row.selfUs, row.totalUs].map(
        (us) =>
          `${((us / busyMs / 1_000) * 100).toFixed(1).padStart(6)}%${(us / events).toFixed(1).padStart(10)}`,
      );
      process.stdout.write(`${cells.join('   ')}   ${row.name}\n`);
    }
  };
  list('by function, self', functions, 'selfUs');
  list('by function, with all that it calls', functions, 'totalUs');
  process.stdout.write('\nthe whole profile: dist/bench.cpuprofile\n');
}

await main();
