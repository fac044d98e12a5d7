import { posix } from 'node:path';

/** Texts of the project's files by their paths, with `/` in between. */
export type Sources = ReadonlyMap<string, string>;

const IMPORT = /(?:\bfrom |\bimport |\bimport\()\s*'(\.[^']+)'/g;
const TEST = /\.test\.ts$/;

const WORDS = 'test/scripts/words.test.ts';

/**
 * The code that reads files by their paths, which no import shows, by the beginnings of these paths: files, or folders
 * of tests. The tests nearest to that code are the tests nearest to such a file.
 */
export const READERS: readonly (readonly [prefix: string, readers: readonly string[]])[] = [
  ['assets/', [WORDS]],
  ['assets/admin/', ['openapi/files.ts']],
  [
    'assets/providers/',
    [
      'test/conformance/',
      'test/conformance/starters.ts',
      'cli/init/starters.ts',
      'test/console/sources/draft.test.ts',
      'test/console/sources/route-sentence.test.ts',
      'test/recipes/',
    ],
  ],
  ['assets/texts/', ['test/conformance/', 'test/conformance/starters.ts', 'cli/init/starters.ts']],
  ['assets/set-up/', ['test/conformance/set-up-texts.test.ts']],
  ['assets/recipes/', ['cli/recipes/recipe.ts', 'test/recipes/', 'test/schemas/schemas.test.ts']],
  [
    'demo/',
    [WORDS, 'cli/dev/demo-config.ts', 'test/cli/commands/check.test.ts', 'test/schemas/schemas.test.ts'],
  ],
  ['simulator/page/', [WORDS, 'simulator/page.ts']],
  ['docs/', [WORDS, 'test/scripts/owner.test.ts', 'test/docs/']],
  ['docs/alerts', ['test/scripts/timelines/draw.test.ts']],
  ['docs/architecture.md', ['test/scripts/architecture.test.ts']],
  ['docs/cli.md', ['test/cli/docs.test.ts']],
  ['docs/configuration.md', ['test/scripts/config-docs.test.ts']],
  ['docs/decisions/', ['test/scripts/decisions.test.ts']],
  ['docs/gateway.md', ['test/scripts/gateway-docs.test.ts']],
  ['docs/guarantees.md', ['test/scripts/gateway-docs.test.ts']],
  ['docs/performance', ['test/bench/page.test.ts']],
  ['docs/performance/makers.md', ['test/bench/maker-tables.test.ts']],
  ['docs/providers.md', ['test/conformance/node/docs.test.ts']],
  [
    'docs/recipes',
    ['test/cli/recipes/recipe.test.ts', 'test/cli/recipes/init-recipe.test.ts', 'test/recipes/'],
  ],
  ['docs/templates.md', ['test/console/templates/words.test.ts']],
  ['README.md', [WORDS, 'test/scripts/project-files.test.ts', 'test/conformance/node/docs.test.ts']],
  ['CHANGELOG.md', [WORDS, 'test/scripts/project-files.test.ts', 'test/conformance/node/docs.test.ts']],
  ['CONTRIBUTING.md', [WORDS, 'test/scripts/project-files.test.ts']],
];

/**
 * The tests that are nearest to each changed file: the file's own, and those that import it, or that import a file which
 * does, and so on up to the first such tests; for a file that code reads by its path, those nearest to that code. A
 * deleted file is a changed one: its importers either still import it, or have changed as well. Sorted.
 */
export function nearestTests(changed: readonly string[], sources: Sources): readonly string[] {
  const importers = importersIn(sources);
  const tests = changed.flatMap((path) => [
    ...ownTest(path, sources),
    ...[path, ...readersOf(path, sources)].flatMap((file) => nearest(file, importers)),
  ]);
  return [...new Set(tests)].filter((path) => sources.has(path)).toSorted();
}

/** A person is not to take "no test ran" for "the tests passed". `apart`: tests that `npm test` does not run. */
export function noTestNote(changed: readonly string[], apart: readonly string[]): string {
  if (changed.length === 0) return 'Nothing has changed, so no test ran.\n';
  const note = `No test of \`npm test\` is near to what has changed, so none ran: ${changed.join(', ')}.\n`;
  return apart.length === 0 ? note : `${note}These have their own commands: ${apart.join(', ')}.\n`;
}

function readersOf(path: string, sources: Sources): readonly string[] {
  const readers = READERS.flatMap(([prefix, files]) => (path.startsWith(prefix) ? files : []));
  return readers.flatMap((reader) =>
    reader.endsWith('/')
      ? [...sources.keys()].filter((file) => file.startsWith(reader) && TEST.test(file))
      : reader,
  );
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
      // `?raw` and the like say how a file is imported.
      const file = posix.join(posix.dirname(path), imported.replace(/\?\w+$/, ''));
      importers.set(file, [...(importers.get(file) ?? []), path]);
    }
  return importers;
}
