import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { MESSAGE_STATES } from '../../src/outbox/state/states.ts';

const ROOT = join(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const PAGE = text('docs/architecture.md');
/** The most files to open, for a reader of the path of a signed text webhook. */
const MOST_FILES = 45;

/** The rows of the tables in the section under a heading, each as its cells. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const section = PAGE.split('\n## ').find((one) => one.startsWith(heading)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The files that cells name: a path in `folder`, or the name of one beside the file before it. */
function filesIn(cells: readonly string[], folder: string): readonly string[] {
  const files: string[] = [];
  let beside = folder;
  for (const [, name = ''] of cells.join(' ').matchAll(/`([\w/-]+\.ts)`/g)) {
    const file = name.includes('/') ? join(folder, name) : join(beside, name);
    files.push(file);
    beside = dirname(file);
  }
  return files;
}

/** The most lines of a file of `src`. */
const MOST_LINES = 250;

const missing = (files: readonly string[]): readonly string[] =>
  files.filter((file) => !existsSync(join(ROOT, file)));

describe('the trip of a webhook in docs/architecture.md', () => {
  const rows = rowsUnder('The trip of a webhook');
  const files = new Set(['src/ingest/webhook.ts', ...rows.flatMap((row) => filesIn(row.slice(1), 'src'))]);

  it('walks files that there are', () => {
    expect(files.size).toBeGreaterThan(25);
    expect(missing([...files])).toEqual([]);
  });

  it(`opens at most ${MOST_FILES} of them`, () => {
    expect(files.size).toBeLessThanOrEqual(MOST_FILES);
  });
});

describe('the other tables of what happens', () => {
  it.each([
    ['Items that wait for a notification', 'src/outbox/incidents', 10],
    ['Where the state of a message is written', 'src/outbox', 6],
    ['The trip of a press', 'src', 10],
  ])('“%s” names files that there are', (heading, folder, atLeast) => {
    const files = rowsUnder(heading).flatMap((row) => row.flatMap((cell) => filesIn([cell], folder)));
    expect(files.length).toBeGreaterThanOrEqual(atLeast);
    // Some are of another room of the outbox.
    expect(missing(missing(files).map((file) => file.replace(folder, 'src/outbox')))).toEqual([]);
  });
});

/** The files and functions that the rows of a table name in two columns; the function is in one of the files. */
const functionsUnder = (heading: string, folder: string) =>
  rowsUnder(heading).flatMap(([, files = '', name = '']) => {
    const [, named] = /^`(\w+)`$/.exec(name) ?? [];
    return named === undefined ? [] : [{ code: filesIn([files], folder).map(text).join('\n'), named }];
  });

describe('the functions that docs/architecture.md names', () => {
  it.each([
    ['Items that wait for a notification', 'src/outbox/incidents', 8],
    ['Where the state of a message is written', 'src/outbox', 8],
  ])('“%s” are where it says', (heading, folder, count) => {
    const functions = functionsUnder(heading, folder);
    expect(functions).toHaveLength(count);
    for (const { code, named } of functions)
      expect(code).toMatch(new RegExp(`^( {2}|export |)(function |const |)${named}(\\(| =)`, 'm'));
  });

  it('each state of a message is in the table', () => {
    const states = rowsUnder('Where the state of a message is written').map(([state = '']) => state);
    for (const state of MESSAGE_STATES) expect(states.join(' ')).toContain(`\`${state}\``);
  });
});

describe('the parts of an outbox', () => {
  it('are made in one pass: the linter refuses one that uses, even in a closure, what is made after it', () => {
    const { overrides } = z
      .object({
        overrides: z.array(
          z.object({ files: z.array(z.string()), rules: z.record(z.string(), z.unknown()) }),
        ),
      })
      .parse(JSON.parse(text('.oxlintrc.json').replaceAll(/^\s*\/\/.*$/gm, '')));
    const held = new Set(
      overrides
        .filter(({ rules }) => rules['no-use-before-define'] === 'error')
        .flatMap(({ files }) => files),
    );
    const makers = ['src/outbox/parts.ts', 'src/outbox/base.ts', 'src/registry/parts.ts'];
    expect(makers.filter((file) => !held.has(file))).toEqual([]);
    for (const file of makers) expect(text(file), file).not.toMatch(/^\s*let /m);
  });
});

describe('a file of src', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT });

  it(`has at most ${MOST_LINES} lines`, () => {
    expect(files.length).toBeGreaterThan(500);
    const long = files.filter((file) => text(file).trimEnd().split('\n').length > MOST_LINES);
    expect(long).toEqual([]);
  });
});
