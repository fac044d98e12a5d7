import type { AddCommand } from './command.ts';
import json from './help.json' with { type: 'json' };

/** The summary of each command in the list of all; written by `npm run docs`. */
const help: Readonly<Record<string, { readonly usage: string; readonly summary: string }>> = json;

/** Commands of one file, by the names that they are called by. The file is read when one of them is needed. */
type CommandFile = readonly [names: readonly string[], load: () => Promise<{ readonly add: AddCommand }>];

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly AddCommand[];
}

/** All commands, in the order of the help. A new command is a line here. */
const GROUPS: readonly { readonly title: string; readonly files: readonly CommandFile[] }[] = [
  {
    title: 'Configuration in files:',
    files: [
      [['init'], () => import('./commands/init.ts')],
      [['check'], () => import('./commands/check.ts')],
      [['diff'], () => import('./commands/diff.ts')],
      [['push'], () => import('./commands/push.ts')],
      [['pull'], () => import('./commands/pull.ts')],
      [['versions'], () => import('./commands/versions.ts')],
      [['rollback'], () => import('./commands/rollback.ts')],
      [['takeover'], () => import('./commands/takeover.ts')],
      [['form'], () => import('./commands/form.ts')],
      [['preview'], () => import('./commands/preview.ts')],
      [['providers'], () => import('./commands/providers.ts')],
    ],
  },
  {
    title: 'History:',
    files: [
      [['events'], () => import('./commands/events.ts')],
      [['messages'], () => import('./commands/messages.ts')],
      [['incidents'], () => import('./commands/incidents.ts')],
      [['rejections'], () => import('./commands/rejections.ts')],
      [['search'], () => import('./commands/search.ts')],
      [['tail'], () => import('./commands/tail.ts')],
      [['export'], () => import('./commands/export.ts')],
    ],
  },
  {
    title: 'Actions:',
    files: [
      [['send'], () => import('./commands/send.ts')],
      [['retry'], () => import('./commands/retry.ts')],
      [['replay'], () => import('./commands/replay.ts')],
      [['cancel'], () => import('./commands/cancel.ts')],
      [['accounts', 'pause', 'resume'], () => import('./commands/accounts.ts')],
      [['silence'], () => import('./commands/silence.ts')],
      [['suppressions'], () => import('./commands/suppressions.ts')],
      [['on-call'], () => import('./commands/on-call.ts')],
      [['pair'], () => import('./commands/pair.ts')],
    ],
  },
  {
    title: 'Running a relay:',
    files: [
      [['dev'], () => import('./commands/dev.ts')],
      [['console'], () => import('./commands/console.ts')],
      [['gateway'], () => import('./commands/gateway.ts')],
      [['doctor'], () => import('./commands/doctor.ts')],
      [['tenant'], () => import('./commands/tenant.ts')],
      [['tenants'], () => import('./commands/tenants.ts')],
    ],
  },
];

export const allCommands = (): Promise<readonly CommandGroup[]> => commandsOf(loaded);

/** Loads the command of these arguments. A help that names all needs none of them, but their summaries. */
export function commandsFor(args: readonly string[]): Promise<readonly CommandGroup[]> {
  const name = commandIn(args);
  return commandsOf((files) =>
    name === undefined
      ? files.flatMap(([names]) => names.map(nameOnly))
      : loaded(files.filter(([names]) => names.includes(name))),
  );
}

const loaded = (files: readonly CommandFile[]): Promise<readonly AddCommand[]> =>
  Promise.all(files.map(async ([, load]) => (await load()).add));

const commandsOf = (
  read: (files: readonly CommandFile[]) => readonly AddCommand[] | Promise<readonly AddCommand[]>,
): Promise<readonly CommandGroup[]> =>
  Promise.all(GROUPS.map(async ({ title, files }) => ({ title, commands: await read(files) })));

function nameOnly(name: string): AddCommand {
  const { usage, summary } = help[name] ?? { usage: name, summary: '' };
  return (program) => void program.command(usage).description(summary);
}

/** Options that come before a command and have a value after them. */
const WITH_VALUE = new Set(['--url', '--tenant']);

/** The command in the arguments. Undefined if there is none, or if it does not exist. */
function commandIn(args: readonly string[]): string | undefined {
  const [first = '', ...rest] = args;
  if (WITH_VALUE.has(first)) return commandIn(rest.slice(1));
  if ((first.startsWith('-') || first === 'help') && rest.length > 0) return commandIn(rest);
  return GROUPS.some(({ files }) => files.some(([names]) => names.includes(first))) ? first : undefined;
}
