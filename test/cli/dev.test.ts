import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeUpSecrets, missingSecrets } from '../../cli/dev/missing-secrets.ts';
import { readDevVars } from '../../cli/dev/start.ts';
import { hookbell, newFolder } from './support.ts';

function folderWith(source: string): string {
  const folder = newFolder();
  mkdirSync(join(folder, 'sources'));
  writeFileSync(join(folder, 'sources', 'shop.yaml'), source);
  return folder;
}

describe('secrets that nobody has set', () => {
  it('are those that the documents name, but for the login of a gateway, which is the simulator’s', () => {
    const folder = folderWith(
      'provider: stripe\nsecrets: [ONE, TWO]\nroutes: [{name: a, to: "4915112345678", send: {kind: text, message: a}}]\n',
    );
    expect(missingSecrets(folder, {})).toEqual(['ONE', 'TWO']);
    expect(missingSecrets(folder, { ONE: 'x' })).toEqual(['TWO']);
    expect(missingSecrets(join(folder, 'nowhere'), {})).toEqual([]);
  });

  it('get random values in a file that only its user can read, and those that are there stay', () => {
    const file = join(newFolder(), '.dev.vars');
    makeUpSecrets(file, ['ONE']);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const { ONE: first = '' } = readDevVars(file);
    expect(first).toMatch(/^[\w-]{32}$/);
    writeFileSync(file, `${readFileSync(file, 'utf8')}OWN=mine`);
    makeUpSecrets(file, ['TWO']);
    const all = readDevVars(file);
    expect(all).toMatchObject({ ONE: first, OWN: 'mine' });
    expect(all['TWO']).not.toBe(first);
  });
});

describe('dev', () => {
  it.each([
    [['--port', '0'], {}, 'whole number from 1 to 65535'],
    [[], { PORT: 'many' }, 'PORT must be a port number from 1 to 65535, not many'],
    [[], { SIMULATOR_PORT: '99999' }, 'SIMULATOR_PORT must be a port number from 1 to 65535, not 99999'],
    [['--phone', 'sms:1'], {}, '--phone must be ntfy:my-topic'],
  ])('%j %j is wrong usage, and starts nothing', async (args, env, line) => {
    const folder = newFolder();
    const run = await hookbell(['dev', ...args], { cwd: folder, env });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(line);
    expect(existsSync(join(folder, '.wrangler'))).toBe(false);
  });
});
