import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gatewaySections, guaranteeSections } from './gateway-tables.ts';
import { withSections, type Sections } from './page-section.ts';

const DOCS = join(dirname(import.meta.dirname), 'docs');

const PAGES: Readonly<Record<string, () => Sections>> = {
  'gateway.md': gatewaySections,
  'guarantees.md': guaranteeSections,
};

/**
 * `npm run docs:gateways`: writes the tables of gateways in docs/gateway.md and docs/guarantees.md from the makers' declarations. With
 * `--check` nothing is written, and it fails when a page is stale.
 */
async function main(): Promise<void> {
  for (const [file, sections] of Object.entries(PAGES)) {
    const path = join(DOCS, file);
    const old = readFileSync(path, 'utf8');
    const made = await withSections(path, old, sections());
    if (!process.argv.includes('--check')) writeFileSync(path, made);
    else if (made !== old) {
      process.stderr.write(`docs/${file} is not what src/gateway/makers says: npm run docs:gateways\n`);
      process.exitCode = 1;
    }
  }
}

await main();
