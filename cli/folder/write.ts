import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path, { basename, dirname, join, relative, resolve } from 'node:path';
import { ok } from '../../src/lib/result.ts';
import { failed, type CommandResult } from '../failure.ts';
import type { LocalDocument } from './read.ts';
import { rewriteJson, rewriteYaml } from '../../shared/yaml-patch/rewrite.ts';
import type { DocumentKind } from '../../src/config/documents/name.ts';
import { ROOT } from '../built.ts';
import type { Cli } from '../command.ts';

interface FileChanges {
  readonly write: readonly { readonly file: string; readonly text: string }[];
  readonly remove?: readonly string[];
}

/**
 * Writes all files or none: each is first written to a temporary file next to its place, so that a full disk is
 * noticed, and then all are renamed. Nothing here waits, so Ctrl-C comes before or after it.
 */
export function writeFiles({ write, remove = [] }: FileChanges): CommandResult {
  const made: string[] = [];
  try {
    for (const { file, text } of write) {
      mkdirSync(dirname(file), { recursive: true });
      const temporary = temporaryOf(file);
      made.push(temporary);
      writeFileSync(temporary, text);
    }
    for (const { file } of write) renameSync(temporaryOf(file), file);
    for (const file of remove) rmSync(file, { force: true });
    return ok(undefined);
  } catch (thrown) {
    for (const file of made) rmSync(file, { force: true });
    const why = thrown instanceof Error ? thrown.message : 'unknown reason';
    return failed(`the files could not be written: ${why}`);
  }
}

/** In the same folder, since a rename works only within a file system; hidden, so that it is no document. */
const temporaryOf = (file: string): string => join(dirname(file), `.${process.pid}.${basename(file)}.tmp`);

/** The text of a file whose document has a new value, as close to the old text as possible. */
export const textFor = ({ file, text }: Pick<LocalDocument, 'file' | 'text'>, value: unknown): string =>
  file.endsWith('.json') ? rewriteJson(text, value) : rewriteYaml(text, value);

/** A new document's text with the line by which editors find its schema: beside this hookbell, else at the relay. */
export function withModeline(
  { place, relayUrl }: Pick<Cli, 'place' | 'relayUrl'>,
  kind: DocumentKind,
  file: string,
  text: string,
): string {
  const name = kind === 'recipients' ? kind : kind.slice(0, -'s'.length);
  const schema = join(ROOT, 'assets', 'schemas', `${name}.json`);
  const isHere = !relative(process.cwd(), ROOT).startsWith('..');
  const url = relayUrl();
  const deployed = place.at === 'here' || !url.ok ? null : `${url.value}/schemas/${name}.json`;
  const address = isHere ? pathFrom(resolve(file), schema) : deployed;
  return address === null || file.endsWith('.json')
    ? text
    : `# yaml-language-server: $schema=${address}\n${text}`;
}

/** The path from one file to another, with slashes: a file that is made on Windows is used on others. */
export const pathFrom = (file: string, other: string, system = path): string =>
  system.relative(system.dirname(file), other).split(system.sep).join('/');
