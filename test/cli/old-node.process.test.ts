import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { BIN } from './support.ts';

it('a Node that is too old for hookbell is refused in one line', () => {
  const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.19.0'})`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', old, BIN, 'check'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe(
    'hookbell: hookbell needs Node 20 or newer, and this is Node 18.19.0: install a newer one from https://nodejs.org\n',
  );
  expect([status, stdout]).toEqual([1, '']);
});
