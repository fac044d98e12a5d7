import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ok } from '../../src/lib/result.ts';
import { failed, type CommandResult } from '../failure.ts';
import type { LocalDocument } from './read.ts';
import { rewriteJson, rewriteYaml } from '../../shared/yaml-patch/rewrite.ts';

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
