import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ROOT } from '../../cli/built.ts';
import { rootConfig } from '../cli/tenant/root-config.ts';
import { readArguments } from '../../packages/create-hookbell/lib/arguments.mjs';
import { readSpec } from '../../packages/create-hookbell/lib/package-spec.mjs';
import {
  NODE_BUILDS,
  NODE_VERSION,
  projectFiles,
  WRANGLER_VERSION,
} from '../../packages/create-hookbell/lib/project.mjs';
import { VERSION } from '../../src/lib/version.ts';

const BIN = join(ROOT, 'packages/create-hookbell/bin/create-hookbell.mjs');
const manifest = z.object({
  version: z.string(),
  scripts: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});
const manifestOf = (path: string) => manifest.parse(JSON.parse(readFileSync(join(ROOT, path), 'utf8')));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookbell-create-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `create-hookbell` in the folder. */
function create(args: readonly string[], { node = [] as readonly string[], env = {} } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, BIN, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
  });
  return { status, stdout, stderr };
}

const OLD_NODE = [
  '--import',
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.19.0'})`,
];

describe('create-hookbell', () => {
  it('says how it is used', () => {
    const { status, stdout } = create(['--help']);
    expect(stdout).toContain('npm create hookbell');
    expect(status).toBe(0);
  });

  it.each([
    [[], 'give a folder: npm create hookbell@latest my-relay'],
    [
      ['My Relay!'],
      '"My Relay!" cannot be the name of a package and a Worker: use 2 to 54 lower-case letters, digits and hyphens, starting with a letter, such as my-relay',
    ],
    [['9'], '"9" cannot be the name of a package'],
    [
      ['full'],
      'full is not empty (a.txt), so nothing was written: choose another folder. To add hookbell to a project: npm install hookbell wrangler, then npx hookbell init',
    ],
    [['a-file'], 'a-file is a file: choose another name'],
    [['new', '--package'], '--package needs a version or a tarball'],
    [['new', '--package=./nowhere.tgz'], '--package: there is no '],
  ])('refuses %j in one line, and writes nothing', (args, line) => {
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'a.txt'), '');
    writeFileSync(join(folder, 'a-file'), '');
    const { status, stdout, stderr } = create([...args, '--yes']);
    expect(stderr).toMatch(/^create-hookbell: .*\n$/);
    expect(stderr).toContain(line);
    expect([status, stdout]).toEqual([1, '']);
    expect(readdirSync(folder).sort()).toEqual(['a-file', 'full']);
    expect(readdirSync(join(folder, 'full'))).toEqual(['a.txt']);
  });

  it('refuses a Node that is too old in one line', () => {
    const { status, stderr } = create(['new', '--yes'], { node: OLD_NODE });
    expect(stderr).toBe(
      'create-hookbell: hookbell needs Node 20 or newer, and this is Node 18.19.0: install a newer one from https://nodejs.org\n',
    );
    expect(status).toBe(1);
  });

  it('says that the registry cannot be reached, and how to go on with the files that it wrote', () => {
    const { status, stdout, stderr } = create(['new', '--yes'], {
      env: { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' },
    });
    expect(stderr).toBe(
      'create-hookbell: npm could not reach its registry (ECONNREFUSED): check the network; behind a proxy, also check `npm config get proxy`\n',
    );
    expect(status).toBe(1);
    expect(stdout).toContain('\n  cd new\n  npm install\n  npx hookbell init\n  npm run dev\n');
    expect(readdirSync(join(folder, 'new'))).toContain('wrangler.toml');
  });

  it.each([
    ['does not answer', 'http://127.0.0.1:9', 'ECONNREFUSED'],
    ['has no such host', 'http://proxy.invalid:3128', 'ENOTFOUND|EAI_AGAIN'],
  ])('says in one line that a proxy %s', (_, proxy, code) => {
    const { status, stderr } = create(['new', '--yes'], {
      env: {
        npm_config_registry: 'http://registry.invalid/',
        npm_config_proxy: proxy,
        npm_config_fetch_retries: '0',
      },
    });
    expect(stderr).toMatch(
      new RegExp(
        `^create-hookbell: npm could not reach its registry \\((${code})\\): check the network; behind a proxy, also check .npm config get proxy.\\n$`,
      ),
    );
    expect(status).toBe(1);
  });

  it('says in one line that a proxy wants a login', async () => {
    const proxy = createServer((_, response) => response.writeHead(407).end());
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    const { port } = proxy.address() as AddressInfo;
    const child = spawn(process.execPath, [BIN, 'new', '--yes'], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        npm_config_registry: 'http://registry.invalid/',
        npm_config_proxy: `http://127.0.0.1:${port}`,
        npm_config_fetch_retries: '0',
      },
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.resume();
    await once(child, 'close');
    proxy.close();
    expect(stderr).toMatch(/^create-hookbell: the proxy wants a login \(407\): .*\n$/);
  });

  it('takes an empty folder, also one that is a repository of git already', () => {
    mkdirSync(join(folder, 'new', '.git'), { recursive: true });
    expect(create(['new', '--no-install'])).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(join(folder, 'new')).sort()).toEqual([
      '.dev.vars.example',
      '.git',
      '.github',
      '.gitignore',
      'README.md',
      'package.json',
      'wrangler.toml',
    ]);
  });
});

describe('arguments', () => {
  it('that create-hookbell does not know are those of `hookbell init`, with their values', () => {
    expect(
      readArguments(['my-relay', '--yes', '--provider', 'stripe', '--package', 'x.tgz', '--to', '+49']),
    ).toEqual({
      folder: 'my-relay',
      spec: 'x.tgz',
      init: ['--provider', 'stripe', '--to', '+49'],
      isYes: true,
      isHelp: false,
      isInstalling: true,
    });
  });
});

describe('where hookbell comes from', () => {
  it.each(['1.2.3', '^1.2.3', 'latest', 'https://example.com/h.tgz', 'git+ssh://git@example.com/h.git'])(
    '%s stays as it is',
    (spec) => {
      expect(readSpec(spec, folder)).toBe(spec);
    },
  );

  it('a path is one from the project, with slashes', () => {
    const tarball = join(folder, 'h.tgz');
    writeFileSync(tarball, '');
    expect(readSpec(tarball, join(folder, 'a', 'b'))).toBe('file:../../h.tgz');
    expect(readSpec(`file:${tarball}`, join(folder, 'a'))).toBe('file:../h.tgz');
  });
});

const of = (nodeVersion: string) => projectFiles({ name: 'my-relay', spec: '1.2.3', nodeVersion });

describe('the files of a project', () => {
  it('have the name everywhere, and nothing that is left to fill in', () => {
    for (const [file, text] of of('24.0.0')) expect(text.includes('{{'), file).toBe(/workflows/.test(file));
    expect(of('24.0.0').get('wrangler.toml')).toMatch(/^name = "my-relay"$/m);
  });

  it('bring a Node only where the person’s is too old for Wrangler', () => {
    const young = manifest.partial().parse(JSON.parse(of('22.1.0').get('package.json') ?? ''));
    expect([young.optionalDependencies, young.scripts?.['prepare']]).toEqual([{}, undefined]);
    const old = manifest.partial().parse(JSON.parse(of('20.20.2').get('package.json') ?? ''));
    expect(Object.keys(old.optionalDependencies ?? {})).toEqual(NODE_BUILDS);
    expect(old.scripts?.['prepare']).toBe('node node_modules/hookbell/bin/link-node.mjs');
  });

  it('name the versions that this repository is tested with', () => {
    expect(WRANGLER_VERSION).toBe(manifestOf('package.json').devDependencies['wrangler']);
    const { optionalDependencies } = manifestOf('packages/node/package.json');
    expect(optionalDependencies).toEqual(
      Object.fromEntries(NODE_BUILDS.map((build) => [build, NODE_VERSION])),
    );
  });

  it('have the settings of this repository’s Worker, but for what builds it', async () => {
    const text = of('24.0.0').get('wrangler.toml') ?? '';
    const own = readToml(text, folder);
    const root = await rootConfig();
    const { build: _, ...rest } = root;
    expect(own).toEqual({
      ...rest,
      name: 'my-relay',
      main: 'node_modules/hookbell/dist/worker/index.js',
      assets: {
        ...z.record(z.string(), z.unknown()).parse(root['assets']),
        directory: 'node_modules/hookbell/assets',
      },
    });
  });
});

/** As Wrangler reads it. */
function readToml(text: string, where: string): unknown {
  const file = join(where, 'wrangler.toml');
  writeFileSync(file, text);
  const script = `import { experimental_readRawConfig as read } from 'wrangler'; process.stdout.write(JSON.stringify(read({ config: ${JSON.stringify(file)} }).rawConfig));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
}

describe('the packages', () => {
  it('have one version', () => {
    const { version } = manifestOf('package.json');
    expect(manifestOf('packages/create-hookbell/package.json').version).toBe(version);
    expect(VERSION).toBe(version);
  });

  it('need nothing but workerd, the one that Wrangler has, so that a project has it once', () => {
    const { dependencies, optionalDependencies } = manifestOf('package.json');
    expect(dependencies).toEqual({});
    const wrangler = manifestOf('node_modules/wrangler/package.json');
    expect(optionalDependencies).toEqual({ workerd: wrangler.dependencies['workerd'] });
    expect(manifestOf('packages/create-hookbell/package.json')).toMatchObject({
      dependencies: {},
      optionalDependencies: {},
    });
  });
});
