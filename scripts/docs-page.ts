import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { docsFile, FOLDER } from '../api-docs/files.ts';

const TARGET = join(import.meta.dirname, '..', FOLDER, 'docs.html');

/** Builds the page that a relay serves at `/admin/api/v1/docs`. An unchanged page is not written again. */
async function main(): Promise<void> {
  const page = await docsFile();
  if ((await readFile(TARGET, 'utf8').catch(() => null)) === page) return;
  // Atomically, since a relay may be reading the folder.
  const fresh = `${TARGET}.${process.pid}.tmp`;
  await writeFile(fresh, page);
  await rename(fresh, TARGET);
}

await main();
