import type { AddCommand } from './command.ts';
import json from './help.json' with { type: 'json' };

/** The summary of each command in the list of all; written by `npm run docs`. */
const help: Readonly<Record<string, { readonly usage: string; readonly summary: string }>> = json;

type Load = () => Promise<{ readonly add: AddCommand }>;

export interface CommandGroup {
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
