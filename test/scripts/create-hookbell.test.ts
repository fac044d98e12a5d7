import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as wrangler from 'wrangler';
import * as z from 'zod';
import { ROOT } from '../../cli/built.ts';
import {
  NODE_BUILDS,
  NODE_VERSION,
  nodeFor,
  projectFiles,
  WRANGLER_VERSION,
} from '../../packages/create-hookbell/lib/project.mjs';
import { VERSION } from '../../src/lib/version.ts';

const BIN = join(ROOT, 'packages/create-hookbell/bin/create-hookbell.mjs');
const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({
  version: z.string().default(''),
  scripts: versions,
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
});
const manifestOf = (path: string) => manifest.parse(JSON.parse(readFileSync(join(ROOT, path), 'utf8')));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookbell-create-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `create-hookbell` in the folder. */
async function create(args: readonly string[], { node = [] as readonly string[], env = {} } = {}) {
  const child = spawn(process.execPath, [...node, BIN, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, npm_config_fetch_retries: '0', ...env },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  await once(child, 'close');
  return { status: child.exitCode, ...said };
}

it('create-hookbell refuses what it cannot use in one line, and writes nothing', async () => {
  mkdirSync(join(folder, 'full'));
  for (const name of ['full/a.txt', 'a-file']) writeFileSync(join(folder, name), '');
  const OLD_NODE = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.19.0'})`;
  const cases = [
    [[], 'give a folder: npm create hookbell@latest my-relay'],
    [
      ['My Relay!'],
      '"My Relay!" cannot be the name of a package and a Worker: use 2 to 54 lower-case letters',
    ],
    [['full'], 'full is not empty (a.txt), so nothing was written: choose another folder'],
    [['a-file'], 'a-file is a file: choose another name'],
    [['new', '--package'], '--package needs a version or a tarball'],
    [['new', '--package=./nowhere.tgz'], '--package: there is no '],
    [['new'], 'hookbell needs Node 20 or newer, and this is Node 18.19.0', '--import', OLD_NODE],
  ] as const;
  for (const [args, line, ...node] of cases) {
    const { status, stdout, stderr } = await create([...args, '--yes'], { node });
    expect(stderr).toMatch(/^create-hookbell: .*\n$/);
    expect(stderr).toContain(line);
    expect([status, stdout]).toEqual([1, '']);
  }
  expect(readdirSync(folder).toSorted()).toEqual(['a-file', 'full']);
  expect(readdirSync(join(folder, 'full'))).toEqual(['a.txt']);
});

it('create-hookbell says in one line why npm cannot install, and how to go on with the files that it wrote', async () => {
  const server = createServer((_, response) => response.writeHead(407).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const proxy = {
    npm_config_registry: 'http://registry.invalid/',
    npm_config_proxy: `http://127.0.0.1:${port}`,
  };
  const refused = await create(['one', '--yes'], { env: proxy });
  expect(refused.stderr).toMatch(/^create-hookbell: the proxy wants a login \(407\): .*\n$/);
  server.close();
  await once(server, 'close');
  const gone = await create(['new', '--yes'], { env: proxy });
  expect(gone.stderr).toBe(
    'create-hookbell: npm could not reach its registry (ECONNREFUSED): check the network; behind a proxy, also check `npm config get proxy`\n',
  );
  expect(gone.status).toBe(1);
  expect(gone.stdout).toContain('\n  cd new\n  npm install\n  npx hookbell init\n  npm run dev\n');
  expect(readdirSync(join(folder, 'new'))).toContain('wrangler.toml');
});

it('create-hookbell makes a git repository with a copy of a tarball, unless it is told not to or is in a repository', async () => {
  writeFileSync(join(folder, 'hookbell-9.9.9.tgz'), 'packed');
  const args = ['--no-install', '--package=hookbell-9.9.9.tgz'];
  for (const one of [['new'], ['new/inside'], ['other', '--no-git']]) await create([...one, ...args]);
  const has = [
    'new/.git/HEAD',
    'new/hookbell-9.9.9.tgz',
    'other/wrangler.toml',
    'new/inside/.git',
    'other/.git',
  ];
  expect(has.map((path) => existsSync(join(folder, path)))).toEqual([true, true, true, false, false]);
  expect(readFileSync(join(folder, 'new/package.json'), 'utf8')).toContain(
    '"hookbell": "file:hookbell-9.9.9.tgz"',
  );
});

it('a project brings a Node where the person’s is too old, unless npm has none for that system', () => {
  const found = [
    '22.0.0 linux riscv64',
    '20.20.2 darwin arm64',
    '20.20.2 win32 x64',
    '20.20.2 win32 arm64',
  ].map((one) => {
    const [version = '', platform = '', arch = ''] = one.split(' ');
    return nodeFor(version, { platform, arch });
  });
  expect(found).toEqual(['new enough', 'brought', 'brought', 'none']);
});

it('a project has the settings of this repository’s Worker, but for what builds it', () => {
  const settings = z.record(z.string(), z.unknown());
  // Wrangler's types do not have this function.
  const readRaw = z.instanceof(Function).parse(Reflect.get(wrangler, 'experimental_readRawConfig'));
  const read = (config: string) =>
    z.object({ rawConfig: settings }).parse(Reflect.apply(readRaw, undefined, [{ config }])).rawConfig;
  const made = join(folder, 'wrangler.toml');
  writeFileSync(
    made,
    projectFiles({ name: 'my-relay', spec: '1.2.3', bringsNode: false }).get('wrangler.toml') ?? '',
  );
  const { build: _, ...root } = read(join(ROOT, 'wrangler.toml'));
  expect(read(made)).toEqual({
    ...root,
    name: 'my-relay',
    main: 'node_modules/hookbell/dist/worker/index.js',
    assets: { ...settings.parse(root['assets']), directory: 'node_modules/hookbell/assets' },
  });
});

it('the packages have one version, the versions that are tested here, and need only the workerd that Wrangler has', () => {
  const [root, own] = [manifestOf('package.json'), manifestOf('packages/create-hookbell/package.json')];
  expect([own.version, VERSION]).toEqual([root.version, root.version]);
  expect(WRANGLER_VERSION).toBe(root.devDependencies['wrangler']);
  const { optionalDependencies } = manifestOf('packages/node/package.json');
  expect(optionalDependencies).toEqual(Object.fromEntries(NODE_BUILDS.map((build) => [build, NODE_VERSION])));
  const { workerd } = manifestOf('node_modules/wrangler/package.json').dependencies;
  expect([root.dependencies, root.optionalDependencies]).toEqual([{}, { workerd }]);
  expect([own.dependencies, own.optionalDependencies]).toEqual([{}, {}]);
});
