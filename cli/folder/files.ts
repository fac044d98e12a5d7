import { basename } from 'node:path';
import { MAX_FILES_BYTES } from '../../src/registry/managed.ts';
import type { LocalDocument } from './read.ts';

/** The files of a folder as a managed push sends them: their texts by paths in it. Null: they are too large together. */
export function filesOf(documents: readonly LocalDocument[]): Readonly<Record<string, string>> | null {
  const files = Object.fromEntries(
    documents.map(({ kind, file, text }) => [`${kind}/${basename(file)}`, text] as const),
  );
  return new TextEncoder().encode(JSON.stringify(files)).byteLength > MAX_FILES_BYTES ? null : files;
}
