import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { SOURCES } from '../../scripts/console-sources.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const IMPORT = /^(?:import|export) (?!type )(?:[^;'"]*?\bfrom )?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

/** The files that a file of the project imports by their paths; types are in no bundle. */
const importsOf = (path: string): readonly string[] =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORT)].map(([, plain, lazy]) =>
    posix.join(posix.dirname(path), (plain ?? lazy ?? '').replace(/\?.*/, '')),
  );

/** All that is in the console's bundle, besides its libraries. */
function bundled(entry: string): ReadonlySet<string> {
  const all = new Set([entry]);
  for (const path of all) if (/\.tsx?$/.test(path)) for (const file of importsOf(path)) all.add(file);
  return all;
}

it('an edit of any file in the console’s bundle has it built anew', () => {
  const files = [...bundled('console/main.tsx')];
  for (const one of ['assets/forms/de.json', 'src/lib/graphemes.ts', 'src/gateway/makers/ntfy.ts'])
    expect(files).toContain(one);
  const known = new Set(SOURCES.flatMap((glob) => globSync(glob, { cwd: ROOT })).map(posixPath));
  expect(files.filter((file) => !known.has(file))).toEqual([]);
});

const posixPath = (path: string): string => path.replaceAll('\\', '/');
