import type { Argument, Command, Option } from 'commander';
import type { CliCommand } from '../../cli/command.ts';
import { allCommands } from '../../cli/commands.ts';
import { argumentText, createProgram } from '../../cli/program.ts';

const INTRODUCTION = `# The command line

<!-- Made by \`npm run docs\` from the commands themselves. -->

\`hookbell\` publishes documents to a relay and shows what happens to webhooks. It needs Node 20 or newer. In this
repository, run \`npx hookbell …\`; where it is installed, \`hookbell …\`. The commands that it prints work as they are.
It controls a running relay through its [admin API](api.md).

\`\`\`sh
export HOOKBELL_URL=http://localhost:8787      # the default; --url overrides it
export HOOKBELL_TOKEN=demo-admin-token         # the relay's ADMIN_TOKEN; in an option, other users could see it
npx hookbell init                              # write a new source into ./hookbell
npx hookbell check                             # find errors, compare the fixtures’ messages
npx hookbell push                              # show the changes, ask, publish
npx hookbell tail                              # watch
\`\`\`

Results go to stdout, everything else to stderr. \`--json\` prints the API's answer as JSON. Terminals get colours;
\`NO_COLOR\` and \`FORCE_COLOR\` override this. Commands ask only on a terminal. Elsewhere, as in CI, a command that has to
ask fails without \`--yes\`.

| exit code | meaning                                                                                       |
| --------- | --------------------------------------------------------------------------------------------- |
| 0         | done                                                                                          |
| 1         | failed; one line on stderr says why and what to do                                           |
| 2         | wrong usage                                                                                   |
| 130       | stopped by Ctrl-C. No file or publish is half done; \`push\` says if it published       |

## Fixtures

A fixture is a webhook in a file, \`fixtures/<source>/<name>.json\` or \`.http\`, with its expected messages beside it in
\`<name>.expected.json\`: \`{"messages": [{route, kind, phone, params}], "failures": […]}\`. \`check\` renders each one offline
and shows the differences; \`check --update\` accepts the current messages. A \`.json\` file contains a JSON body, and an
\`.http\` file a whole request, whose signature is not checked:

\`\`\`http
POST /hooks/shop HTTP/1.1
Content-Type: application/x-www-form-urlencoded
X-Event: order.paid

id=1042&phone=0151+23456789
\`\`\`

Unless it has a \`Date\` header, a fixture is received on 2026-01-05 at 08:30 UTC, so its messages are the same every day.
`;

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

export async function commandsPage(): Promise<string> {
  const program = await readCommands();
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup());
  const parts = [...groups].map(
    ([title, commands]) =>
      `## ${title.replace(/:$/, '')}\n\n${commands.flatMap(leaves).map(section).join('\n')}`,
  );
  const common = `## Options of all commands\n\n${list(visible(program.options), [])}`;
  return [INTRODUCTION, ...parts, common].join('\n');
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
