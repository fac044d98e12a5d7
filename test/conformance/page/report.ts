import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '../../..');
const REPORT = join(ROOT, 'dist/conformance.json');

/** The tests that docs/providers.md is about. */
export const CONFORMANCE_TESTS: readonly string[] = [
  'test/conformance/providers.workerd.test.ts',
  'test/conformance/vectors.test.ts',
  'test/sdks/sdks.test.ts',
  'test/conformance/samples.workerd.test.ts',
];

/** The files that they depend on and that people change. */
const INPUTS = ['src', 'assets/providers', 'test/conformance'];

const testsSchema = z.array(
  z.object({ group: z.string(), title: z.string(), state: z.string(), subjects: z.int().optional() }),
);

/** By the file of the tests; `at` is when they ended (ms). */
const reportSchema = z.record(z.string(), z.object({ at: z.number(), tests: testsSchema }));

/** Each test's result, by its group. */
export type ConformanceResults = z.output<typeof testsSchema>;

const groupOf = (test: TestCase): string => {
  let group = '';
  for (let { parent } = test; parent.type === 'suite'; { parent } = parent) group = parent.name;
  return group;
};

const resultsOf = (module: TestModule) =>
  [...module.children.allTests()].map((test) => ({
    group: groupOf(test),
    title: test.name,
    state: test.result().state,
    subjects: test.meta().subjects,
  }));

/** Keeps the results of the last run of each file, so that the docs need no further run. */
export class ConformanceReporter implements Reporter {
  #vitest: Vitest | null = null;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // Of a run by name, the others count as skipped.
    if (this.#vitest?.config.testNamePattern !== undefined) return;
    const results = CONFORMANCE_TESTS.flatMap((file) =>
      modules
        .filter(({ moduleId }) => relative(ROOT, moduleId) === file)
        .map((module) => [file, { at: Date.now(), tests: resultsOf(module) }] as const),
    );
    if (results.length === 0) return;
    const report = { ...readReport(), ...Object.fromEntries(results) };
    mkdirSync(dirname(REPORT), { recursive: true });
    writeFileSync(REPORT, JSON.stringify(report));
  }
}

/** Counts the rules of the tests, and how often one was checked with a subject. A rule of each provider counts once. */
export function countRules(results: ConformanceResults): { readonly rules: number; readonly runs: number } {
  const rules = results.filter(({ subjects }) => subjects !== undefined);
  return {
    rules: new Set(rules.map(({ title }) => title)).size,
    runs: rules.reduce((sum, { subjects = 0 }) => sum + subjects, 0),
  };
}

const readReport = (): z.output<typeof reportSchema> =>
  existsSync(REPORT) ? reportSchema.parse(JSON.parse(readFileSync(REPORT, 'utf8'))) : {};

/** The results of the last runs; a text says why there are none to use. */
export function readConformance(): ConformanceResults | string {
  const report = readReport();
  const inputs = INPUTS.flatMap(filesIn);
  const results = CONFORMANCE_TESTS.map((file) => {
    const ran = report[file];
    if (ran === undefined) return `${file} has not run`;
    const newer = [join(ROOT, file), ...inputs].find((input) => statSync(input).mtimeMs > ran.at);
    return newer === undefined ? ran.tests : `${relative(ROOT, newer)} is newer than the last run of ${file}`;
  });
  return (
    results.find((one) => typeof one === 'string') ??
    results.flatMap((one) => (typeof one === 'string' ? [] : one))
  );
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
