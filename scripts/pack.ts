import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ROOT } from '../cli/built.ts';

const FOLDER = join(ROOT, 'dist', 'pack');
const CREATE = 'packages/create-hookbell';

const packageSchema = z.object({ version: z.string() });

export interface Tarballs {
  readonly hookbell: string;
  readonly create: string;
}

export function pack(): Tarballs {
  mkdirSync(FOLDER, { recursive: true });
  npm('pack', '--pack-destination', FOLDER);
  npm('pack', `./${CREATE}`, '--pack-destination', FOLDER);
  return {
    hookbell: join(FOLDER, `hookbell-${versionIn('.')}.tgz`),
    create: join(FOLDER, `create-hookbell-${versionIn(CREATE)}.tgz`),
  };
}

const versionIn = (folder: string): string =>
  packageSchema.parse(JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))).version;

/** Runs npm. Its reports, and those of the build, are shown only if it fails. */
function npm(...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

if (process.argv[1] === import.meta.filename)
  for (const file of Object.values(pack())) process.stdout.write(`${file}\n`);
