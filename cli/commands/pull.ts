import { join } from 'node:path';
import { KINDS } from '../../src/config/documents/name.ts';
import { agreed, wholeNumber, type AddCommand, type Cli, type Options } from '../command.ts';
import { diffSets, showChanges, type DocumentChange } from '../diff/documents.ts';
import type { CommandResult } from '../failure.ts';
import { countByKind, DEFAULT_FOLDER, idText } from '../folder/kinds.ts';
import { withModeline, textFor, writeFiles } from '../folder/write.ts';
import { readFolderOrNothing, type LocalFolder } from '../folder/read.ts';
import { writeYaml } from '../../shared/yaml-patch/rewrite.ts';
import { capital, count } from '../text.ts';
import { keepingText, readKeeping, readWholeConfig, type RemoteConfig } from '../relay/config.ts';

export const add: AddCommand = (program) => {
  program
    .command('pull')
    .argument('[folder]', 'the folder for the documents', DEFAULT_FOLDER)
    .option('--version <n>', 'an earlier version', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--missing', 'add missing documents only; overwrite and delete nothing')
    .option('-y, --yes', 'do not ask')
    .summary('write the active version as files')
    .description(
      'Writes the active version, or an earlier one, into a folder. Unchanged documents keep their files, and unchanged parts keep their comments. Asks before it overwrites or deletes files. Does not touch fixtures.',
    )
    .examples(
      ['hookbell pull', 'into ./hookbell'],
      ['hookbell pull --version 3', 'the documents of version 3'],
      ['hookbell pull --missing', 'add missing documents'],
    )
    .run(pull);
};

async function pull(
  cli: Cli,
  folder: string,
  { yes, version, missing }: Options<never, 'yes' | 'missing'> & { readonly version?: number },
): Promise<CommandResult | void> {
  const { out, client } = cli;
  const local = readFolderOrNothing(folder);
  if (!local.ok) return local;
  const remote = await readWholeConfig(client, version);
  if (!remote.ok) return remote;
  const keeping = await readKeeping(client);
  if (!keeping.ok) return keeping;
  if (keeping.value.managed !== null)
    out.note(`${keepingText(keeping.value) ?? ''}; its files, with their comments, are in git`);
  const all = diffSets(local.value.set, remote.value.set);
  const changes = missing === true ? all.filter(({ change }) => change === 'added') : all;
  const lost = changes.filter(({ change }) => change !== 'added');
  if (lost.length > 0) {
    if (!out.isJson) showChanges(out, lost);
    const may = await agreed(cli, question(lost, folder), yes === true, 'nothing was written');
    if (!may.ok) return may;
  }
  const done = writeFiles(filesOf(cli, changes, local.value, remote.value, folder));
  if (!done.ok) return done;
  showDone(cli, folder, changes, remote.value, missing === true);
}

function question(lost: readonly DocumentChange[], folder: string): string {
  const changed = lost.filter(({ change }) => change === 'changed').length;
  const removed = lost.length - changed;
  const parts = [
    ...(changed > 0 ? [`overwrite ${count(changed, 'file')}`] : []),
    ...(removed > 0 ? [`delete ${count(removed, 'file')}`] : []),
  ];
  return `${capital(parts.join(' and '))} in ${folder}?`;
}

function filesOf(
  cli: Cli,
  changes: readonly DocumentChange[],
  { documents }: LocalFolder,
  { set }: RemoteConfig,
  folder: string,
) {
  const known = ({ kind, name }: DocumentChange) =>
    documents.find((one) => one.kind === kind && one.name === name);
  const write = changes.filter(({ change }) => change !== 'removed');
  return {
    write: write.map((one) => {
      const before = known(one);
      const document = set[one.kind][one.name];
      if (before !== undefined) return { file: before.file, text: textFor(before, document) };
      const file = join(folder, one.kind, `${one.name}.yaml`);
      return { file, text: withModeline(cli, one.kind, file, writeYaml(document)) };
    }),
    remove: changes.flatMap((one) => (one.change === 'removed' ? [known(one)?.file ?? ''] : [])),
  };
}

function showDone(
  { out }: Cli,
  folder: string,
  changes: readonly DocumentChange[],
  { version, set }: RemoteConfig,
  isMissing: boolean,
): void {
  const files = (change: DocumentChange['change']) =>
    changes.filter((one) => one.change === change).map(idText);
  const added = files('added');
  out.show({ version, folder, added, changed: files('changed'), removed: files('removed') }, () => {
    if (isMissing && added.length === 0) return out.line(`${folder} has all documents of version ${version}`);
    if (isMissing) return out.done(`added to ${folder} from version ${version}: ${added.join(', ')}`);
    const all = KINDS.flatMap((kind) => Object.keys(set[kind]).map((name) => ({ kind, name })));
    const what = changes.length === 0 ? 'nothing to write' : `wrote ${count(changes.length, 'change')}`;
    out.done(`${what}: ${folder} is version ${version} (${countByKind(all)})`);
  });
}
