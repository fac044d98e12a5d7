import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { SOURCES } from './console-sources.ts';
import { ifStale } from './if-stale.ts';

const ROOT = dirname(import.meta.dirname);

function build(): void {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  execFileSync(
    process.execPath,
    [vite, 'build', '--config', join(ROOT, 'console/vite.config.ts'), '--logLevel', 'warn'],
    { cwd: ROOT, stdio: 'inherit' },
  );
}

await ifStale(ROOT, { made: 'assets/console/index.html', sources: SOURCES }, build);
