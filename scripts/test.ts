import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare } from './prepare.ts';

const ROOT = join(import.meta.dirname, '..');

/**
 * `npm test`: builds what tests read, and runs projects of `vitest.config.ts`: `npm test` those of rules and of a webhook's
 * trip, another command those that it names. The rest of the arguments is Vitest's own, such as `--changed main` or a path.
 */
async function main(args: readonly string[]): Promise<number> {
  const named = args.some((arg) => arg.startsWith('--project'));
  const projects = named ? [] : ['--project=rules', '--project=trip'];
  const failed = await prepare();
  if (failed !== 0) return failed;
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...args];
  return spawnSync(process.execPath, vitest, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

process.exitCode = await main(process.argv.slice(2));
