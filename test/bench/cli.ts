import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { table } from '../../scripts/page-section.ts';
import { median } from './measure.ts';
import { machineNow, writePage } from './page.ts';

const ROOT = join(import.meta.dirname, '../..');
const RUNS = 10;

/** Nobody listens there: what a command takes besides its relay. */
const NOWHERE = { HOOKBELL_URL: 'http://localhost:9', HOOKBELL_TOKEN: 'none' };

/** The Node that npm was called with: the scripts themselves run with the pinned one. */
const NODE = process.env['npm_node_execpath'] ?? process.execPath;
const BIN = 'bin/hookbell.mjs';

const LINES: readonly (readonly string[])[] = [
  [NODE, '-e', '0'],
  [NODE, BIN, '--version'],
  [NODE, BIN, '--help'],
  [NODE, BIN, 'check', 'demo'],
  [NODE, BIN, 'events'],
  [NODE, BIN, 'push', 'demo', '--yes'],
  ['npx', 'hookbell', '--version'],
];

/** The time that a run takes, ms. */
function run([command = '', ...args]: readonly string[]): number {
  const from = performance.now();
  spawnSync(command, args, { cwd: ROOT, env: { ...process.env, ...NOWHERE }, stdio: 'ignore' });
  return performance.now() - from;
}

/**
 * `npm run bench:cli`: the median time of commands from start to end, in its section of docs/performance/figures.md. The
 * first run of each, not counted, compiles it.
 */
async function main(): Promise<void> {
  const machine = machineNow();
  const rows = LINES.map((line) => {
    run(line);
    const times = Array.from({ length: RUNS }, () => run(line));
    const shown = line.map((part) => (part === NODE ? 'node' : part)).join(' ');
    return [
      `\`${shown}\``,
      ...[median(times), Math.min(...times)].map((ms) => Math.round(ms).toLocaleString('en-US')),
    ];
  });
  const node = spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout.trim();
  const text = `Median of ${RUNS} runs, ${machine}, Node ${node}.\n\n${table(['command', 'ms', 'fastest'], rows)}`;
  process.stdout.write(`${text}\n`);
  await writePage({ cli: text });
}

await main();
