import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { withSections, type Sections } from '../../../scripts/page-section.ts';
import { providers } from '../../../src/provider/catalog/catalog.ts';
import { CONFORMANCE_TESTS, type ConformanceResults, readConformance } from './report.ts';
import { answersTable, capturedTable, checksTable, factsTable, openBodies } from './provider-tables.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = join(ROOT, 'docs/providers.md');
/** Other pages that say how many providers there are. */
const COUNTING = ['README.md', 'CHANGELOG.md'];
/** Twenty times as long as the tests take (ms). */
const TIMEOUT_MS = 10 * 60_000;

/** Runs the tests that the tables are about. They write a report, which says whether they passed. */
function runTests(): void {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const run = { cwd: ROOT, stdio: 'ignore', timeout: TIMEOUT_MS } as const;
  for (const args of [CONFORMANCE_TESTS, ['--config', 'test/sdks/vitest.config.ts']]) {
    const { error } = spawnSync(process.execPath, [vitest, 'run', ...args], run);
    if (error !== undefined) throw error;
  }
}

/** The results of the last run of the tests; throws when one of them failed. */
function results(isCheck: boolean): ConformanceResults {
  let report = readConformance();
  if (typeof report === 'string' && !isCheck) {
    runTests();
    report = readConformance();
  }
  if (typeof report === 'string')
    throw new Error(
      `${report}: \`npm run test:providers\` and \`npm run test:sdks\` do, and so does \`npm run docs:providers\``,
    );
  const failed = report.filter(({ state }) => state === 'failed');
  if (failed.length > 0)
    throw new Error(
      `the table is about tests that pass, and these failed:\n${failed.map(({ group, title }) => `${group} › ${title}`).join('\n')}`,
    );
  return report.filter(({ state }) => state === 'passed');
}

/**
 * `npm run docs:providers`: writes the tables of docs/providers.md from the catalogue and the last results of the
 * tests; it runs the tests if those are stale. With `--check` nothing is run or written, and it fails when the page is
 * stale.
 */
async function main(): Promise<void> {
  const old = readFileSync(PAGE, 'utf8');
  const isCheck = process.argv.includes('--check');
  const passed = results(isCheck);
  const sections = {
    facts: factsTable(),
    captured: capturedTable(),
    answers: answersTable(),
    checks: checksTable(passed),
    open: openBodies(),
  };
  await put(PAGE, old, isCheck, sections);
  for (const file of COUNTING) {
    const path = join(ROOT, file);
    await put(path, readFileSync(path, 'utf8'), isCheck);
  }
}

/** Puts the number of providers wherever a page states it. */
const withCount = (page: string): string =>
  page.replaceAll(
    /\b\d+ providers(?=\]\(docs\/providers\.md\)| are built in)/g,
    `${providers.size} providers`,
  );

/** Writes a page, or fails when that would change it. */
async function put(path: string, old: string, isCheck: boolean, sections: Sections = {}): Promise<void> {
  const made = await withSections(path, withCount(old), sections);
  if (!isCheck) writeFileSync(path, made);
  else if (made !== old) {
    process.stderr.write(`${relative(ROOT, path)} is not what the tests give: npm run docs:providers\n`);
    process.exitCode = 1;
  }
}

await main();
