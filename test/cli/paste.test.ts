import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { pasteContext, pasted, pastedIn, programName, type PasteContext } from '../../cli/paste.ts';
import { BIN, folderWith, newFolder } from './offline.ts';

const NPX: PasteContext = { program: 'npx hookbell' };
const INSTALLED: PasteContext = { program: 'hookbell' };
const THERE: PasteContext = { ...NPX, url: 'http://localhost:8720' };
const ACME: PasteContext = { ...NPX, tenant: 'acme' };

it('a command to paste begins as the program was started, and names the relay that was chosen, unless none is called', () => {
  for (const [context, args, text] of [
    [NPX, ['push'], 'npx hookbell push'],
    [INSTALLED, ['versions'], 'hookbell versions'],
    [ACME, ['push'], 'npx hookbell --tenant acme push'],
    [ACME, ['check'], 'npx hookbell --tenant acme check'],
    [ACME, ['tenant', 'deploy', 'acme'], 'npx hookbell tenant deploy acme'],
    [THERE, ['tail'], 'HOOKBELL_URL=http://localhost:8720 npx hookbell tail'],
    [THERE, ['check', 'folder'], 'npx hookbell check folder'],
    [THERE, ['providers'], 'npx hookbell providers'],
  ] as const)
    expect(pasted(context, ...args)).toBe(text);
});

it('a command to paste in a text becomes one that can be pasted, once; the name of the product stays', () => {
  const at = 'HOOKBELL_URL=http://localhost:8720';
  const product = 'hookbell: the gateway fails; hookbell tries again, and hookbell --version is 1';
  for (const [context, text, expected] of [
    [NPX, 'look at `hookbell versions`', 'look at `npx hookbell versions`'],
    [INSTALLED, 'then npx hookbell retry --state dead, or …', 'then hookbell retry --state dead, or …'],
    [
      THERE,
      'npx hookbell diff, then npx hookbell push',
      `${at} npx hookbell diff, then ${at} npx hookbell push`,
    ],
    [ACME, '`hookbell push`', '`npx hookbell --tenant acme push`'],
    [ACME, '`hookbell tenant deploy acme`', '`npx hookbell tenant deploy acme`'],
    [THERE, product, product],
  ] as const) {
    expect(pastedIn(context, text)).toBe(expected);
    expect(pastedIn(context, expected)).toBe(expected);
  }
});

it('a command to paste names the relay of the options, else that of the environment, and none that may hold a password', () => {
  for (const [options, env, expected] of [
    [{}, {}, {}],
    [{}, { HOOKBELL_URL: 'http://localhost:8787/' }, {}],
    [{}, { HOOKBELL_URL: 'http://localhost:8720/' }, { url: 'http://localhost:8720' }],
    [{ url: 'https://relay.example' }, { HOOKBELL_URL: 'http://a.b' }, { url: 'https://relay.example' }],
    [{ tenant: 'acme' }, { HOOKBELL_URL: 'http://localhost:8720/' }, { tenant: 'acme' }],
  ] as const)
    expect(pasteContext(options, env)).toEqual({ ...NPX, ...expected });
  const secret = pasteContext({}, { HOOKBELL_URL: 'https://user:secret@relay.example' });
  expect(pasted(secret, 'push')).toBe('npx hookbell push');
});

/** A folder with a `hookbell` that leads to this program, as `npm install --global` and `npm link` make it. */
function installed(...names: readonly string[]): string {
  const folder = join(newFolder(), ...names);
  mkdirSync(folder, { recursive: true });
  symlinkSync(BIN, join(folder, 'hookbell'));
  return folder;
}

it('the program is `hookbell` where it is installed, and `npx hookbell` where only npm finds it or another has the name', () => {
  const global = installed();
  const local = installed('node_modules', '.bin');
  const other = folderWith({ hookbell: '#!/bin/sh\n' });
  for (const PATH of [['/usr/bin', global].join(delimiter), local])
    expect([PATH, programName({ PATH })]).toEqual([PATH, 'hookbell']);
  const byNpm = [{ npm_command: 'exec' }, { npm_lifecycle_event: 'start' }].map((own) => ({
    PATH: local,
    ...own,
  }));
  for (const env of [{}, { PATH: '/usr/bin' }, ...byNpm, { PATH: [other, global].join(delimiter) }])
    expect([env, programName(env)]).toEqual([env, 'npx hookbell']);
});
