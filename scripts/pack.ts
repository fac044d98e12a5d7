import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ROOT } from '../cli/built.ts';

const FOLDER = join(ROOT, 'dist', 'pack');
const CREATE = 'packages/create-hookbell';

const packageSchema = z.object({ version: z.string() });

/** The packages that are published, as files. */
export interface Tarballs {
  readonly hookbell: string;
  readonly create: string;
}

/** Builds and packs both packages, into `dist/pack`. */
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

/** npm reports on stdout, which belongs to who calls this. */
const npm = (...args: readonly string[]): void =>
  void execFileSync('npm', ['--silent', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });

if (process.argv[1] === import.meta.filename)
  for (const file of Object.values(pack())) process.stdout.write(`${file}\n`);
