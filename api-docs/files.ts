import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import { describeApi } from './document.ts';
import { docsPage } from './page/page.ts';

/** The folder, below the project's, that both files are in. */
export const FOLDER = 'assets/admin';

/** The description for programs: `openapi.json`, which is committed, so that its changes are seen. */
export const openapiFile = (): string => `${JSON.stringify(describeApi(packageFile.version), null, 1)}\n`;

/** The description for people: `docs.html`, which is built and not committed. */
export async function docsFile(): Promise<string> {
  const css = await readFile(join(import.meta.dirname, 'page/style.css'), 'utf8');
  return docsPage(describeApi(packageFile.version), css);
}
