/// <reference types="node" />
// Plain JavaScript that every Node from 20 on runs: it comes before all scripts in TypeScript. Gives the npm scripts of the
// current folder the Node that npm installed for this system, as `node_modules/.bin/node`. npm itself would link and unlink it:
// npm 10 removes what has the same name in a build for another system, after it linked the right one (scripts/lockfile.ts).
import { existsSync, linkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const { arch, platform } = process;
const isWindows = platform === 'win32';
const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
const build = `${prefix}-${isWindows ? 'win' : platform}-${arch}`;
const program = isWindows ? 'node.exe' : 'node';
const modules = join(process.cwd(), 'node_modules');

if (existsSync(join(modules, build))) {
  const link = join(modules, '.bin', program);
  rmSync(link, { force: true });
  // Windows lets only administrators make symbolic links.
  if (isWindows) linkSync(join(modules, build, 'bin', program), link);
  else symlinkSync(join('..', build, 'bin', program), link);
} else if (!process.features.typescript) {
  process.stderr.write(
    `Node ${process.versions.node} is too old for Wrangler and for TypeScript, and npm did not install a newer one (${build}). npm leaves it out silently when there is none, when the download fails, or when it is not what package-lock.json says. Run \`npm ci\` again, or use Node 22.18 or newer.\n`,
  );
  process.exitCode = 1;
}
