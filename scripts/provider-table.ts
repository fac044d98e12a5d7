import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import {
  answersTable,
  checksTable,
  factsTable,
  openBodies,
  type ProviderResults,
} from './provider-tables.ts';

const ROOT = dirname(import.meta.dirname);
const PAGE = join(ROOT, 'docs/providers.md');
/** Twenty times what the tests take. */
const TIMEOUT_MS = 10 * 60_000;
const TESTS = [
  'test/conformance/providers.test.ts',
  'test/conformance/vectors.test.ts',
  'test/conformance/node',
  'test/integration/providers.test.ts',
];

const reportSchema = z.object({
  success: z.boolean(),
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

/** Runs the tests that the table is about; throws when one of them fails. */
function runTests(): ProviderResults {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-providers-'));
  try {
    const report = join(folder, 'report.json');
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const options = ['--reporter=json', `--outputFile=${report}`];
    const run = { cwd: ROOT, stdio: 'ignore', timeout: TIMEOUT_MS } as const;
    const { error } = spawnSync(process.execPath, [vitest, 'run', ...TESTS, ...options], run);
    if (error !== undefined) throw error;
    return passedTests(reportSchema.parse(JSON.parse(readFileSync(report, 'utf8'))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function passedTests({ success, testResults }: z.output<typeof reportSchema>): ProviderResults {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const named = (wanted: string) => tests.filter(({ status }) => status === wanted);
  if (!success) {
    const failed = named('failed').map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' › '));
    throw new Error(`the table is of tests that pass, and these do not:\n${failed.join('\n')}`);
  }
  return named('passed').map(({ ancestorTitles, title }) => ({ group: ancestorTitles[0] ?? '', title }));
}

/** The page with what stands between `<!-- name -->` and `<!-- /name -->` replaced. */
function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/providers.md has no ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}

/**
 * `npm run docs:providers`: writes the tables of docs/providers.md from the catalogue and from what a run of the tests
 * gives. With `--check` nothing is written, and it fails when the page is not what it would write.
 */
async function main(): Promise<void> {
  const old = readFileSync(PAGE, 'utf8');
  const results = runTests();
  const sections = {
    facts: factsTable(),
    answers: answersTable(),
    checks: checksTable(results),
    open: openBodies(),
  };
  const page = Object.entries(sections).reduce((sum, [name, text]) => withSection(sum, name, text), old);
  const config = await resolveConfig(PAGE);
  const made = await format(page, { ...config, parser: 'markdown' });
  if (!process.argv.includes('--check')) writeFileSync(PAGE, made);
  else if (made !== old) {
    process.stderr.write('docs/providers.md is not what the tests give: npm run docs:providers\n');
    process.exitCode = 1;
  }
}

await main();
