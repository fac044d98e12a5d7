import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
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
    ['The life of a row', 'src', 9],
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
    ['Where the state of a message is written', 'src/outbox', 11],
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

const OXLINT = join(ROOT, 'node_modules/oxlint/bin/oxlint');
const MAKERS = ['src/outbox/parts.ts', 'src/outbox/base.ts', 'src/registry/parts.ts'];
const LINTED = z.object({ diagnostics: z.array(z.object({ code: z.string(), message: z.string() })) });

/** A part that is filled in later, or a line that keeps the linter away: the linter does not see these. */
const FILLED_LATER = /^\s*(?:let|var) |\w\.#?\w+ (?:\?\?|\|\||&&)?= |Object\.assign|oxlint-disable/m;

/** The uses of parts that are made after them, in makers below this folder; each as a line of text. */
function lateUses(folder: string, makers: readonly string[]): readonly string[] {
  const config = join(folder, '.oxlintrc.json');
  const args = [OXLINT, '--config', config, '--format', 'json', ...makers.map((file) => join(folder, file))];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  const { diagnostics } = LINTED.parse(JSON.parse(stdout));
  return [
    ...diagnostics
      .filter(({ code }) => code === 'eslint(no-use-before-define)')
      .map(({ message }) => message),
    ...makers.flatMap(
      (file) => FILLED_LATER.exec(readFileSync(join(folder, file), 'utf8'))?.map((line) => line.trim()) ?? [],
    ),
  ];
}

/** The same for the text of one maker, under the linter's own configuration. */
function lateUsesIn(code: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-makers-'));
  try {
    mkdirSync(join(folder, 'src/outbox'), { recursive: true });
    copyFileSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    writeFileSync(join(folder, 'src/outbox/parts.ts'), code);
    return lateUses(folder, ['src/outbox/parts.ts']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const maker = (...lines: readonly string[]): string =>
  [
    "import { Loop, Schedule } from './loop.ts';",
    'export type Parts = ReturnType<typeof createParts>;',
    'export function createParts() {',
    ...lines,
    'return { schedule, loop };',
    '}',
  ].join('\n');

describe('the parts of an outbox and of the registry', () => {
  it('are made in one pass: none uses, even in a closure, what is made after it', () => {
    expect(lateUses(ROOT, MAKERS)).toEqual([]);
  });

  it.each([
    [
      'a closure that uses a part made after it',
      ['const schedule = new Schedule({ wake: () => loop.wake() });', 'const loop = new Loop(schedule);'],
      "'loop' was used before it was defined.",
    ],
    [
      'a method that does',
      ['const schedule = { wake() { return loop.wake(); } };', 'const loop = new Loop(schedule);'],
      "'loop' was used before it was defined.",
    ],
    [
      'a part that gets one made after it',
      ['const schedule = new Schedule(loop);', 'const loop = new Loop();'],
      "'loop' was used before it was defined.",
    ],
    [
      'a variable that is filled in later',
      ['let loop;', 'const schedule = new Schedule(() => loop?.wake());', 'loop = new Loop(schedule);'],
      'let',
    ],
    [
      'a holder that is filled in later',
      [
        'const late = {};',
        'const schedule = new Schedule(() => late.loop?.wake());',
        'const loop = (late.loop = new Loop(schedule));',
      ],
      'e.loop =',
    ],
    [
      'a comment that keeps the linter away',
      [
        '// oxlint-disable-next-line no-use-before-define',
        'const schedule = new Schedule(() => loop.wake());',
        'const loop = new Loop(schedule);',
      ],
      'oxlint-disable',
    ],
  ])('%s would be found', (_, lines, finding) => {
    expect(lateUsesIn(maker(...lines))).toEqual([finding]);
  });

  it.each([
    [
      'a closure that uses a part made before it',
      ['const schedule = new Schedule();', 'const loop = new Loop(() => schedule.arm());'],
    ],
    [
      'a getter that does',
      ['const schedule = new Schedule();', 'const loop = { get next() { return schedule.next; } };'],
    ],
    [
      'an argument with the name of a part made after it',
      ['const schedule = new Schedule({ wake: (loop) => loop.wake() });', 'const loop = new Loop(schedule);'],
    ],
    [
      'a property with the name of a part made after it',
      ['const schedule = new Schedule({ loop: 1 });', 'const loop = new Loop(schedule.loop === 1);'],
    ],
  ])('%s may be there', (_, lines) => {
    expect(lateUsesIn(maker(...lines))).toEqual([]);
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
