import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'hookbell-bundle-test-'));
const entry = join(folder, 'entry.ts');
const file = join(folder, 'worker.js');

afterAll(() => rmSync(folder, { recursive: true }));

function bundle(source: string) {
  writeFileSync(entry, source);
  return spawnSync(process.execPath, ['scripts/bundle.ts', entry, file], { cwd: ROOT, encoding: 'utf8' });
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(resolve(ROOT, path), 'utf8'));

const sourceMap = z.object({
  version: z.number(),
  file: z._default(z.string(), ''),
  sources: z.array(z.string()),
  sourcesContent: z.array(z.string()),
  names: z.array(z.string()),
  mappings: z.string(),
  sourceRoot: z._default(z.string(), ''),
});

describe('the bundle', () => {
  it('leads through both minifiers back to the line that was written', () => {
    const source = "const text: string = 'first line';\n\nexport default () => [text, 'third line'];\n";
    expect(bundle(source).status).toBe(0);
    const code = readFileSync(file, 'utf8').split('\n')[0] ?? '';
    const map = new SourceMap(sourceMap.parse(readJson(`${file}.map`)));
    const found = map.findEntry(0, code.indexOf('"third line"'));
    expect(found).toMatchObject({ originalLine: 2 });
    expect('originalSource' in found && found.originalSource).toMatch(/entry\.ts$/);
  });

  it('stays as it was when the code cannot be built, and the place of the mistake is named', () => {
    expect(bundle('export default 1;\n').status).toBe(0);
    const before = readFileSync(file, 'utf8');
    const { status, stderr } = bundle('export default 1;\nexport {\n');
    expect(status).toBe(1);
    expect(stderr).toMatch(/entry\.ts:3:0/);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('is made by the esbuild that Wrangler has', () => {
    const ours = z.object({ devDependencies: z.object({ esbuild: z.string() }) });
    const wranglers = z.object({ dependencies: z.object({ esbuild: z.string() }) });
    expect(ours.parse(readJson('package.json')).devDependencies.esbuild).toBe(
      wranglers.parse(readJson('node_modules/wrangler/package.json')).dependencies.esbuild,
    );
  });
});
