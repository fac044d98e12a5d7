import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

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

/** `npm run bench:cli`: the median time of commands from start to end. The first run of each, not counted, compiles it. */
function main(): void {
  process.stdout.write('| command | ms, median of 10 | fastest |\n| --- | --- | --- |\n');
  for (const line of LINES) {
    run(line);
    const times = Array.from({ length: RUNS }, () => run(line)).sort((a, b) => a - b);
    const [fastest = 0, median = 0] = [times[0], times[RUNS / 2]];
    const shown = line.map((part) => (part === NODE ? 'node' : part)).join(' ');
    process.stdout.write(`| \`${shown}\` | ${median.toFixed(0)} | ${fastest.toFixed(0)} |\n`);
  }
}

main();
