import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The budget of the deployed bundle, in bytes of gzip. */
const BUDGET = 277 * 1_024;

const ROOT = dirname(import.meta.dirname);

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const kib = (bytes: number): string => (bytes / 1_024).toFixed(1);

/**
 * Bundles the Worker as a deploy does and prints its size; fails when it is over the budget. Also prints how long it takes to
 * start, which has no budget: it depends on the machine, and on what else is running there.
 */
function main(): void {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-bundle-'));
  try {
    wrangler('deploy', '--dry-run', '--outdir', folder);
    const bundle = readFileSync(join(folder, 'index.js'));
    const zipped = gzipSync(bundle, { level: 9 }).byteLength;
    print(`bundle: ${kib(bundle.byteLength)} KiB, gzipped ${kib(zipped)} KiB (budget ${kib(BUDGET)} KiB)`);
    if (zipped > BUDGET) process.exitCode = 1;
    print(`start-up: ${startUp(join(folder, 'startup.cpuprofile'))} (no budget)`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How long the Worker takes to start here. Wrangler gives up after ten seconds, which a busy machine may need. */
function startUp(outfile: string): string {
  try {
    const profile = wrangler('check', 'startup', '--outfile', outfile);
    return `busy for ${/Active: (\S+ ms)/.exec(profile)?.[1] ?? 'unknown'} on this machine`;
  } catch {
    return 'not measured: this machine is too busy';
  }
}

const wrangler = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(ROOT, 'node_modules/wrangler/bin/wrangler.js'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: 'pipe',
  });

main();
