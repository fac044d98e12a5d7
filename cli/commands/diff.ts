import { type AddCommand, type Cli, type Options, wholeNumber } from '../command.ts';
import { diffSets, showChanges, summary } from '../diff/documents.ts';
import { compareVersions, showComparison } from '../diff/versions.ts';
import { misused, type CommandResult } from '../failure.ts';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import { showProblem } from '../folder/problem.ts';
import { readFolder } from '../folder/read.ts';
import { keepingText, readKeeping, readWholeConfig } from '../relay/config.ts';

type DiffOptions = Options<never, 'exitCode'> & { readonly from?: number; readonly to?: number };

const versionNumber = wholeNumber(1, Number.MAX_SAFE_INTEGER);

export const add: AddCommand = (program) => {
  program
    .command('diff')
    .argument('[folder]', `the folder with the documents (default: "${DEFAULT_FOLDER}")`)
    .option('--from <version>', 'compare from this version (default: the active one)', versionNumber)
    .option('--to <version>', 'compare to this version (default: the active one)', versionNumber)
    .option('--exit-code', 'exit with 1 if there are differences')
    .summary('show what a push would change, or compare two versions')
    .description(
      'Compares a folder with the active version, document by document: + added, ~ changed, - removed. Ignores comments and the order of keys. With --from or --to, compares two published versions.',
    )
    .examples(
      ['hookbell diff', 'what a push of ./hookbell would change'],
      ['hookbell diff --from 3 --to 5', 'what changed from version 3 to version 5'],
      ['hookbell diff --from 3', 'what changed since version 3'],
      ['hookbell diff --exit-code', 'in CI: fail when the relay differs from git'],
    )
    .run(diff);
};

async function diff(
  cli: Cli,
  given: string | undefined,
  options: DiffOptions,
): Promise<CommandResult | void> {
  const { out, client } = cli;
  const { exitCode, from, to } = options;
  if (from !== undefined || to !== undefined)
    return given === undefined
      ? diffVersions(cli, options)
      : misused('give either a folder, or --from and --to: two versions are compared without a folder');
  const folder = given ?? (cli.tenant?.ok === true ? cli.tenant.value.paths.documents : DEFAULT_FOLDER);
  const local = readFolder(folder);
  if (!local.ok) return local;
  const remote = await readWholeConfig(client);
  if (!remote.ok) return remote;
  const keeping = await readKeeping(client);
  if (!keeping.ok) return keeping;
  const { version, set } = remote.value;
  for (const oddity of local.value.oddities) out.problem('warning', showProblem(oddity));
  const changes = diffSets(set, local.value.set);
  out.show({ version, managed: keeping.value.managed, changes }, () => {
    showChanges(out, changes);
    out.line(
      changes.length === 0
        ? `${folder} is the same as the active version (${version})`
        : `\n${summary(changes)} to version ${version}`,
    );
    if (keeping.value.managed === null) return;
    out.wrapped(keepingText(keeping.value) ?? '');
  });
  if (changes.length > 0 && exitCode === true) cli.exitWith(1);
}

async function diffVersions(
  cli: Cli,
  { exitCode, from: older, to: newer }: DiffOptions,
): Promise<CommandResult | void> {
  const { out, client } = cli;
  const compared = await compareVersions(client, older, newer);
  if (!compared.ok) return compared;
  const { from, to, changes } = compared.value;
  out.show({ from: from.version, to: to.version, changes }, () => showComparison(out, compared.value));
  if (changes.length > 0 && exitCode === true) cli.exitWith(1);
}
