import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** The text of a file; null if there is none. */
export const textOf = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null);

/** In one step: a process may be reading the file. */
export function writeAtOnce(file: string, contents: string | Uint8Array): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, contents);
  renameSync(unfinished, file);
}
