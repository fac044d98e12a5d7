import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BIN, folderWith } from './offline.ts';
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
