import { posix } from 'node:path';

/** Texts of the project's files by their paths, with `/` in between. */
export type Sources = ReadonlyMap<string, string>;

const IMPORT = /(?:\bfrom |\bimport |\bimport\()\s*'(\.[^']+)'/g;
const TEST = /\.test\.ts$/;

/**
 * The tests that are nearest to each changed file: the file's own, and those that import it, or that import a file which
 * does, and so on up to the first such tests. Sorted.
 */
export function nearestTests(changed: readonly string[], sources: Sources): readonly string[] {
  const importers = importersIn(sources);
  const tests = changed.flatMap((path) => [...ownTest(path, sources), ...nearest(path, importers)]);
  return [...new Set(tests)].toSorted();
}

/** The test that mirrors a file: `test/lib/id.test.ts` of `src/lib/id.ts`. */
function ownTest(path: string, sources: Sources): readonly string[] {
  const own = `test/${path.replace(/^src\//, '')}`.replace(/\.tsx?$/, '.test.ts');
  return sources.has(own) ? [own] : [];
}

function nearest(path: string, importers: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const seen = new Set([path]);
  for (let ring: readonly string[] = [path]; ring.length > 0;) {
    const tests = ring.filter((file) => TEST.test(file));
    if (tests.length > 0) return tests;
    ring = [...new Set(ring.flatMap((file) => importers.get(file) ?? []))].filter((file) => !seen.has(file));
    for (const file of ring) seen.add(file);
  }
  return [];
}

function importersIn(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [path, text] of sources)
    for (const [, imported = ''] of text.matchAll(IMPORT)) {
      const file = posix.join(posix.dirname(path), imported);
      importers.set(file, [...(importers.get(file) ?? []), path]);
    }
  return importers;
}
