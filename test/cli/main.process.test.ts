import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookbell, hookbellProcess, newFolder, start, until } from './support.ts';

/** A Node that is too old for TypeScript, if this machine has one. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((file) => {
  if (!existsSync(file)) return false;
  return (
    execFileSync(file, ['-p', 'String(process.features.typescript)'], { encoding: 'utf8' }).trim() !== 'strip'
  );
});

describe('hookbell', () => {
  it.each([
    [['evnts'], "hookbell: unknown command 'evnts' (Did you mean events?)\n"],
    [['undo'], "hookbell: unknown command 'undo' (Did you mean rollback?)\n"],
    [['deploy', 'hookbell'], "hookbell: unknown command 'deploy' (Did you mean push?)\n"],
    [['push', '--yess'], "hookbell: unknown option '--yess' (Did you mean --yes?)\n"],
    [['takeover'], "hookbell: missing required argument 'name'\n"],
    [['versions', 'a'], /^hookbell: too many arguments/],
    [
      ['events', '--limit', 'x'],
      /^hookbell: option '-n, --limit <n>' argument 'x' is invalid\. It must be a whole number from 1 to 200\.\n$/,
    ],
  ])('says in one line how %j is wrong, and exits with 2', async (args, message) => {
    const { code, stdout, stderr } = await hookbell(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    if (typeof message === 'string') expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
  });

  it('explains itself within 80 columns', async () => {
    for (const args of [['--help'], ['help'], ['push', '--help'], ['help', 'init']]) {
      const { code, stdout, stderr } = await hookbell(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage: npx hookbell/);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    }
    expect((await hookbell([])).code).toBe(2);
  });

  it('says which version it is', async () => {
    expect((await hookbellProcess(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    ['nowhere', /there is no folder nowhere; `\S+ npx hookbell init nowhere` makes one/],
    ['package.json', /package\.json is not a folder/],
    ['empty', /empty has none of the folders sources, templates, recipients, accounts/],
  ])('says what is wrong with the folder %s', async (folder, message) => {
    const cwd = newFolder();
    mkdirSync(join(cwd, 'empty'));
    for (const command of ['check', 'diff', 'push']) {
      const options = folder === 'package.json' ? {} : { cwd };
      const { code, stdout, stderr } = await hookbell([command, folder], options);
      expect(stderr).toMatch(message);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    }
  });

  it('has colours where they are wanted, and only there', async () => {
    const plain = await hookbellProcess(['check', 'demo']);
    expect(plain.stdout).not.toContain('\u001b');
    const forced = await hookbellProcess(['check', 'demo'], { env: { FORCE_COLOR: '1' } });
    expect(forced.stdout).toContain('\u001b[32m✓');
  });
});

describe.skipIf(oldNode === undefined)('under a Node that cannot run TypeScript', () => {
  const node = oldNode ?? '';

  it('does the same, with the Node of the dependencies', async () => {
    const { code, stdout, stderr } = await hookbellProcess(['check', 'demo'], { node });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('demo: 3 sources');
    expect((await hookbellProcess(['nonsense'], { node })).code).toBe(2);
  });

  it('passes Ctrl-C on, and the exit code back', async () => {
    const tail = start(['tail'], { node });
    await until(() => tail.written().stderr.includes('watching'), 'the view');
    tail.child.kill('SIGINT');
    expect((await tail.done).code).toBe(130);
  });
});
