import { join } from 'node:path';
import { sameDocument } from '../../shared/yaml-patch/same.ts';
import { ok } from '../../src/lib/result.ts';
import type { Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { withModeline } from '../folder/modeline.ts';
import { isFile, readFile, type LocalFolder } from '../folder/read.ts';
import { textFor, writeFiles } from '../folder/write.ts';
import { count } from '../text.ts';
import { extendedList, type NewDocument } from './documents.ts';
import type { NewFile } from './fixtures.ts';

/** The files to write. Files that already have the right content are not among them. */
interface Changes {
  readonly fresh: readonly NewFile[];
  /** Lists that get more numbers, or quiet hours. */
  readonly extended: readonly NewFile[];
  readonly overwritten: readonly NewFile[];
}

function changesOf(
  cli: Cli,
  documents: readonly NewDocument[],
  fixtures: readonly NewFile[],
  { folder, documents: existing }: LocalFolder,
): Changes {
  const fresh: NewFile[] = [];
  const extended: NewFile[] = [];
  const overwritten: NewFile[] = [];
  for (const { kind, name, value, text } of documents) {
    const known = existing.find((one) => one.kind === kind && one.name === name);
    if (known === undefined) {
      const file = join(folder, kind, `${name}.yaml`);
      fresh.push({ file, text: withModeline(cli, kind, file, text) });
    } else if (kind === 'recipients') {
      const more = extendedList(known.value, value);
      if (more !== null) extended.push({ file: known.file, text: textFor(known, more) });
    } else if (!sameDocument(known.value, value)) {
      overwritten.push({ file: known.file, text: textFor(known, value) });
    }
  }
  for (const { file, text } of fixtures) {
    if (!isFile(file)) fresh.push({ file, text });
    else {
      const known = readFile(file);
      if (!known.ok || known.value !== text) overwritten.push({ file, text });
    }
  }
  return { fresh, extended, overwritten };
}

/** Writes new documents and fixtures into a folder; asks before it overwrites any. Returns the files that it wrote. */
export async function writeNew(
  cli: Cli,
  documents: readonly NewDocument[],
  fixtures: readonly NewFile[],
  local: LocalFolder,
  options: { readonly yes?: true; readonly force?: true },
): Promise<CommandResult<readonly string[]>> {
  const changes = changesOf(cli, documents, fixtures, local);
  const may = await mayOverwrite(cli, changes, options);
  if (!may.ok) return may;
  const files = [...changes.fresh, ...changes.extended, ...changes.overwritten];
  const written = writeFiles({ write: files });
  return written.ok ? ok(files.map(({ file }) => file)) : written;
}

async function mayOverwrite(
  { ask }: Cli,
  { overwritten }: Changes,
  { yes, force }: { readonly yes?: true; readonly force?: true },
): Promise<CommandResult> {
  if (overwritten.length === 0 || force === true) return ok(undefined);
  const files = overwritten.map(({ file }) => file);
  if (ask !== null && yes !== true) {
    const may = await ask.confirm(`Overwrite ${files.join(', ')}?`);
    if (!may.ok) return may;
    if (may.value) return ok(undefined);
    return failed('nothing was written');
  }
  return failed(
    `${count(files.length, 'file')} would be overwritten, so nothing was written; --force overwrites them`,
    {
      details: files,
    },
  );
}
