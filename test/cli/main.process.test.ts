import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { processClock } from '../clock/processes.ts';
import { admin, BIN, folderWith, hookbellProcess, ROOT, start, until } from './support.ts';

/** A Node that is too old for TypeScript, if this machine has one. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((file) => {
  if (!existsSync(file)) return false;
  const features = execFileSync(file, ['-p', 'String(process.features.typescript)'], { encoding: 'utf8' });
  return features.trim() !== 'strip';
});

describe.skipIf(oldNode === undefined)('under a Node that cannot run TypeScript', () => {
  const node = oldNode ?? '';

  it('does the same, with the Node of the dependencies', async () => {
    const { code, stdout, stderr } = await hookbellProcess('check demo', { node });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('demo: 3 sources');
    expect((await hookbellProcess('nonsense', { node })).code).toBe(2);
  });

  it('passes Ctrl-C on, and the exit code back', async () => {
    const tail = start('tail', { node });
    await until(() => tail.written().stderr.includes('watching'), 'the view');
    tail.child.kill('SIGINT');
    expect((await tail.done).code).toBe(130);
  });
});

it('a Node that is too old for hookbell is refused in one line', () => {
  const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.19.0'})`;
  const run = spawnSync(process.execPath, ['--import', old, BIN, 'check'], { encoding: 'utf8' });
  expect(run).toMatchObject({
    status: 1,
    stdout: '',
    stderr:
      'hookbell: hookbell needs Node 20 or newer, and this is Node 18.19.0: install a newer one from https://nodejs.org\n',
  });
});

it('stdin is the body of a preview, and a process has no colours in a pipe', async () => {
  const route = "{ name: a, to: '4915112345699', send: { kind: text, message: 'Hi {{ payload.name }}' } }";
  const draft = folderWith({ 'new.yaml': `verify: { scheme: none }\nroutes: [${route}]\n` });
  const preview = ['preview', 'new', '--draft', join(draft, 'new.yaml'), '--body', '-'];
  const { code, stdout } = await hookbellProcess(preview, { input: '{"name":"Ada"}' });
  expect([code, stdout]).toEqual([0, expect.stringContaining('Hi Ada')]);
  expect(stdout).not.toContain('\u001b');
});

/** Writes the modules that a process has loaded to its stderr when it ends. */
const LISTING = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const urls = new Set();
  registerHooks({ resolve: (name, context, next) => {
    const found = next(name, context);
    urls.add(found.url);
    return found;
  } });
  process.on('exit', () => process.stderr.write('\\n' + JSON.stringify([...urls])));
`)}`;

/** The project's modules that a run loads, from the sources and not from their bundle. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const { stderr } = spawnSync(process.execPath, ['--import', LISTING, BIN, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOOKBELL_DEBUG: '1',
      HOOKBELL_TOKEN: 'a-token-of-nobody',
      HOOKBELL_URL: 'http://localhost:9',
    },
  });
  const urls = z.array(z.string()).parse(JSON.parse(stderr.slice(stderr.lastIndexOf('\n'))));
  return urls.filter((url) => url.includes(ROOT));
}

it('the start of a command loads nothing that it does not need', () => {
  const heavy = /liquidjs|libphonenumber-js|cli.facts|node_modules\/yaml|@clack|parse-xml|jose/;
  expect(loadedBy('--version')).toEqual([`file://${BIN}`]);
  for (const name of ['--help', 'events', 'messages', 'tail', 'accounts', 'providers', 'versions']) {
    const urls = loadedBy(name);
    expect(urls.some((url) => url.endsWith('cli/process.ts'))).toBe(true);
    expect([name, urls.filter((url) => heavy.test(url))]).toEqual([name, []]);
  }
  // Templates, but no other command, to check a folder.
  const urls = loadedBy('check', 'demo');
  expect(urls.some((url) => url.includes('liquidjs'))).toBe(true);
  const commands = urls.filter((url) => url.includes('/cli/commands/'));
  expect(commands).toEqual([`file://${join(ROOT, 'cli/commands/check.ts')}`]);
});

it('the relay and a Node that runs the command line have the clock of the tests, whatever TEST_CLOCK says', async () => {
  const before = Date.now();
  const { now } = z.object({ now: z.string() }).parse(await admin('GET', '/doctor'));
  const env = { ...process.env, ...processClock() };
  const ofNode = Number(execFileSync(process.execPath, ['-p', 'Date.now()'], { env, encoding: 'utf8' }));
  const times = [before, Date.parse(now), ofNode, Date.now()];
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
