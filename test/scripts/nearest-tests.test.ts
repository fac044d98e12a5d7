import { describe, expect, it } from 'vitest';
import { nearestTests } from '../../scripts/nearest-tests.ts';

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
    expect(nearest('src/alone.ts', 'docs/api.md')).toEqual([]);
  });
});
