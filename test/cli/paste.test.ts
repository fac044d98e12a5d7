import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pasteContext, pasted, pastedIn, programName, type PasteContext } from '../../cli/paste.ts';
import { BIN, newFolder } from './support.ts';

const NPX: PasteContext = { program: 'npx hookbell' };

describe('a command to paste', () => {
  it('begins as the program was started, and names the relay that was chosen', () => {
    expect(pasted(NPX, 'push')).toBe('npx hookbell push');
    expect(pasted({ program: 'hookbell' }, 'versions')).toBe('hookbell versions');
    expect(pasted({ ...NPX, tenant: 'acme' }, 'push')).toBe('npx hookbell --tenant acme push');
    expect(pasted({ ...NPX, url: 'http://localhost:8720' }, 'tail')).toBe(
      'HOOKBELL_URL=http://localhost:8720 npx hookbell tail',
    );
  });

  it('names no relay where none is called', () => {
    const there = { ...NPX, url: 'https://relay.example', tenant: undefined };
    expect(pasted(there, 'check', 'folder')).toBe('npx hookbell check folder');
    expect(pasted(there, 'providers')).toBe('npx hookbell providers');
    expect(pasted({ ...NPX, tenant: 'acme' }, 'tenant', 'deploy', 'acme')).toBe(
      'npx hookbell tenant deploy acme',
    );
    expect(pasted({ ...NPX, tenant: 'acme' }, 'check')).toBe('npx hookbell --tenant acme check');
  });

  it('is split by a shell into the words that it was made of', () => {
    const word = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''));
    const lists = fc.sample(fc.array(word, { minLength: 1, maxLength: 4 }), 200);
    const print: PasteContext = { program: `printf '%s\\0'` };
    const script = lists.map((args) => pasted(print, 'send', ...args)).join('\n');
    const { stdout } = spawnSync('sh', ['-s'], { input: script, encoding: 'utf8' });
    expect(stdout.split('\0').slice(0, -1)).toEqual(lists.flatMap((args) => ['send', ...args]));
  });
});

describe('the commands in a text', () => {
  const there: PasteContext = { ...NPX, url: 'http://localhost:8720' };

  it('become ones that can be pasted', () => {
    expect(pastedIn(NPX, 'look at `hookbell versions`')).toBe('look at `npx hookbell versions`');
    expect(pastedIn({ program: 'hookbell' }, 'then npx hookbell retry --state dead, or …')).toBe(
      'then hookbell retry --state dead, or …',
    );
    expect(pastedIn(there, 'npx hookbell diff, then npx hookbell push')).toBe(
      'HOOKBELL_URL=http://localhost:8720 npx hookbell diff, then HOOKBELL_URL=http://localhost:8720 npx hookbell push',
    );
    expect(pastedIn({ ...NPX, tenant: 'acme' }, '`hookbell push` or `hookbell tenant deploy acme`')).toBe(
      '`npx hookbell --tenant acme push` or `npx hookbell tenant deploy acme`',
    );
  });

  it('stay as they are once they can be', () => {
    for (const context of [
      NPX,
      there,
      { ...NPX, tenant: 'acme' },
      { program: 'hookbell', url: 'https://a.b' },
    ]) {
      const once = pastedIn(context, 'see `hookbell tail`, npx hookbell check, `hookbell tenant add x`');
      expect(pastedIn(context, once)).toBe(once);
    }
  });

  it('are only commands: the name of the product stays', () => {
    const text = 'hookbell: the gateway fails; hookbell tries again, and hookbell --version is 1';
    expect(pastedIn(there, text)).toBe(text);
  });
});

describe('the relay of a command to paste', () => {
  it.each([
    [{}, {}, {}],
    [{}, { HOOKBELL_URL: 'http://localhost:8787/' }, {}],
    [{}, { HOOKBELL_URL: 'http://localhost:8720/' }, { url: 'http://localhost:8720' }],
    [{ url: 'https://relay.example' }, { HOOKBELL_URL: 'http://a.b' }, { url: 'https://relay.example' }],
    [{ tenant: 'acme' }, { HOOKBELL_URL: 'http://localhost:8720/' }, { tenant: 'acme' }],
  ])('with %j and %j is %j', (options, env, expected) => {
    expect(pasteContext(options, env)).toEqual({ program: 'npx hookbell', ...expected });
  });

  it('is left out when it is refused: it may hold a password', () => {
    const context = pasteContext({}, { HOOKBELL_URL: 'https://user:secret@relay.example' });
    expect(pasted(context, 'push')).toBe('npx hookbell push');
  });
});

/** A folder with a `hookbell` that leads to this program, as `npm install --global` and `npm link` make it. */
function installed(...names: readonly string[]): string {
  const folder = join(newFolder(), ...names);
  mkdirSync(folder, { recursive: true });
  symlinkSync(BIN, join(folder, 'hookbell'));
  return folder;
}

describe('the name of the program', () => {
  it('is `npx hookbell` from a repository, and `hookbell` where it is installed', () => {
    expect(programName({})).toBe('npx hookbell');
    expect(programName({ PATH: '/usr/bin' })).toBe('npx hookbell');
    expect(programName({ PATH: ['/usr/bin', installed()].join(delimiter) })).toBe('hookbell');
  });

  it('is `npx hookbell` where only npm finds it', () => {
    const PATH = installed('node_modules', '.bin');
    expect(programName({ PATH, npm_command: 'exec' })).toBe('npx hookbell');
    expect(programName({ PATH, npm_lifecycle_event: 'start' })).toBe('npx hookbell');
    expect(programName({ PATH })).toBe('hookbell');
  });

  it('is `npx hookbell` where another program has that name', () => {
    const other = newFolder();
    writeFileSync(join(other, 'hookbell'), '#!/bin/sh\n');
    expect(programName({ PATH: [other, installed()].join(delimiter) })).toBe('npx hookbell');
  });
});
