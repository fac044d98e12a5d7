import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from './files.ts';

const FOLDER = join(import.meta.dirname, '..', 'test', 'sdks');
const LOCKFILE = join(FOLDER, 'package-lock.json');
const INSTALLED = join(FOLDER, 'node_modules', 'installed.json');

/**
 * Installs providers' own packages, which only tests need and which are a hundred megabytes, unless they
 * are there already. With `--if-possible` it does not fail if it cannot install them: the tests then leave out `test/sdks`.
 */
function main(args: readonly string[]): void {
  const wanted = textOf(LOCKFILE);
  if (textOf(INSTALLED) === wanted) return;
  const npm = process.env['npm_execpath'];
  const [command, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm];
  const options = [
    'ci',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
  ];
  const { status } = spawnSync(command, [...first, ...options], { cwd: FOLDER, stdio: 'pipe' });
  if (status === 0) {
    writeFileSync(INSTALLED, wanted ?? '');
    return;
  }
  process.stderr.write(
    "The packages of test/sdks could not be installed. Providers' own checks of signatures are left out of the tests; `cd test/sdks && npm ci` shows why.\n",
  );
  if (!args.includes('--if-possible')) process.exitCode = 1;
}

main(process.argv.slice(2));
