import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(import.meta.dirname));
const RULES = join(ROOT, '.dependency-cruiser.mjs');
const CRUISER = join(ROOT, 'node_modules/.bin/depcruise');

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Returns the violations that the rules find in a small tree of files, one line each. */
async function violations(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-layers-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(CRUISER, ['--config', RULES, '--output-type', 'err', 'src'], { cwd: folder }, (_, out) =>
    resolve(out),
  );
  return (await promise).match(/(?<=error )\S+: .*/g) ?? [];
}

describe('the rules of the layers', () => {
  it('let a folder import from one below it', async () => {
    const found = await violations({
      'src/lib/id.ts': 'export const id = 1;',
      'src/outbox/outbox.ts': "import { id } from '../lib/id.ts';\nexport const outbox = id;",
    });
    expect(found).toEqual([]);
  });

  it('refuse an import that goes up, of types too', async () => {
    const found = await violations({
      'src/lib/id.ts': "import type { Outbox } from '../outbox/outbox.ts';\nexport type Id = Outbox;",
      'src/outbox/outbox.ts': 'export type Outbox = string;',
    });
    expect(found).toEqual([expect.stringContaining('layer-lib: src/lib/id.ts')]);
  });

  it('refuse an import of a neighbour on the same line', async () => {
    const found = await violations({
      'src/gateway/call.ts': "import { text } from '../template/text.ts';\nexport const call = text;",
      'src/template/text.ts': 'export const text = 1;',
    });
    expect(found).toEqual([expect.stringContaining('layer-gateway: src/gateway/call.ts')]);
  });

  it('refuse two files that import each other', async () => {
    const found = await violations({
      'src/lib/a.ts': "import type { B } from './b.ts';\nexport type A = B;",
      'src/lib/b.ts': "import type { A } from './a.ts';\nexport type B = A;",
    });
    expect(found[0]).toContain('no-file-circle');
  });

  it('refuse a room that imports a file of its own folder which uses the room', async () => {
    const found = await violations({
      'src/ingest/webhook.ts': "import { parse } from './parse/parse.ts';\nexport const webhook = parse;",
      'src/ingest/event.ts': 'export const event = 1;',
      'src/ingest/parse/parse.ts': "import { event } from '../event.ts';\nexport const parse = event;",
    });
    expect(found.join('\n')).toContain('rooms-below-their-folder: src/ingest/parse/parse.ts');
  });

  it('refuse two rooms that import each other, by whichever files', async () => {
    const found = await violations({
      'src/ingest/parse/parse.ts':
        "import { event } from '../request/event.ts';\nexport const parse = event;",
      'src/ingest/parse/form.ts': 'export const form = 1;',
      'src/ingest/request/event.ts': 'export const event = 1;',
      'src/ingest/request/body.ts': "import { form } from '../parse/form.ts';\nexport const body = form;",
    });
    expect(found.join('\n')).toContain('no-folder-circle');
  });
});
