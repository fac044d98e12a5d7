import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedFiles, gitLines } from './changed-files.ts';
import { nearestTests, noTestNote } from './nearest-tests.ts';
import { prepare } from './prepare.ts';

const ROOT = join(import.meta.dirname, '..');
/** These have their own commands, and need more than Vitest. */
const APART = /^test\/(?:e2e|cost|package|journey|browser|sdks)\//;

/**
 * `npm test`: all tests, after what they need is built. `npm test -- --changed [REVISION]`: the tests nearest to what has
 * changed since a revision (absent: since the last commit). They are some of those that a change can break: CI runs all.
 */
async function main(args: readonly string[]): Promise<number> {
  const at = args.indexOf('--changed');
  if (at < 0) return (await prepare()) || vitest(args);
  const [revision = 'HEAD', ...rest] =
    args[at + 1]?.startsWith('-') === false ? args.slice(at + 1) : ['HEAD'];
  const changed = changedFiles(ROOT, revision);
  const nearest = nearestTests(changed, sources());
  const tests = nearest.filter((path) => !APART.test(path));
  process.stdout.write(
    `${tests.length} files of tests are nearest to ${changed.length} changed files. \`npm test\` runs all.\n`,
  );
  if (changed.some((path) => path.startsWith('console/')))
    process.stdout.write('`npm run test:browser` looks at the pages of the console.\n');
  if (tests.length > 0) return vitest([...args.slice(0, at), ...rest, ...tests]);
  process.stderr.write(noTestNote(changed, nearest));
  return 0;
}

function sources(): ReadonlyMap<string, string> {
  const paths = gitLines(ROOT, 'ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx');
  return new Map(
    paths
      .filter((path) => existsSync(join(ROOT, path)))
      .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
  );
}

const vitest = (args: readonly string[]): number =>
  run(['--import', './test/runtime/plain-sockets.ts', 'node_modules/vitest/vitest.mjs', 'run', ...args]);

const run = (args: readonly string[]): number =>
  spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;

process.exitCode = await main(process.argv.slice(2));
