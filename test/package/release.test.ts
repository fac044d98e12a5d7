import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { released } from '../../scripts/release.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/release.ts');

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n\n- All.\n';

const OWNED_BY_NOBODY = JSON.stringify({ url: 'git+https://github.com/OWNER/hookbell.git' });

/** A project as small as can be, whose made file is made from its version. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'hookbell',
    version: '0.1.0',
    scripts: { docs: 'node made.mjs' },
  }),
  'packages/create-hookbell/package.json': '{\n  "name": "create-hookbell",\n  "version": "0.1.0"\n}',
  'package-lock.json':
    '{"name":"x","version":"0.1.0","packages":{"":{"name":"x","version":"0.1.0","license":"MIT"}}}',
  'src/lib/version.ts': "export const VERSION = '0.1.0';\n",
  'made.mjs':
    "import { readFileSync, writeFileSync } from 'node:fs';\nwriteFileSync('made.txt', JSON.parse(readFileSync('package.json')).version);\n",
  'made.txt': '0.1.0',
  'CHANGELOG.md': CHANGELOG,
  '.gitignore': 'dist\n',
  '.ci/run': '#!/bin/sh\nexit 0\n',
};

/** Git looks at the folder alone, wherever the tests run: in a hook of git there are variables that name its repository. */
const env = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
});

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookbell-release-'));
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  chmodSync(join(folder, '.ci/run'), 0o755);
  git('init', '--quiet');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  commit('feat: all');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: env(), stdio: 'pipe' }).trim();

function commit(message: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

function release(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: env(),
  });
  return { status, stdout, stderr };
}

const inRelease = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: join(folder, 'dist/release'), encoding: 'utf8' });

/** The state of the project that a release could have changed. */
const state = (): readonly string[] => [
  git('rev-parse', 'HEAD'),
  git('tag', '--list'),
  git('status', '--porcelain', '--ignored'),
];

function expectRefused(why: string, ...args: readonly string[]): void {
  const before = state();
  const { status, stderr } = release(...args);
  expect(stderr).toContain(why);
  expect(status).toBe(1);
  expect(state()).toEqual(before);
}

describe('a release', () => {
  it('is a changelog entry, the version in every file, a commit, a tag and tarballs with notes and checksums', () => {
    const { status, stderr, stdout } = release('0.2.0');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('npm publish dist/release/hookbell-0.2.0.tgz');
    expect(stdout).toContain('Nothing is signed');
    expect(git('log', '-1', '--format=%s')).toBe('chore(release): 0.2.0');
    expect(git('cat-file', '-t', 'v0.2.0')).toBe('tag');
    expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
    expect(git('status', '--porcelain')).toBe('');
    expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.2.0' });
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      version: '0.2.0',
      packages: { '': { version: '0.2.0', license: 'MIT' } },
    });
    expect(read('src/lib/version.ts')).toBe("export const VERSION = '0.2.0';\n");
    expect(read('made.txt')).toBe('0.2.0');
    expect(read('CHANGELOG.md')).toMatch(
      /## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added/,
    );
    expect(JSON.parse(read('packages/create-hookbell/package.json'))).toMatchObject({ version: '0.2.0' });

    const packages = ['create-hookbell-0.2.0.tgz', 'hookbell-0.2.0-sources.tgz', 'hookbell-0.2.0.tgz'];
    expect(readdirSync(join(folder, 'dist/release')).sort()).toEqual(
      ['SHA256SUMS', ...packages, 'notes.md'].sort(),
    );
    const listed = inRelease('tar', '-tzf', 'hookbell-0.2.0-sources.tgz');
    expect(listed.split('\n')).toContain('hookbell-0.2.0/package.json');
    expect(listed).not.toContain('.git/');
    expect(read('dist/release/notes.md')).toBe('### Added\n\n- A thing.\n');
    const sums = packages.map((name) => `${name}: OK\n`).join('');
    expect(inRelease('sha256sum', '--check', 'SHA256SUMS')).toBe(sums);
  });

  it('that is only tried changes nothing; of the version that was written down, but never released, it is right', () => {
    const before = state();
    expect(release('0.2.0', '--dry-run')).toMatchObject({ status: 0, stderr: '' });
    expect(state()).toEqual(before);
    expect(release('0.1.0').status).toBe(0);
    expect(git('tag', '--list')).toBe('v0.1.0');
  });

  it('is refused for what is no newer version, and says how it is called', () => {
    expectRefused('usage: npm run release');
    expectRefused('is not a version', '0.2');
    expectRefused('is not a version', 'v0.2.0');
    expectRefused('is before 0.1.0', '0.0.9');
  });

  it('is refused where the project is not ready for it, and leaves the files as they were', () => {
    write('new.txt', '');
    expectRefused('the working tree is not clean', '0.2.0');
    commit('feat: new');
    git('tag', 'v0.2.0');
    expectRefused('the tag v0.2.0 is there already', '0.2.0');
    git('tag', '--delete', 'v0.2.0');
    for (const [path, text, why] of [
      ['CHANGELOG.md', CHANGELOG.replace('- A thing.\n', ''), 'nothing under `## [Unreleased]`'],
      ['made.mjs', 'process.exit(1);\n', 'run docs'],
      ['package.json', read('package.json').replace('{', `{"repository":${OWNED_BY_NOBODY},`), 'nobody owns'],
    ] as const) {
      write(path, text);
      commit('feat: not ready');
      expectRefused(why, '0.2.0');
      git('revert', '--no-edit', 'HEAD');
    }
  });

  it('is refused where CI fails, unless that is to be passed over', () => {
    write('.ci/run', '#!/bin/sh\nexit 1\n');
    commit('test: fails');
    expectRefused('.ci/run failed', '0.2.0');
    expect(release('0.2.0', '--skip-checks').status).toBe(0);
  });
});

describe('the changelog', () => {
  it('keeps what older versions have; one that has nothing new is none', () => {
    const newest = '## [Unreleased]\n\n## [0.2.0] - 2026-02-02\n';
    expect(released(CHANGELOG, '0.2.0', '2026-02-02')).toBe(CHANGELOG.replace('## [Unreleased]\n', newest));
    const empty = '## [Unreleased]\n\n### Added\n\n## [0.1.0]\n\n- x\n';
    for (const text of ['', '# Changelog\n', '## [Unreleased]\n', empty])
      expect(released(text, '0.2.0', '2026-02-02')).toBeNull();
  });
});
