import type { Argument, Command, Option } from 'commander';
import type { CliCommand } from '../../cli/command.ts';
import { allCommands, argumentText, createProgram } from '../../cli/commands.ts';
import type { Sections } from './page.ts';

/** The commands are only read: their actions are never called. */
const readCommands = async (): Promise<CliCommand> =>
  createProgram(() => () => Promise.resolve(), await allCommands());

/** cli/help.json: the summaries for the list of all commands, so that it can be shown without loading them. */
export const commandSummaries = async (): Promise<string> =>
  JSON.stringify(
    Object.fromEntries(
      (await readCommands()).commands.map((command) => [
        command.name(),
        {
          usage: [command.name(), ...command.registeredArguments.map(argumentText)].join(' '),
          summary: command.summary() || command.description(),
        },
      ]),
    ),
  );

export async function commandSections(): Promise<Sections> {
  const program = await readCommands();
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup());
  const parts = [...groups].map(
    ([title, commands]) =>
      `## ${title.replace(/:$/, '')}\n\n${commands.flatMap(leaves).map(section).join('\n')}`,
  );
  return { commands: parts.join('\n'), 'options of all commands': list(visible(program.options), []) };
}

/** The commands that do something: a command with subcommands and without arguments is only a group. */
const leaves = (command: CliCommand): readonly CliCommand[] => {
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  return [...(isGroup ? [] : [command]), ...command.commands.flatMap(leaves)];
};

function section(command: CliCommand): string {
  const usage = [fullName(command), ...command.registeredArguments.map(argumentText)].join(' ');
  const all = command.examplesFor('npx hookbell');
  const width = Math.max(...all.map(([text]) => text.length));
  const lines = all.map(([text, what]) => `${text.padEnd(width)}  # ${what}`);
  return [
    `### ${fullName(command)}`,
    '',
    withoutHtml(command.description()),
    '',
    `\`${usage}\``,
    '',
    list(visible(command.options), command.registeredArguments),
    ...(lines.length === 0 ? [] : ['```sh', ...lines, '```', '']),
  ].join('\n');
}

const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;

const visible = (options: readonly Option[]): readonly Option[] => options.filter(({ hidden }) => !hidden);

function list(options: readonly Option[], given: readonly Argument[]): string {
  const rows = [
    ...given.map((one) => [argumentText(one), one.description + standard(one.defaultValue)]),
    ...options.map(({ flags, description, defaultValue, negate }) => [
      flags,
      description + (negate ? '' : standard(defaultValue)),
    ]),
  ];
  if (rows.length === 0) return '';
  return [...rows.map(([name = '', text = '']) => `- \`${name}\`: ${withoutHtml(text)}`), ''].join('\n');
}

/** Otherwise Markdown reads `<name>` as HTML. */
const withoutHtml = (text: string): string => text.replaceAll('<', '\\<');

const standard = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? ` (default: \`${value}\`)` : '';
