import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '..');
const packageFile = z.object({ scripts: z.record(z.string(), z.string()) });

/** Every generated page and file has a script `docs:…`, which writes it, or with `--check` compares it. */
export const docsScripts = (file: unknown): readonly string[] =>
  Object.keys(packageFile.parse(file).scripts).filter((name) => name.startsWith('docs:'));

/** `npm run docs`: writes all generated docs. With `--check` nothing is written, and it fails when one is stale. */
function main(args: readonly string[]): void {
  const scripts = docsScripts(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  // Runs all of them, so that one run names everything that is stale.
  const failed = scripts.filter((name) => !isDone(name, args));
  if (failed.length === 0) return;
  process.stderr.write(`failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}

function isDone(name: string, args: readonly string[]): boolean {
  const npm = process.env['npm_execpath'];
  const [command, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm];
  const { status, error } = spawnSync(command, [...first, 'run', '--silent', name, '--', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (error !== undefined) throw error;
  return status === 0;
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
