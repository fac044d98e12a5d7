import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { allCommands, commandsFor, type CommandGroup } from '../../cli/commands.ts';
import { createProgram } from '../../cli/program.ts';
import { expectRefused, folderWith, hookbell, widest, type Refusal } from './offline.ts';

const programOf = (groups: readonly CommandGroup[]): Command =>
  createProgram(() => () => Promise.resolve(), groups);
const namesIn = ({ commands }: Command): readonly string[] => commands.map((command) => command.name());

const all = programOf(await allCommands());

it('the command of a run is found without loading the others, with the same help', async () => {
  for (const name of namesIn(all)) {
    const helpOf = (program: Command): string | undefined =>
      program.commands.find((one) => one.name() === name)?.helpInformation();
    const runs = [[name], ['--json', name], ['--url', 'https://x', name], ['help', name], [name, '--help']];
    for (const args of runs) {
      const program = programOf(await commandsFor(args));
      expect(helpOf(program)).toBe(helpOf(all));
      // Those of the same file come along.
      expect(namesIn(program).length).toBeLessThan(4);
    }
  }
  // An option's value is no command.
  expect(namesIn(programOf(await commandsFor(['--tenant', 'check', 'events'])))).toEqual(['events']);
});

it('all commands are known by name where none is found, so that the list of them can be shown', async () => {
  for (const args of [[], ['--help'], ['help'], ['evnts'], ['--json']])
    expect(programOf(await commandsFor(args)).helpInformation()).toBe(all.helpInformation());
});

it('what is typed wrong is said in one line, with what was meant', () =>
  expectRefused([
    ['evnts', 2, /^hookbell: unknown command 'evnts' \(Did you mean events\?\)\n$/],
    ['undo', 2, "hookbell: unknown command 'undo' (Did you mean rollback?)\n"],
    ['deploy hookbell', 2, "hookbell: unknown command 'deploy' (Did you mean push?)\n"],
    ['push --yess', 2, "hookbell: unknown option '--yess' (Did you mean --yes?)\n"],
    ['takeover', 2, "hookbell: missing required argument 'name'\n"],
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
