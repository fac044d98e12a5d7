import type { AddCommand } from './command.ts';
import json from './help.json' with { type: 'json' };

/** The summary of each command in the list of all; written by `npm run docs`. */
const help: Readonly<Record<string, { readonly usage: string; readonly summary: string }>> = json;

/** Commands of one file, by the names that they are called by. The file is read when one of them is needed. */
interface CommandFile {
  readonly names: readonly string[];
  readonly load: () => Promise<AddCommand>;
}

/** Commands under one heading of the help. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly AddCommand[];
}

/** All commands, in the order of the help. A new command is a line here. */
const GROUPS: readonly { readonly title: string; readonly files: readonly CommandFile[] }[] = [
  {
    title: 'Configuration in files:',
    files: [
      { names: ['init'], load: async () => (await import('./commands/init.ts')).addInit },
      { names: ['check'], load: async () => (await import('./commands/check.ts')).addCheck },
      { names: ['diff'], load: async () => (await import('./commands/diff.ts')).addDiff },
      { names: ['push'], load: async () => (await import('./commands/push.ts')).addPush },
      { names: ['pull'], load: async () => (await import('./commands/pull.ts')).addPull },
      { names: ['versions'], load: async () => (await import('./commands/versions.ts')).addVersions },
      { names: ['rollback'], load: async () => (await import('./commands/rollback.ts')).addRollback },
      { names: ['takeover'], load: async () => (await import('./commands/takeover.ts')).addTakeover },
      { names: ['form'], load: async () => (await import('./commands/form.ts')).addForm },
      { names: ['preview'], load: async () => (await import('./commands/preview.ts')).addPreview },
      { names: ['providers'], load: async () => (await import('./commands/providers.ts')).addProviders },
    ],
  },
  {
    title: 'History:',
    files: [
      { names: ['events'], load: async () => (await import('./commands/events.ts')).addEvents },
      { names: ['messages'], load: async () => (await import('./commands/messages.ts')).addMessages },
      { names: ['incidents'], load: async () => (await import('./commands/incidents.ts')).addIncidents },
      { names: ['rejections'], load: async () => (await import('./commands/rejections.ts')).addRejections },
      { names: ['search'], load: async () => (await import('./commands/search.ts')).addSearch },
      { names: ['tail'], load: async () => (await import('./commands/tail.ts')).addTail },
      { names: ['export'], load: async () => (await import('./commands/export.ts')).addExport },
    ],
  },
  {
    title: 'Actions:',
    files: [
      { names: ['send'], load: async () => (await import('./commands/send.ts')).addSend },
      { names: ['retry', 'replay'], load: async () => (await import('./commands/repeat.ts')).addRepeat },
      { names: ['cancel'], load: async () => (await import('./commands/cancel.ts')).addCancel },
      {
        names: ['accounts', 'pause', 'resume'],
        load: async () => (await import('./commands/accounts.ts')).addAccounts,
      },
      { names: ['silence'], load: async () => (await import('./commands/silence.ts')).addSilence },
      {
        names: ['suppressions'],
        load: async () => (await import('./commands/suppressions.ts')).addSuppressions,
      },
      { names: ['on-call'], load: async () => (await import('./commands/on-call.ts')).addOnCall },
      { names: ['pair'], load: async () => (await import('./commands/pair.ts')).addPair },
    ],
  },
  {
    title: 'Running a relay:',
    files: [
      { names: ['dev'], load: async () => (await import('./commands/dev.ts')).addDev },
      { names: ['console'], load: async () => (await import('./commands/console.ts')).addConsole },
      { names: ['gateway'], load: async () => (await import('./commands/gateway.ts')).addGateway },
      { names: ['doctor'], load: async () => (await import('./doctor.ts')).addDoctor },
      { names: ['tenant'], load: async () => (await import('./tenant.ts')).addTenant },
      { names: ['tenants'], load: async () => (await import('./commands/tenants.ts')).addTenants },
    ],
  },
];

/** All commands, with their options. */
export const allCommands = (): Promise<readonly CommandGroup[]> =>
  load((files) => Promise.all(files.map((file) => file.load())));

/**
 * Loads the command that these arguments are for. Without one, a help that names all commands needs
 * none of them, but the summaries in `help.json`.
 */
export function commandsFor(args: readonly string[]): Promise<readonly CommandGroup[]> {
  const name = commandIn(args);
  const isNamed = ({ names }: CommandFile): boolean => name !== undefined && names.includes(name);
  return load(async (files) =>
    name === undefined
      ? files.flatMap(({ names }) => names.map(nameOnly))
      : Promise.all(files.filter(isNamed).map((file) => file.load())),
  );
}

type Load = (files: readonly CommandFile[]) => Promise<readonly AddCommand[]>;

const load = (commandsOf: Load): Promise<readonly CommandGroup[]> =>
  Promise.all(GROUPS.map(async ({ title, files }) => ({ title, commands: await commandsOf(files) })));

/** A command as the list of all shows it. */
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
  return GROUPS.some(({ files }) => files.some(({ names }) => names.includes(first))) ? first : undefined;
}
