import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixedDates, projectFiles, type Files } from '../../scripts/fixed-dates.ts';

/** Files that may have fixed dates where a test reads the real clock, and why that is sound. Keep it short. */
const EXEMPT = {
  'test/admin/request/input.test.ts': 'dates are texts for a parser, which puts no clock beside them',
  'test/cli/commands/check.test.ts':
    'a fixture says when it was received, so that it reads the same for ever',
  'test/cli/doctor/changes.test.ts': 'a changelog has the days of its releases',
  'test/ingest/press/silence.test.ts': 'gives the clock to a pure function',
  'test/scripts/fixed-dates.test.ts': 'plants the offences that are to be found',
};

const ROOT = join(import.meta.dirname, '../..');
const CLOUDFLARE = "import { env } from 'cloudflare:workers';\n";
const DAY = '2026-01-31';

const linesIn = (
  files: Readonly<Record<string, string>>,
  exempt: readonly string[] = [],
): readonly string[] =>
  fixedDates(new Map(Object.entries(files)), new Set(exempt)).map(({ path, line }) => `${path}:${line}`);

const lineOf = (line: string): readonly string[] => linesIn({ 'test/a.test.ts': CLOUDFLARE + line });

describe('the tests of this project', () => {
  const files = projectFiles(ROOT);

  it('have no fixed date that meets a real clock: derive it from Date.now(), or say why not (`// fixed date: …`)', () => {
    expect(fixedDates(files, new Set(Object.keys(EXEMPT)))).toEqual([]);
  });

  it('need each exception', () => {
    const found = new Set(fixedDates(files).map(({ path }) => path));
    expect([...found].sort()).toEqual(Object.keys(EXEMPT).sort());
  });

  it('are red again with the fixed start that the outbox tests once had', () => {
    const support = 'test/outbox/support.ts';
    const text = files.get(support)?.replace('START = Date.now()', 'START = Date.UTC(2026, 10, 21, 12)');
    const found = fixedDates(new Map([...files, [support, text ?? '']]), new Set(Object.keys(EXEMPT)));
    expect(found).toMatchObject([{ path: support, text: expect.stringContaining('START') as unknown }]);
  });
});

describe('a fixed date is found', () => {
  it.each([
    ["const NOW = Date.parse('2026-01-31T12:00:00Z');"],
    ["const NOW = new Date('2026-01-31');"],
    ['const NOW = Date.UTC(2026, 0, 31);'],
    ['const NOW = new Date(2026, 0, 31);'],
    ["  at: '2026-01-31T12:00:00.000Z',"],
    ['const seconds = 1767601800;'],
    ['const ms = 1767601800000;'],
    ['const ms = 1_767_601_800_000;'],
    ["headers: { timestamp: '1767601800' },"],
  ])('as %s', (line) => {
    expect(lineOf(line)).toEqual(['test/a.test.ts:2']);
  });

  it('in a helper that a test imports beside the clock, and names both', () => {
    const files: Files = new Map([
      ['test/a.test.ts', `import {\n  x,\n} from './dates.ts';\nimport { y } from '../src/clock.ts';\n`],
      ['test/dates.ts', `export const x = '${DAY}';`],
      ['src/clock.ts', 'export const y = () => Date.now();'],
    ]);
    expect(fixedDates(files)).toEqual([
      {
        path: 'test/dates.ts',
        line: 1,
        text: `export const x = '${DAY}';`,
        test: 'test/a.test.ts',
        clock: 'src/clock.ts',
      },
    ]);
  });

  it.each([
    [CLOUDFLARE],
    ["import { runInDurableObject } from 'cloudflare:test';\n"],
    ["import {\n  runInDurableObject,\n} from 'cloudflare:test';\n"],
    ["const url = inject('relayUrl');\n"],
    ['const relay = await startRelay({});\n'],
  ])('beside %j', (clock) => {
    expect(linesIn({ 'test/a.test.ts': `${clock}const at = '${DAY}';` })).toHaveLength(1);
  });
});

describe('nothing is said about', () => {
  it('the tests of a function that takes its clock as an argument', () => {
    const files = {
      'test/a.test.ts': `import { f } from '../src/f.ts';\nimport type { Clock } from '../src/clock.ts';\nf('${DAY}');`,
      'src/f.ts': 'export const f = (now: string) => new Date(now);',
      'src/clock.ts': 'export const y = () => Date.now();',
    };
    expect(linesIn(files)).toEqual([]);
  });

  it.each([
    [`// the first one came at ${DAY}`],
    [`const at = '${DAY}'; // fixed date: a text`],
    [`// fixed date: a text\nconst at = '${DAY}';`],
    ["const phone = '4915112345678';"],
    ['const at = new Date(2_000);'],
    ["const version = '4.20261117.1';"],
  ])('%s', (line) => {
    expect(lineOf(line)).toEqual([]);
  });

  it('a file that is exempt', () => {
    expect(linesIn({ 'test/a.test.ts': `${CLOUDFLARE}const at = '${DAY}';` }, ['test/a.test.ts'])).toEqual(
      [],
    );
  });
});
