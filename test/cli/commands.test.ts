import { expect, it } from 'vitest';
import { expectRefused, folderWith, hookbell, widest, type Refusal } from './offline.ts';

it('what is typed wrong is said in one line, with what was meant', () =>
  expectRefused([
    ['evnts', 2, /^hookbell: unknown command 'evnts' \(Did you mean events\?\)\n$/],
    ['undo', 2, "hookbell: unknown command 'undo' (Did you mean rollback?)\n"],
    ['deploy hookbell', 2, "hookbell: unknown command 'deploy' (Did you mean push?)\n"],
    ['push --yess', 2, "hookbell: unknown option '--yess' (Did you mean --yes?)\n"],
    ['takeover', 2, "hookbell: missing required argument 'name'\n"],
    ['incidents ack inc_1', 2, "hookbell: unknown command 'ack' (Did you mean acknowledge?)\n"],
    ['versions a', 2, /^hookbell: too many arguments/],
    [
      'events --limit x',
      2,
      "'-n, --limit <n>' argument 'x' is invalid. It must be a whole number from 1 to 200.\n",
    ],
  ]));

it('the help is within 80 columns', async () => {
  for (const args of ['--help', 'help', 'push --help', 'help init']) {
    const { code, stdout, stderr } = await hookbell(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npx hookbell/);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
  }
  expect((await hookbell([])).code).toBe(2);
});

it('a folder that cannot be used is said in one line, by each command that takes one', async () => {
  const cwd = folderWith({ 'a.json': '{}', 'empty/a.txt': '' });
  for (const command of ['check', 'diff', 'push']) {
    const refusals: readonly Refusal[] = [
      [`${command} nowhere`, 1, /there is no folder nowhere; `\S+ npx hookbell init nowhere` makes one/],
      [`${command} empty`, 1, 'empty has none of the folders sources, templates, recipients, accounts'],
      [`${command} a.json`, 1, 'a.json is not a folder'],
    ];
    await expectRefused(refusals, () => ({ cwd }));
  }
});
