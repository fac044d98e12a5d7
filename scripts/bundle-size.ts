import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The budget of the deployed bundle, in bytes of gzip. */
const BUDGET = 200 * 1_024;

const ROOT = dirname(import.meta.dirname);

const kib = (bytes: number): string => (bytes / 1_024).toFixed(1);

/** Bundles the Worker as a deploy does and prints its size; fails when it is over the budget. */
function main(): void {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-bundle-'));
  try {
    const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
    execFileSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', folder], {
      cwd: ROOT,
      stdio: 'pipe',
    });
    const bundle = readFileSync(join(folder, 'worker.js'));
    const zipped = gzipSync(bundle, { level: 9 }).byteLength;
    process.stdout.write(
      `bundle: ${kib(bundle.byteLength)} KiB, gzipped ${kib(zipped)} KiB (budget ${kib(BUDGET)} KiB)\n`,
    );
    if (zipped > BUDGET) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main();
