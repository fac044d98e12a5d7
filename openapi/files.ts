import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import { describeApi } from './document.ts';
import { docsPage } from './page/page.ts';

/** The folder, below the project's, that both files are in. */
export const FOLDER = 'assets/admin';

/** The description for programs and for people: what is written into {@link FOLDER}, by file name. */
export async function describingFiles(): Promise<ReadonlyMap<string, string>> {
  const document = describeApi(packageFile.version);
  const css = await readFile(join(import.meta.dirname, 'page/style.css'), 'utf8');
  return new Map([
    ['openapi.json', `${JSON.stringify(document, null, 1)}\n`],
    ['docs.html', docsPage(document, css)],
  ]);
}
