import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { documents, files, madePatch, SHOP, SHOP_TEXT as TEXT } from '../shared/yaml-patch/support.ts';

const all = mkdtempSync(join(tmpdir(), 'hookbell-patch-'));
afterAll(() => rmSync(all, { recursive: true }));

const run = (command: string, args: readonly string[], cwd: string, input = '') =>
  execFileSync(command, args, { cwd, input });

/** The programs that people have, in the folder `hookbell` and in the repository around it. */
const APPLY: Readonly<Record<string, (folder: string, patch: string) => unknown>> = {
  'git apply': (folder, patch) => run('git', ['apply', '-'], folder, patch),
  'git apply in a repository': (folder, patch) => {
    run('git', ['init', '--quiet'], dirname(folder));
    return run('git', ['apply', '-'], folder, patch);
  },
  'git apply --directory': (folder, patch) =>
    run('git', ['apply', '--directory=hookbell', '-'], dirname(folder), patch),
  'patch -p1': (folder, patch) => run('patch', ['-p1', '--silent'], folder, patch),
};
const isThere = (program = ''): boolean => spawnSync(program, ['--version']).status === 0;

const none = { verify: { scheme: 'none' }, routes: [] };
const send = { kind: 'text', message: 'a\n\nb\n' };

/** Files with their text and another document; null: there is no file, or none any more. */
const CASES: readonly (readonly [path: string, text: string | null, after: object | null])[] = [
  ['changed.yaml', TEXT, { ...none, routes: [{ name: 'a', to: 'x', send }] }],
  ['windows.yml', TEXT.replaceAll('\n', '\r\n'), { ...none, locale: 'de' }],
  ['no-line-end.yaml', 'a: 1\nb: 2', { a: 1, b: 3 }],
  ['changed.json', '{\n  "a": 1\n}\n', { a: 1, b: [2] }],
  ['made.yaml', null, { a: 1 }],
  ['made.json', null, { a: 1 }],
  ['deleted.yaml', TEXT, null],
];

it.each(Object.entries(APPLY).filter(([name]) => isThere(name.split(' ')[0])))(
  'a patch changes, makes and deletes files of any shape with %s',
  (_, apply) => {
    const folder = join(mkdtempSync(join(all, 'one-')), 'hookbell');
    mkdirSync(join(folder, 'sources'), { recursive: true });
    const some = fc
      .sample(fc.tuple(files, documents), 40)
      .map(([text, after], n) => [`s${n}.yaml`, text, after] as const);
    const given = [...CASES, ...some].map(([name, text, after]) => ({
      path: `sources/${name}`,
      text,
      after,
    }));
    const patches = given.map(({ path, text, after }) => {
      if (text !== null) writeFileSync(join(folder, path), text);
      return madePatch({ path, text }, SHOP, text === null ? undefined : parse(text), after ?? undefined);
    });
    apply(folder, patches.join(''));
    for (const { path, after } of given) {
      const file = join(folder, path);
      expect(existsSync(file) ? parse(readFileSync(file, 'utf8')) : null, path).toEqual(after);
    }
  },
);
