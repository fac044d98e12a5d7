import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describingFiles, FOLDER } from '../openapi/files.ts';

const TARGET = join(import.meta.dirname, '..', FOLDER);

/** Writes the API's description. `--check`: only says whether it is as it should be. */
async function main(args: readonly string[]): Promise<void> {
  const files = await describingFiles();
  if (args.includes('--check')) return check(files);
  await mkdir(TARGET, { recursive: true });
  for (const [name, content] of files) await writeFile(join(TARGET, name), content);
}

async function check(files: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, content] of files) {
    const found = await readFile(join(TARGET, name), 'utf8').catch(() => null);
    if (found === content) continue;
    process.stderr.write(`${FOLDER}/${name} is stale; run \`npm run docs:openapi\`\n`);
    process.exitCode = 1;
  }
}

await main(process.argv.slice(2));
