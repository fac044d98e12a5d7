import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OPENAPI_FILE, openapiFile } from '../api-docs/files.ts';

const TARGET = join(import.meta.dirname, '..', OPENAPI_FILE);

/** `npm run docs:openapi`: writes the API's description. With `--check` it only checks whether that is up to date. */
async function main(args: readonly string[]): Promise<void> {
  const content = openapiFile();
  if (!args.includes('--check')) return writeFile(TARGET, content);
  if ((await readFile(TARGET, 'utf8').catch(() => null)) === content) return;
  process.stderr.write(`${OPENAPI_FILE} is stale; run \`npm run docs:openapi\`\n`);
  process.exitCode = 1;
}

await main(process.argv.slice(2));
