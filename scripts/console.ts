import { execFileSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SOURCES } from './console-sources.ts';

const ROOT = dirname(import.meta.dirname);
const BUILT = join(ROOT, 'assets/console/index.html');

/** Builds the console into the static assets, unless the last build is newer than all of its sources. */
function main(): void {
  if (existsSync(BUILT)) {
    const built = statSync(BUILT).mtimeMs;
    const newest = Math.max(
      ...SOURCES.flatMap((glob) => globSync(glob, { cwd: ROOT })).map(
        (file) => statSync(join(ROOT, file)).mtimeMs,
      ),
    );
    if (newest < built) return;
  }
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  execFileSync(
    process.execPath,
    [vite, 'build', '--config', join(ROOT, 'console/vite.config.ts'), '--logLevel', 'warn'],
    { cwd: ROOT, stdio: 'inherit' },
  );
}

main();
