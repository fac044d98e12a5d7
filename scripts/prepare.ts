import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** They write files of their own, and read none of each other's. All read those of `facts.ts`. */
const SCRIPTS = ['schemas.ts', 'cli-bundle.ts', 'console.ts', 'worker.ts'];

/**
 * Builds the files that a relay, the command line and the tests read and that are not in the repository. The scripts run
 * in parallel and leave alone what is up to date. Returns the exit code: 0, or that of one which failed.
 */
export async function prepare(): Promise<number> {
  const codes = [await run('facts.ts'), ...(await Promise.all(SCRIPTS.map(run)))];
  return codes.find((code) => code !== 0) ?? 0;
}

const run = (name: string): Promise<number> =>
  new Promise((done, fail) =>
    spawn(process.execPath, [join(ROOT, 'scripts', name)], { cwd: ROOT, stdio: 'inherit' })
      .once('error', fail)
      .once('close', (code) => done(code ?? 1)),
  );

if (import.meta.main) process.exitCode = await prepare();
