import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { docsScripts } from '../../scripts/docs.ts';

const ROOT = join(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const packageFile: unknown = JSON.parse(text('package.json'));
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(packageFile);

describe('`npm run docs`', () => {
  it('knows every generated page and file', () => {
    expect(docsScripts(packageFile)).toEqual(
      expect.arrayContaining(['docs:providers', 'docs:config', 'docs:openapi', 'docs:cli']),
    );
  });

  it('takes a page in by the name of its script', () => {
    expect(docsScripts({ scripts: { docs: 'x', 'docs:new': 'y', test: 'z' } })).toEqual(['docs:new']);
  });

  it('is called by CI, which compares and writes nothing', () => {
    expect(text('.ci/run')).toContain('\nnpm run docs -- --check\n');
  });
});

describe('the page of the API', () => {
  it('is built before everything that shows it, so that no stale one is shown', () => {
    for (const name of ['prepare', 'predeploy']) expect(scripts[name], name).toBe('node scripts/prepare.ts');
    expect(text('scripts/prepare.ts')).toContain("'docs-page.ts'");
    expect(text('scripts/test.ts')).toContain('prepare(');
    // Not by a `prestart`, of which npm would print the commands.
    expect(scripts['prestart']).toBeUndefined();
    expect(text('scripts/start.ts')).toContain("await import('./docs-page.ts');");
  });

  it('is not committed', () => {
    expect(text('.gitignore').split('\n')).toContain('assets/admin/docs.html*');
  });
});
