import { ok } from '../../src/lib/result.ts';
import { addExamples, type AddCommand, type Cli } from '../command.ts';
import { diffSets } from '../diff/documents.ts';
import { showChanges, summary } from '../diff/show.ts';
import type { Outcome } from '../failure.ts';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import { readFolder } from '../folder/read.ts';
import { readConfig } from '../relay/config.ts';

interface Options {
  readonly exitCode?: true;
}

/** `diff`: what a push would change. */
export const addDiff: AddCommand = (program, run) => {
  const command = program
    .command('diff')
    .argument('[folder]', 'where the documents are', DEFAULT_FOLDER)
    .option('--exit-code', 'exit with 1 when something differs')
    .summary('show what a push would change')
    .description(
      'Compares a folder with the version in force, document by document: + would be added, ~ changed, - removed. Comments and the order of keys do not count.',
    )
    .action(run(diff));
  addExamples(
    command,
    ['hookbell diff', 'what a push of ./hookbell would change'],
    ['hookbell diff --exit-code', 'in CI: fail when the relay differs from git'],
  );
};

async function diff(cli: Cli, folder: string, { exitCode }: Options): Promise<Outcome> {
  const { out } = cli;
  const local = readFolder(folder);
  if (!local.ok) return local;
  const client = cli.relay();
  if (!client.ok) return client;
  const remote = await readConfig(client.value);
  if (!remote.ok) return remote;
  const { version, set } = remote.value;
  const changes = diffSets(set, local.value.set);
  const json = {
    version,
    changes: changes.map(({ kind, name, change, lines }) => ({ kind, name, change, lines })),
  };
  out.show(json, () => {
    showChanges(out, changes);
    out.line(
      changes.length === 0
        ? `${folder} is what is in force (version ${version})`
        : `\n${summary(changes)} to version ${version}`,
    );
  });
  if (changes.length > 0 && exitCode === true) cli.exitWith(1);
  return ok(undefined);
}
