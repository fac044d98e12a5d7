import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { patchOf, pathOf, type PatchedFile } from '../../patch/patch.ts';
import { documents, files } from './support.ts';

const SHOP = { kind: 'sources', name: 'shop' } as const;
const TEXT = `# Ask Zoë\r
verify: { scheme: none }\r
routes: [] # none yet\r
`.replaceAll('\r', '');

function made(...given: Parameters<typeof patchOf>): string {
  const patch = patchOf(...given);
  if (!patch.ok) throw new Error(patch.error);
  return patch.value;
}

const all = mkdtempSync(join(tmpdir(), 'hookbell-patch-'));
afterAll(() => rmSync(all, { recursive: true }));

/** A folder with these files; null: not there. */
function folderWith(files: readonly PatchedFile[]): string {
  const folder = join(mkdtempSync(join(all, 'one-')), 'hookbell');
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (text !== null) writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** The programs that people have, in the folder and in the repository around it. */
const APPLY = {
  'git apply': (folder: string, patch: string) =>
    execFileSync('git', ['apply', '-'], { cwd: folder, input: patch }),
  'git apply in a repository': (folder: string, patch: string) => {
    execFileSync('git', ['init', '--quiet'], { cwd: dirname(folder) });
    return execFileSync('git', ['apply', '-'], { cwd: folder, input: patch });
  },
  'git apply --directory': (folder: string, patch: string) => {
    const root = dirname(folder);
    const directory = `--directory=${folder.slice(root.length + 1)}`;
    return execFileSync('git', ['apply', directory, '-'], { cwd: root, input: patch });
  },
  'patch -p1': (folder: string, patch: string) =>
    execFileSync('patch', ['-p1', '--silent'], { cwd: folder, input: patch }),
} as const;

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const applying = Object.entries(APPLY).filter(([name]) => isThere(name.split(' ')[0] ?? ''));

const CASES: readonly (readonly [string, PatchedFile, unknown, unknown])[] = [
  [
    'changes',
    { path: 'sources/shop.yaml', text: TEXT },
    { verify: { scheme: 'none' }, routes: [] },
    {
      verify: { scheme: 'none' },
      routes: [{ name: 'a', to: 'x', send: { kind: 'text', message: 'a\n\nb\n' } }],
    },
  ],
  [
    'changes with Windows line ends',
    { path: 'sources/shop.yml', text: TEXT.replaceAll('\n', '\r\n') },
    { verify: { scheme: 'none' }, routes: [] },
    { verify: { scheme: 'none' }, routes: [], locale: 'de' },
  ],
  [
    'without a line end at the end',
    { path: 'sources/shop.yaml', text: 'a: 1\nb: 2' },
    { a: 1, b: 2 },
    { a: 1, b: 3 },
  ],
  ['in JSON', { path: 'sources/shop.json', text: '{\n  "a": 1\n}\n' }, { a: 1 }, { a: 1, b: [2] }],
  ['makes a file', { path: 'sources/shop.yaml', text: null }, undefined, { a: 1 }],
  ['makes a JSON file', { path: 'sources/shop.json', text: null }, undefined, { a: 1 }],
  [
    'deletes a file',
    { path: 'sources/shop.yaml', text: TEXT },
    { verify: { scheme: 'none' }, routes: [] },
    undefined,
  ],
];

describe('a patch', () => {
  it('is short', () => {
    const [, file, before] = CASES[0] ?? [];
    if (file === undefined) throw new Error('no case');
    expect(made(file, SHOP, before, { verify: { scheme: 'none' }, routes: [], locale: 'de' })).toBe(
      [
        '--- a/sources/shop.yaml',
        '+++ b/sources/shop.yaml',
        '@@ -1,3 +1,4 @@',
        ' # Ask Zoë',
        ' verify: { scheme: none }',
        ' routes: [] # none yet',
        '+locale: de',
        '',
      ].join('\n'),
    );
  });

  it('is empty when nothing is different', () => {
    expect(made({ path: 'sources/shop.yaml', text: TEXT }, SHOP, parse(TEXT), parse(TEXT))).toBe('');
  });

  it('is refused when the file does not say what the document was', () => {
    const other = patchOf({ path: 'sources/shop.yaml', text: TEXT }, SHOP, { verify: {} }, {});
    expect(other.ok ? '' : other.error).toMatch(
      /^sources\/shop\.yaml is not sources\/shop as it is in force/,
    );
    for (const text of ['{', 'a: *b\n', '']) {
      expect(patchOf({ path: 'sources/shop.yaml', text }, SHOP, { a: 1 }, { a: 2 }).ok).toBe(false);
      expect(patchOf({ path: 'sources/shop.json', text }, SHOP, { a: 1 }, { a: 2 }).ok).toBe(false);
    }
    const none = patchOf({ path: 'sources/shop.yaml', text: null }, SHOP, { a: 1 }, { a: 2 });
    expect(none.ok ? '' : none.error).toContain('there is no file of sources/shop');
    expect(patchOf({ path: 'sources/shop.yaml', text: TEXT }, SHOP, undefined, { a: 2 }).ok).toBe(false);
  });

  it('that is applied gives a file of the new document', () => {
    fc.assert(
      fc.property(files, documents, (text, after) => {
        const patch = made({ path: 'sources/shop.yaml', text }, SHOP, parse(text), after);
        const applied = patch === '' ? text : applyPatch(text, patch);
        expect(parse(applied === false ? '' : applied)).toEqual(after);
      }),
    );
  });

  describe.each(applying)('with %s', (_, apply) => {
    it.each(CASES)('%s', (_name, file, before, after) => {
      const folder = folderWith([file]);
      apply(folder, made(file, SHOP, before, after));
      const path = join(folder, file.path);
      if (after === undefined) expect(existsSync(path)).toBe(false);
      else expect(parse(readFileSync(path, 'utf8'))).toEqual(after);
    });

    it('takes many documents of any shape', () => {
      const some = fc
        .sample(fc.tuple(files, documents), 40)
        .map(([text, after], n) => ({ path: `sources/s${n}.yaml`, text, after }));
      const folder = folderWith(some);
      const patches = some.map(({ after, ...file }) => made(file, SHOP, parse(file.text), after));
      apply(folder, patches.join(''));
      for (const { path, after } of some)
        expect(parse(readFileSync(join(folder, path), 'utf8'))).toEqual(after);
    });
  });
});

describe('the file of a document', () => {
  it('is the one that there is, else a new YAML file', () => {
    expect(pathOf(SHOP, ['sources/shop.json', 'sources/shopper.yaml'])).toBe('sources/shop.json');
    expect(pathOf(SHOP, ['templates/shop.yml', 'sources/shop.yml'])).toBe('sources/shop.yml');
    expect(pathOf(SHOP, [])).toBe('sources/shop.yaml');
  });
});
