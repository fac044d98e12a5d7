import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '../../..');
const REPORT = join(ROOT, 'dist/conformance.json');

/** The tests that docs/providers.md is about. */
export const CONFORMANCE_TESTS: readonly string[] = [
  'test/conformance/providers.test.ts',
  'test/conformance/vectors.test.ts',
  'test/sdks/sdks.test.ts',
  'test/integration/providers.test.ts',
];

/** The files that they depend on and that people change. */
const INPUTS = ['src', 'assets/providers', 'test/conformance', 'test/integration'];

const reportSchema = z.object({
  tests: z.array(z.object({ group: z.string(), title: z.string(), state: z.string() })),
});

/** Each test's result, by its group. */
export type ConformanceReport = z.output<typeof reportSchema>;

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
  }));

/** Writes the results after a run of all of them, so that the docs need no further run. */
export class ConformanceReporter implements Reporter {
  #vitest: Vitest | null = null;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // Of a run by name, the others count as skipped.
    if (this.#vitest?.config.testNamePattern !== undefined) return;
    const found = CONFORMANCE_TESTS.map((file) =>
      modules.find(({ moduleId }) => relative(ROOT, moduleId) === file),
    );
    if (found.includes(undefined)) return;
    const tests = found.flatMap((module) => (module === undefined ? [] : resultsOf(module)));
    mkdirSync(dirname(REPORT), { recursive: true });
    writeFileSync(REPORT, JSON.stringify({ tests } satisfies ConformanceReport));
  }
}

/** The last run's report; a text says why there is none to use. */
export function readConformance(): ConformanceReport | string {
  const writtenAt = changedAt(REPORT);
  if (writtenAt === null) return 'dist/conformance.json is not there';
  const newer = [...CONFORMANCE_TESTS.map((file) => join(ROOT, file)), ...INPUTS.flatMap(filesIn)].find(
    (file) => (changedAt(file) ?? 0) > writtenAt,
  );
  if (newer !== undefined) return `dist/conformance.json is older than ${relative(ROOT, newer)}`;
  return reportSchema.parse(JSON.parse(readFileSync(REPORT, 'utf8')));
}

const changedAt = (file: string): number | null => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
