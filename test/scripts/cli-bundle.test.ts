import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ROOT } from '../../cli/built.ts';

const folder = mkdtempSync(join(tmpdir(), 'hookbell-bundle-'));
const file = (name: string): string => join(folder, name);
const MANIFEST = 'dist/cli/bundle.json';

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(root: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'bin/hookbell.mjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  return { stdout, stderr, status };
}

const writeManifest = (...input: readonly [string, number, number]): void =>
  writeFileSync(file(MANIFEST), JSON.stringify({ folder: 'made', inputs: [input] }));

describe('bin/hookbell.mjs', () => {
  beforeEach(() => {
    for (const name of ['bin', 'cli', 'dist/cli/made']) mkdirSync(file(name), { recursive: true });
    cpSync(join(ROOT, 'bin/hookbell.mjs'), file('bin/hookbell.mjs'));
    writeFileSync(file('cli/process.ts'), "process.stdout.write('sources')");
    writeFileSync(
      file('dist/cli/made/process.js'),
      "process.emitWarning('w'); process.stdout.write('bundle')",
    );
    const { mtimeMs, size } = statSync(file('cli/process.ts'));
    writeManifest('cli/process.ts', mtimeMs, size);
    writeFileSync(file('package.json'), '{"version":"1.2.3","type":"module"}');
  });

  it('runs the bundle while nothing that it was made of has changed, else the sources; the version needs neither', () => {
    expect(run(folder, ['x'])).toEqual({ stdout: 'bundle', stderr: '', status: 0 });
    expect(run(folder, ['x'], { HOOKBELL_DEBUG: '1' }).stdout).toBe('sources');
    const { mtimeMs } = statSync(file('cli/process.ts'));
    for (const [what, change] of [
      ['a size differs', () => writeManifest('cli/process.ts', mtimeMs, 1)],
      ['a source is gone', () => writeManifest('cli/gone.ts', 0, 0)],
      ['the manifest is not whole', () => writeFileSync(file(MANIFEST), '{"folder":')],
      ['its files are gone', () => rmSync(file('dist/cli/made'), { recursive: true })],
      ['there is none', () => rmSync(file('dist'), { recursive: true })],
    ] as const) {
      change();
      expect([what, run(folder, ['x']).stdout]).toEqual([what, 'sources']);
    }
    rmSync(file('cli'), { recursive: true });
    expect(run(folder, ['--version']).stdout).toBe('1.2.3\n');
  });
});

it('the bundle does what the sources do, with the files beside them, and knows what it was made of', () => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/cli-bundle.ts')]);
  const check = ['check', join(ROOT, 'examples/demo')];
  expect(run(ROOT, check)).toEqual(run(ROOT, check, { HOOKBELL_DEBUG: '1' }));
  const init = 'init own --source shop --provider generic --to +4915112345678 --yes';
  expect(run(ROOT, init.split(' '))).toMatchObject({ status: 0 });
  expect(readdirSync(file('own/sources'))).toEqual(['shop.yaml']);
  const manifest = z.object({ inputs: z.array(z.tuple([z.string(), z.number(), z.number()])) });
  const { inputs } = manifest.parse(JSON.parse(readFileSync(join(ROOT, MANIFEST), 'utf8')));
  const names = inputs.map(([name]) => name);
  expect(names).toEqual(
    expect.arrayContaining(['cli/process.ts', 'src/config/compile/compile.ts', 'cli/help.json']),
  );
  // Of what npm has installed, one file says all.
  expect(names.filter((name) => name.includes('node_modules'))).toEqual(['node_modules/.package-lock.json']);
});
