import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configSections } from './config-tables.ts';
import { withSections } from './page-section.ts';

const PAGE = join(dirname(import.meta.dirname), 'docs/configuration.md');

/**
 * `npm run docs:config`: writes the tables of docs/configuration.md from the schemas that check documents. With
 * `--check` nothing is written, and it fails when the page is stale.
 */
async function main(): Promise<void> {
  const old = readFileSync(PAGE, 'utf8');
  const made = await withSections(PAGE, old, configSections());
  if (!process.argv.includes('--check')) writeFileSync(PAGE, made);
  else if (made !== old) {
    process.stderr.write('docs/configuration.md is not what the schemas say: npm run docs:config\n');
    process.exitCode = 1;
  }
}

await main();
