import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const ROOT = dirname(dirname(import.meta.dirname));

/** What is deployed, but with its names and its lines. */
export function readableBundle(folder: string): string {
  const wrangler = join(
    dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
    'bin/wrangler.js',
  );
  const args = [wrangler, 'deploy', 'src/index.ts', '--no-minify', '--dry-run', '--outdir', folder];
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'pipe' });
  return readFileSync(join(folder, 'index.js'), 'utf8');
}
