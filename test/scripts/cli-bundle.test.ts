import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';

const ROOT = dirname(dirname(import.meta.dirname));
const folder = mkdtempSync(join(tmpdir(), 'hookbell-bundle-'));
const file = (name: string): string => join(folder, name);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(root: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'bin/hookbell.mjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  return { stdout, stderr, status };
}

const ran = (args: readonly string[], env?: Readonly<Record<string, string>>): string =>
  run(folder, args, env).stdout;

function writeManifest(inputs: readonly (readonly [string, number, number])[]): void {
  writeFileSync(file('dist/cli/bundle.json'), JSON.stringify({ folder: 'made', inputs }));
}

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
    const inputs = [['cli/process.ts', mtimeMs, size]];
    writeFileSync(file('dist/cli/bundle.json'), JSON.stringify({ folder: 'made', inputs }));
    writeFileSync(file('package.json'), '{"version":"1.2.3","type":"module"}');
  });

  it('runs the bundle while nothing that it was made of has changed, and shows no warning of Node’s', () => {
    expect(run(folder, ['x'])).toEqual({ stdout: 'bundle', stderr: '', status: 0 });
  });

  it.each([
    ['a source is newer', () => utimesSync(file('cli/process.ts'), 1, 1)],
    ['a source is gone', () => writeManifest([['cli/gone.ts', 0, 0]])],
    [
      'a source has another size',
      () => writeManifest([['cli/process.ts', statSync(file('cli/process.ts')).mtimeMs, 1]]),
    ],
    ['there is none', () => rmSync(file('dist'), { recursive: true })],
    ['its files are gone', () => rmSync(file('dist/cli/made'), { recursive: true })],
    ['the manifest is not whole', () => writeFileSync(file('dist/cli/bundle.json'), '{"folder":')],
  ])('runs the sources when %s', (_, change) => {
    change();
    expect(ran(['x'])).toBe('sources');
  });

  it('runs the sources for who looks for a bug', () => {
    expect(ran(['x'], { HOOKBELL_DEBUG: '1' })).toBe('sources');
  });

  it('says the version by itself', () => {
    rmSync(file('cli'), { recursive: true });
    rmSync(file('dist'), { recursive: true });
    expect(ran(['--version'])).toBe('1.2.3\n');
    expect(ran(['-V'])).toBe('1.2.3\n');
  });
});

describe('the bundle of the command line', () => {
  beforeAll(() => void execFileSync(process.execPath, [join(ROOT, 'scripts/cli-bundle.ts')]));

  it('does what the sources do, with the files beside them', () => {
    for (const args of [['check', join(ROOT, 'demo')], ['init', '--help'], ['nonsense']])
      expect(run(ROOT, args)).toEqual(run(ROOT, args, { HOOKBELL_DEBUG: '1' }));
    const args = [
      'init',
      'own',
      '--source',
      'shop',
      '--provider',
      'generic',
      '--to',
      '+4915112345678',
      '--yes',
    ];
    expect(run(ROOT, args)).toMatchObject({ status: 0 });
    expect(readdirSync(file('own/sources'))).toEqual(['shop.yaml']);
  });

  it('knows all of the project that it was made of, and what npm has installed', () => {
    const manifest = z.object({ inputs: z.array(z.tuple([z.string(), z.number(), z.number()])) });
    const { inputs } = manifest.parse(JSON.parse(readFileSync(join(ROOT, 'dist/cli/bundle.json'), 'utf8')));
    const names = inputs.map(([name]) => name);
    for (const name of ['cli/process.ts', 'cli/commands/check.ts', 'src/config/compile.ts', 'cli/help.json'])
      expect(names).toContain(name);
    expect(names.filter((name) => name.includes('node_modules'))).toEqual([
      'node_modules/.package-lock.json',
    ]);
  });
});
