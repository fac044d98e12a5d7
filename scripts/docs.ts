import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { OPENAPI_FILE, openapiFile } from '../api-docs/document.ts';
import { commandSections, commandSummaries } from './docs/commands.ts';
import { configSections } from './docs/configuration.ts';
import { deployProject } from './docs/deploy-project.ts';
import { errorSections } from './docs/errors.ts';
import { filterExamples, partialSections } from './docs/templates.ts';
import { gatewaySections, guaranteeSections } from './docs/gateways.ts';
import { formatted, withSections } from './docs/page.ts';
import { textOf } from './files.ts';
import { routeSections } from './docs/routes.ts';

/** All that is generated and committed, by its path: what each file should be, or null for one that should not be there. */
async function* made(): AsyncGenerator<readonly [path: string, text: string | null]> {
  const pages = {
    ...configSections(),
    'docs/partials.md': partialSections(),
    'docs/gateway.md': gatewaySections(),
    'docs/guarantees.md': guaranteeSections(),
    'docs/cli.md': await commandSections(),
    'docs/api/routes.md': routeSections(),
    'docs/errors.md': errorSections(),
  };
  for (const [page, sections] of Object.entries(pages))
    yield [page, withSections(textOf(page) ?? '', sections)];
  yield ['cli/help.json', await commandSummaries()];
  yield [OPENAPI_FILE, openapiFile()];
  yield ['console/pages/templates/editor/filters.json', filterExamples(textOf('docs/templates.md') ?? '')];
  yield* await deployProject();
}

/** `npm run docs`: writes all of it. With `--check` nothing is written, and it names everything that is stale and fails. */
async function main(isCheck: boolean): Promise<void> {
  for await (const [path, text] of made()) {
    const right = text === null ? null : await formatted(path, text);
    if (right === textOf(path)) continue;
    if (isCheck) {
      process.stderr.write(`${path} is stale: npm run docs\n`);
      process.exitCode = 1;
    } else if (right === null) rmSync(path);
    else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, right);
    }
  }
}

process.chdir(dirname(import.meta.dirname));
await main(process.argv.includes('--check'));
