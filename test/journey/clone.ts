import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A clone of this repository in a home of its own. */
export interface Clone {
  readonly home: string;
  readonly folder: string;
  remove(): void;
}

/**
 * Clones the repository as it is committed, with the files that are changed or new here; `npm ci` is spared it. Nothing
 * that is ignored comes along: no `.dev.vars`, no store of another relay.
 */
export function freshClone(): Clone {
  const home = mkdtempSync(join(tmpdir(), 'hookbell-journey-'));
  const folder = join(home, 'hookbell');
  git('clone', '--quiet', ROOT, folder);
  const changed = git('-C', ROOT, 'ls-files', '-z', '--modified', '--others', '--exclude-standard').split(
    '\0',
  );
  for (const file of changed) {
    if (file === '') continue;
    const [from, to] = [join(ROOT, file), join(folder, file)];
    mkdirSync(dirname(to), { recursive: true });
    if (existsSync(from)) cpSync(from, to);
    else rmSync(to, { force: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return { home, folder, remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }) };
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
