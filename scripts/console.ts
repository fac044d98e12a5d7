import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { ifStale } from './files.ts';

const ROOT = dirname(import.meta.dirname);

/** The sources of the console, besides its libraries. */
const sources = [
  'console/**/*.{ts,tsx,css,html,json}',
  'shared/**/*.ts',
  'src/{admin/preview,config/{compiled,documents,secrets},gateway,gateway/makers,ingest/form,lib,outbox/state,phone,schema}/*.ts',
  'assets/forms/*.json',
  'package-lock.json',
];

function build(): void {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  execFileSync(
    process.execPath,
    [vite, 'build', '--config', join(ROOT, 'console/vite.config.ts'), '--logLevel', 'warn'],
    { cwd: ROOT, stdio: 'inherit' },
  );
}

await ifStale(ROOT, { made: 'assets/console/index.html', sources }, build);
