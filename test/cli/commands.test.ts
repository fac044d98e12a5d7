import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { allCommands, commandsFor, type CommandGroup } from '../../cli/commands.ts';
import { createProgram } from '../../cli/program.ts';
import { BIN, ROOT, TOKEN } from './support.ts';

const programOf = (groups: readonly CommandGroup[]): Command =>
  createProgram(() => () => Promise.resolve(), groups);
const namesIn = ({ commands }: Command): readonly string[] => commands.map((command) => command.name());

const all = programOf(await allCommands());

describe('the commands of a run', () => {
  it.each(namesIn(all).map((name) => [name]))('are found for %s, with the same help', async (name) => {
    const helpOf = (program: Command): string | undefined =>
      program.commands.find((one) => one.name() === name)?.helpInformation();
    const runs = [[name], ['--json', name], ['--url', 'https://x', name], ['help', name], [name, '--help']];
    for (const args of runs) {
      const program = programOf(await commandsFor(args));
      expect(helpOf(program)).toBe(helpOf(all));
      // Those of the same file come along.
      expect(namesIn(program).length).toBeLessThan(4);
    }
  });

  it('are not those whose name is an option’s value', async () => {
    expect(namesIn(programOf(await commandsFor(['--tenant', 'check', 'events'])))).toEqual(['events']);
  });

  it.each([[[]], [['--help']], [['help']], [['evnts']], [['--json']]])(
    'are all by name for %j, so that the list of them can be shown',
    async (args) => {
      expect(programOf(await commandsFor(args)).helpInformation()).toBe(all.helpInformation());
    },
  );
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
      HOOKBELL_TOKEN: TOKEN,
      HOOKBELL_URL: 'http://localhost:9',
    },
  });
  const urls: unknown = JSON.parse(stderr.slice(stderr.lastIndexOf('\n')));
  if (!Array.isArray(urls)) throw new Error(stderr);
  return urls.map(String).filter((url) => url.includes(ROOT));
}

const HEAVY = /liquidjs|libphonenumber-js|cli.facts|node_modules\/yaml|@clack|parse-xml|jose/;

describe('the start of a command', () => {
  it('loads nothing for the version but what says it', () => {
    expect(loadedBy('--version')).toEqual([`file://${BIN}`]);
  });

  it.each([['--help'], ['events'], ['messages'], ['tail'], ['accounts'], ['providers'], ['versions']])(
    'loads no templates, phone numbers, YAML or questions for %s',
    (name) => {
      const urls = loadedBy(name);
      expect(urls.some((url) => url.endsWith('cli/process.ts'))).toBe(true);
      expect(urls.filter((url) => HEAVY.test(url))).toEqual([]);
    },
  );

  it('loads templates, but no other command, to check a folder', () => {
    const urls = loadedBy('check', 'demo');
    expect(urls.some((url) => url.includes('liquidjs'))).toBe(true);
    expect(urls.filter((url) => url.includes('/cli/commands/'))).toEqual([
      `file://${join(ROOT, 'cli/commands/check.ts')}`,
    ]);
  });
});
