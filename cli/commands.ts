import { type Argument, Command } from 'commander';
import { DEFAULT_URL } from './client.ts';
import { CliCommand, type AddCommand, type RunCommand } from './command.ts';
import json from './help.json' with { type: 'json' };

/** The summary of each command in the list of all; written by `npm run docs`. */
const help: Readonly<Record<string, { readonly usage: string; readonly summary: string }>> = json;

type Load = () => Promise<{ readonly add: AddCommand }>;

interface CommandGroup {
  readonly title: string;
  readonly commands: readonly AddCommand[];
}

/**
 * All commands, in the order of the help: files by the names of their commands. A file is read when one of them is needed.
 * A new command is a line here.
 */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'Configuration in files:': {
    init: () => import('./commands/init.ts'),
    check: () => import('./commands/check.ts'),
    diff: () => import('./commands/diff.ts'),
    push: () => import('./commands/push.ts'),
    pull: () => import('./commands/pull.ts'),
    versions: () => import('./commands/versions.ts'),
    rollback: () => import('./commands/rollback.ts'),
    takeover: () => import('./commands/takeover.ts'),
    form: () => import('./commands/form.ts'),
    preview: () => import('./commands/preview.ts'),
    providers: () => import('./commands/providers.ts'),
  },
  'History:': {
    events: () => import('./commands/events.ts'),
    messages: () => import('./commands/messages.ts'),
    incidents: () => import('./commands/incidents.ts'),
    rejections: () => import('./commands/rejections.ts'),
    search: () => import('./commands/search.ts'),
    tail: () => import('./commands/tail.ts'),
    export: () => import('./commands/export.ts'),
  },
  'Actions:': {
    send: () => import('./commands/send.ts'),
    retry: () => import('./commands/retry.ts'),
    replay: () => import('./commands/replay.ts'),
    cancel: () => import('./commands/cancel.ts'),
    'accounts pause resume': () => import('./commands/accounts.ts'),
    silence: () => import('./commands/silence.ts'),
    suppressions: () => import('./commands/suppressions.ts'),
    'on-call': () => import('./commands/on-call.ts'),
    pair: () => import('./commands/pair.ts'),
  },
  'Running a relay:': {
    dev: () => import('./commands/dev.ts'),
    console: () => import('./commands/console.ts'),
    gateway: () => import('./commands/gateway.ts'),
    doctor: () => import('./commands/doctor.ts'),
    'tenant tenants': () => import('./commands/tenant.ts'),
  },
};

export const allCommands = (): Promise<readonly CommandGroup[]> =>
  commandsOf(async (_, load) => [(await load()).add]);

/** Loads the command of these arguments. A help that names all needs none of them, but their summaries. */
export function commandsFor(args: readonly string[]): Promise<readonly CommandGroup[]> {
  const name = commandIn(args);
  return commandsOf(async (names, load) => {
    if (name === undefined) return names.map(nameOnly);
    return names.includes(name) ? [(await load()).add] : [];
  });
}

const commandsOf = (
  read: (names: readonly string[], load: Load) => Promise<readonly AddCommand[]>,
): Promise<readonly CommandGroup[]> =>
  Promise.all(
    Object.entries(GROUPS).map(async ([title, files]) => {
      const commands = Object.entries(files).map(([names, load]) => read(names.split(' '), load));
      return { title, commands: (await Promise.all(commands)).flat() };
    }),
  );

function nameOnly(name: string): AddCommand {
  const { usage, summary } = help[name] ?? { usage: name, summary: '' };
  return (program) => void program.command(usage).description(summary);
}

const NAMES = new Set(
  Object.values(GROUPS).flatMap((files) => Object.keys(files).flatMap((names) => names.split(' '))),
);

/** Options that come before a command and have a value after them. */
const WITH_VALUE = new Set(['--url', '--tenant']);

/** The command in the arguments. Undefined if there is none, or if it does not exist. */
function commandIn(args: readonly string[]): string | undefined {
  const [first = '', ...rest] = args;
  if (WITH_VALUE.has(first)) return commandIn(rest.slice(1));
  if ((first.startsWith('-') || first === 'help') && rest.length > 0) return commandIn(rest);
  return NAMES.has(first) ? first : undefined;
}

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

/** Commands, with the words by which other tools call them. */
const OTHER_WORDS = {
  rollback: ['undo', 'revert', 'restore', 'activate'],
  push: ['publish', 'apply', 'deploy'],
  pull: ['download', 'fetch'],
  check: ['validate', 'lint', 'test'],
  init: ['add', 'create', 'new'],
  tail: ['logs', 'watch', 'follow'],
  doctor: ['status', 'health'],
  silence: ['mute', 'snooze'],
  suppressions: ['opt-out', 'unsubscribe'],
  replay: ['resend'],
  versions: ['history', 'log'],
  preview: ['render'],
  console: ['web', 'ui', 'login', 'open'],
};

/** An error about an unknown command, with the one that was probably meant. */
export function withCommandMeant(error: string, { parent }: Pick<Command, 'parent'>): string {
  // A group takes a word that is none of its commands for an argument of its default one.
  const [, unknown, extra] = /^(?:unknown command '([^']+)'|too many .* got \d+: ([^,.]+))/.exec(error) ?? [];
  const isGroup = parent !== null && parent.parent !== null;
  const meant =
    extra === undefined
      ? Object.entries(OTHER_WORDS).find(([, words]) => unknown !== undefined && words.includes(unknown))?.[0]
      : parent?.commands.find((one) => isGroup && one.name().startsWith(extra))?.name();
  return meant === undefined ? error : `unknown command '${unknown ?? extra}' (Did you mean ${meant}?)`;
}
