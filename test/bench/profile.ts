import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundles } from '../e2e/build.ts';
import { startRelay } from '../e2e/relay.ts';
import { freePort } from '../e2e/runtime.ts';
import { contestantOf } from './contestants.ts';
import { profile, type CpuProfile } from './inspector.ts';
import { Lab } from './measure.ts';
import { paymentConfig } from './payment.ts';
import { report } from './profile-report.ts';
import { readableBundle } from './readable-bundle.ts';

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
  const [connections, events, top] = [values.connections, values.events, values.top].map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-profile-'));
  const lab = await Lab.open();
  try {
    const bundle = await readableBundle(folder);
    const taken = await profiled(lab, bundle, join(folder, 'store'), connections ?? 0, events ?? 0);
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    writeFileSync(join(ROOT, 'dist/bench.cpuprofile'), JSON.stringify(taken));
    print(taken, bundle, events ?? 0, top ?? 0);
  } finally {
    await lab.close();
    rmSync(folder, { recursive: true });
  }
}

async function profiled(
  lab: Lab,
  bundle: string,
  storeDir: string,
  connections: number,
  events: number,
): Promise<CpuProfile> {
  const inspectorPort = await freePort();
  const args = [`--inspector-addr=127.0.0.1:${inspectorPort}`];
  const bundles = { ...buildBundles(), relay: bundle };
  const relay = await startRelay(bundles, lab.gatewayUrl, storeDir, false, {
    args,
    vars: { CALLS_PER_RUN: '10000' },
  });
  try {
    await relay.publish(paymentConfig());
    const contestant = contestantOf(relay);
    await lab.measure(contestant, { count: WARM_UP, connections });
    const stop = await profile(inspectorPort, 'relay');
    const { acceptedPerSecond, deliveredPerSecond, cpuMs } = await lab.measure(contestant, {
      count: events,
      connections,
    });
    const taken = await stop();
    process.stdout.write(
      `${events} events over ${connections} connections, profiled: accepted ${acceptedPerSecond.toFixed(0)}/s, ` +
        `delivered ${deliveredPerSecond?.toFixed(0)}/s, ${cpuMs?.toFixed(2)} ms of CPU an event in all threads\n`,
    );
    return taken;
  } finally {
    await relay.kill();
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

// An exit ends the runtime as well; a signal alone would leave it behind.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
await main();
