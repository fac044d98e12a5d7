import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nearestTests, noTestNote, READERS } from '../../scripts/nearest-tests.ts';

const ROOT = join(import.meta.dirname, '../..');

const SOURCES = new Map([
  ['src/lib/id.ts', 'export const id = 1;'],
  ['src/lib/name.ts', "import { id } from './id.ts';"],
  ['src/far.ts', "import {\n  name,\n} from './lib/name.ts';"],
  ['src/alone.ts', ''],
  ['test/lib/id.test.ts', "import type { Id } from '../../src/lib/id.ts';"],
  ['test/lib/text.test.ts', "const late = () => import('../../src/lib/id.ts');"],
  ['test/far.test.ts', "import '../src/far.ts';"],
  ['test/support.ts', "import { far } from '../src/far.ts';"],
  ['test/all.test.ts', "import { far } from './support.ts';"],
  ['test/page.test.ts', "import page from '../data/guide.md?raw';"],
  ['src/still.ts', "import { gone } from './gone.ts';"],
  ['test/still.test.ts', "import '../src/still.ts';"],
]);

const nearest = (...changed: readonly string[]) => nearestTests(changed, SOURCES);

describe('the tests nearest to a change', () => {
  it('are those that import the file, in any way', () => {
    expect(nearest('src/lib/id.ts')).toEqual(['test/lib/id.test.ts', 'test/lib/text.test.ts']);
  });

  it('are the first ones on the way up, when none imports the file itself', () => {
    expect(nearest('src/lib/name.ts')).toEqual(['test/far.test.ts']);
    expect(nearest('test/support.ts')).toEqual(['test/all.test.ts']);
  });

  it('are a test that has changed, and each one once', () => {
    expect(nearest('test/far.test.ts', 'src/far.ts')).toEqual(['test/far.test.ts']);
  });

  it('are none for a file that nothing imports', () => {
    expect(nearest('src/alone.ts', 'unread/api.md')).toEqual([]);
  });

  it('are those of the files that still import a deleted one', () => {
    expect(nearest('src/gone.ts')).toEqual(['test/still.test.ts']);
  });

  it('are no test that is deleted', () => {
    expect(nearest('test/gone.test.ts')).toEqual([]);
  });

  it('are those that import a file as its raw text', () => {
    expect(nearest('data/guide.md')).toEqual(['test/page.test.ts']);
  });
});

describe('the tests nearest to a file that code reads by its path', () => {
  const sources = new Map(
    globSync('{src,cli,console,openapi,scripts,shared,simulator,test}/**/*.{ts,tsx}', { cwd: ROOT }).map(
      (path) => [path.replaceAll('\\', '/'), readFileSync(join(ROOT, path), 'utf8')],
    ),
  );

  it.each([
    ['assets/providers/stripe.json', 'test/conformance/providers.test.ts'],
    ['assets/providers/stripe.json', 'test/cli/init/answers.test.ts'],
    ['assets/providers/stripe.json', 'test/console/sources/draft.test.ts'],
    ['assets/providers/stripe.json', 'test/recipes/order.test.ts'],
    ['assets/texts/stripe/de.json', 'test/conformance/starters.test.ts'],
    ['assets/texts/stripe/de.json', 'test/scripts/words.test.ts'],
    ['assets/set-up/de/stripe.json', 'test/conformance/set-up-texts.test.ts'],
    ['assets/recipes/order/en/sources/shop.yaml', 'test/cli/recipes/recipe.test.ts'],
    ['assets/recipes/order/en/sources/shop.yaml', 'test/recipes/order.test.ts'],
    ['assets/recipes/order/en/sources/shop.yaml', 'test/schemas/schemas.test.ts'],
    ['assets/facts.json', 'test/config/facts.test.ts'],
    ['assets/admin/openapi.json', 'test/scripts/openapi/files.test.ts'],
    ['demo/sources/alerts.yaml', 'test/cli/demo.test.ts'],
    ['demo/sources/alerts.yaml', 'test/schemas/schemas.test.ts'],
    ['simulator/page/chat.js', 'test/simulator/page.test.ts'],
    ['docs/operations.md', 'test/scripts/words.test.ts'],
    ['docs/answers.md', 'test/docs/answers.test.ts'],
    ['docs/guarantees.md', 'test/gateway/outcome.test.ts'],
    ['docs/cli.md', 'test/cli/docs.test.ts'],
    ['docs/configuration.md', 'test/scripts/config-docs.test.ts'],
    ['docs/gateway.md', 'test/scripts/gateway-docs.test.ts'],
    ['docs/providers.md', 'test/conformance/node/docs.test.ts'],
    ['docs/templates.md', 'test/console/templates/words.test.ts'],
    ['docs/performance/makers.md', 'test/bench/maker-tables.test.ts'],
    ['docs/architecture.md', 'test/scripts/architecture.test.ts'],
    ['docs/decisions/2026-11-22-sessions.md', 'test/scripts/decisions.test.ts'],
    ['docs/alerts/group.svg', 'test/scripts/timelines/draw.test.ts'],
    ['docs/recipes/order.md', 'test/cli/recipes/recipe.test.ts'],
    ['README.md', 'test/scripts/project-files.test.ts'],
  ])('%s: %s is one of them', (changed, test) => {
    expect(nearestTests([changed], sources)).toContain(test);
  });

  it('are there for every prefix of the table, and every file and folder in it is there', () => {
    for (const [prefix, readers] of READERS) {
      expect([prefix, ...readers].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
      expect(nearestTests([prefix], sources), prefix).not.toEqual([]);
    }
  });
});

describe('a change that no test of `npm test` is near to', () => {
  it('is named, rather than passed over as if its tests had passed', () => {
    expect(noTestNote(['a.toml', 'b.txt'], [])).toBe(
      'No test of `npm test` is near to what has changed, so none ran: a.toml, b.txt.\n',
    );
  });

  it('is named with the tests that have commands of their own', () => {
    expect(noTestNote(['test/e2e/order.ts'], ['test/e2e/order.test.ts'])).toBe(
      'No test of `npm test` is near to what has changed, so none ran: test/e2e/order.ts.\n' +
        'These have their own commands: test/e2e/order.test.ts.\n',
    );
  });

  it('is not claimed when nothing has changed', () => {
    expect(noTestNote([], [])).toBe('Nothing has changed, so no test ran.\n');
  });
});
