import { type Argument, Command } from 'commander';
import type { CommandGroup } from './commands.ts';
import { CliCommand, type RunCommand } from './command.ts';
import { DEFAULT_URL } from './client.ts';

/** Options that may come before or after any command. */
export interface GlobalOptions {
  readonly url?: string;
  readonly tenant?: string;
  readonly json?: true;
}

/** The tree of these commands. `run` makes an action of a command's handler; the docs' script gives one that does nothing. */
export function createProgram(run: RunCommand, groups: readonly CommandGroup[]): CliCommand {
  const program = new CliCommand('hookbell', run)
    .description('Point any SaaS webhook at it; a phone gets the message.')
    .option('--url <address>', `the relay's address (HOOKBELL_URL; else ${DEFAULT_URL})`)
    .option('--tenant <name>', 'the relay of tenants/<name>, with its own address and token')
    .option('--json', 'print results as JSON')
    .helpOption('-h, --help', 'show this help')
    .addHelpCommand(
      new Command('help').argument('[command]').summary('show the help of a command').helpGroup('Help:'),
    )
    .showSuggestionAfterError()
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) =>
        [command.name(), ...command.registeredArguments.map((one) => argumentText(one))].join(' '),
    });
  program.addHelpText('after', ENVIRONMENT);
  for (const { title, commands } of groups) {
    program.commandsGroup(title);
    for (const add of commands) add(program);
  }
  return program;
}

/** `<id>` must be given, `[id]` may be. */
export const argumentText = (one: Argument): string => (one.required ? `<${one.name()}>` : `[${one.name()}]`);

const ENVIRONMENT = `
Environment:
  HOOKBELL_URL    the relay's address, instead of --url
  HOOKBELL_TOKEN  the relay's ADMIN_TOKEN, OPERATOR_TOKEN or VIEWER_TOKEN
  NO_COLOR        no colours; FORCE_COLOR: colours without a terminal

hookbell --version shows this version.
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C`;

/** Words by which other tools call a command, with its name here. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  undo: 'rollback',
  revert: 'rollback',
  restore: 'rollback',
  activate: 'rollback',
  publish: 'push',
  apply: 'push',
  deploy: 'push',
  download: 'pull',
  fetch: 'pull',
  validate: 'check',
  lint: 'check',
  test: 'check',
  add: 'init',
  create: 'init',
  new: 'init',
  logs: 'tail',
  watch: 'tail',
  follow: 'tail',
  status: 'doctor',
  health: 'doctor',
  mute: 'silence',
  snooze: 'silence',
  'opt-out': 'suppressions',
  unsubscribe: 'suppressions',
  resend: 'replay',
  history: 'versions',
  log: 'versions',
  render: 'preview',
  web: 'console',
  ui: 'console',
  login: 'console',
  open: 'console',
};

/** An error about an unknown command, with the one that was probably meant. */
export function withCommandMeant(error: string): string {
  const [, word = ''] = /^unknown command '([^']+)'/.exec(error) ?? [];
  const meant = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : undefined;
  return meant === undefined ? error : `unknown command '${word}' (Did you mean ${meant}?)`;
}
