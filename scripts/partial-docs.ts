import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { partialFiles } from './facts.ts';
import { table, withSections } from './page-section.ts';

const PAGE = join(dirname(import.meta.dirname), 'docs/partials.md');

/** The partials that hookbell ships: what each is for, and its parameters. */
const shipped = (): string =>
  Object.entries(partialFiles())
    .map(([name, { about, params }]) => {
      const rows = Object.entries(params).map(([param, one]) => [
        `\`${param}\``,
        one.about,
        `\`${one.default}\``,
      ]);
      return `**\`${name}\`** ${about}\n\n${table(['parameter', 'is', 'without it'], rows)}`;
    })
    .join('\n\n');

/**
 * `npm run docs:partials`: writes the tables of the partials in docs/partials.md. With `--check` nothing is written, and
 * it fails when the page is stale.
 */
async function main(): Promise<void> {
  const old = readFileSync(PAGE, 'utf8');
  const made = await withSections(PAGE, old, { partials: shipped() });
  if (!process.argv.includes('--check')) writeFileSync(PAGE, made);
  else if (made !== old) {
    process.stderr.write('docs/partials.md is not what the partials say: npm run docs:partials\n');
    process.exitCode = 1;
  }
}

await main();
