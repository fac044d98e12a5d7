import { existsSync, globSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const textOf = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null);

/** In one step: a process may be reading the file. */
export function writeAtOnce(file: string, contents: string | Uint8Array): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, contents);
  renameSync(unfinished, file);
}

/** The time from which on a file that is saved may be missing in a build that begins now: files have a coarser clock. */
export const beginning = (): Date => new Date(Date.now() - 100);

/**
 * Builds, unless the last build is newer than all of its sources. `made`: the file that it writes last. It gets the time at
 * which the build began, since a source that is saved meanwhile may be missing in it: the next one builds again.
 */
export async function ifStale(
  root: string,
  { made, sources }: { readonly made: string; readonly sources: readonly string[] },
  build: () => Promise<void> | void,
): Promise<void> {
  const timeOf = (file: string): number | undefined =>
    statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs;
  const built = timeOf(made) ?? 0;
  const files = sources.flatMap((glob) => globSync(glob, { cwd: root }));
  if (files.every((file) => (timeOf(file) ?? 0) < built)) return;
  const begun = beginning();
  await build();
  utimesSync(join(root, made), begun, begun);
}
