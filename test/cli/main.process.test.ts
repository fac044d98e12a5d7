import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { BIN, folderWith, ROOT } from './offline.ts';
import { hookbellProcess } from './support.ts';

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
