import { SourceMap, type SourceMapPayload } from 'node:module';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseOwnJson } from '../src/lib/json.ts';
import { WORKER_FILE } from '../cli/built.ts';
import { writePage } from '../test/bench/page.ts';
import { table } from './docs/page.ts';

/** The budget of the deployed bundle, in bytes of gzip. */
const BUDGET = 278 * 1_024;

const ROOT = dirname(import.meta.dirname);

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const kib = (bytes: number): string => (bytes / 1_024).toFixed(1);

/**
 * Bundles the Worker as a deploy does and prints its size; fails when it is over the budget. Also prints how long it takes to
 * start, which has no budget: it depends on the machine, and on what else is running there. `--list` writes into the docs
 * which library and folder the bundle's bytes are of.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-bundle-'));
  try {
    wrangler('deploy', '--dry-run', '--outdir', folder);
    const bundle = readFileSync(join(folder, 'index.js'));
    const zipped = gzipSync(bundle, { level: 9 }).byteLength;
    print(`bundle: ${kib(bundle.byteLength)} KiB, gzipped ${kib(zipped)} KiB (budget ${kib(BUDGET)} KiB)`);
    if (zipped > BUDGET) process.exitCode = 1;
    if (process.argv.includes('--list')) await writePage({ bundle: partsOf(bundle.toString()) });
    print(`start-up: ${startUp(join(folder, 'startup.cpuprofile'))} (no budget)`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The bytes of each library and folder, by the bundle's source map: as they are, and each by itself compressed. */
function partsOf(bundle: string): string {
  const map = new SourceMap(
    parseOwnJson<SourceMapPayload>(readFileSync(join(ROOT, `${WORKER_FILE}.map`), 'utf8')),
  );
  const parts = new Map<string, string>();
  for (const [row, line] of bundle.split('\n').entries())
    for (let at = 0; at < line.length; at += 1) {
      const entry = map.findEntry(row, at);
      const source = 'originalSource' in entry ? entry.originalSource : '';
      const name = /(?:node_modules\/(?:@[^/]+\/)?|src\/)[^/]+/.exec(source)?.[0] ?? 'the bundler';
      parts.set(name, `${parts.get(name) ?? ''}${line.charAt(at)}`);
    }
  const rows = [...parts].toSorted(([, a], [, b]) => b.length - a.length);
  const sizes = rows.map(([name, text]) => [
    name,
    kib(text.length),
    kib(gzipSync(text, { level: 9 }).byteLength),
  ]);
  return table(['', 'KiB', 'KiB, gzipped'], sizes);
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

await main();
