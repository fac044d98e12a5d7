import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const FILES = globSync('**/*', {
  cwd: ROOT,
  exclude: (path) => /(?:^|\/)(?:node_modules|dist|\.\w+|vectors|captured|package-lock\.json)$/.test(path),
})
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(?:[cm]?[jt]sx?|json|ya?ml|md|css|html|toml|txt|liquid|svg|sh)$/.test(path))
  // Built, and the list itself.
  .filter((path) => !/^assets\/(?:console|phones)\/|^docs\/glossary\.md$|captured-/.test(path))
  .filter((path) => path !== 'test/scripts/words.test.ts');

/** The words in the left column of the glossary's last table. */
const BANNED = (text('docs/glossary.md').split(/<!-- banned: (?:begin|end) -->/)[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:not |-)/.test(line))
  .flatMap((line) => line.split('|')[1]?.split(',') ?? [])
  .map((word) => word.trim());

/** `wasTold`, `was_told` and `HTTPTold` are words, too. */
const inWords = (code: string): string =>
  code.replaceAll(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ').replaceAll('_', ' ');

/** Words of a phrase may stand on two lines of a comment or a page. */
const BETWEEN = String.raw`(?:\s|//|[*#>])+`;

const patternOf = (words: readonly string[]): RegExp =>
  new RegExp(String.raw`\b(?:${words.map((word) => word.replaceAll(' ', BETWEEN)).join('|')})\b`, 'gi');

/** The lines of a text in which a pattern is found, and the text that it found. */
const matches = (code: string, pattern: RegExp): readonly string[] =>
  [...code.matchAll(pattern)].map(({ 0: found, index }) => {
    return `${code.slice(0, index).split('\n').length}: ${found}`;
  });

/** Every line of the files, and every path, that a pattern is found in. */
const found = (paths: readonly string[], banned: RegExp): readonly string[] =>
  paths.flatMap((path) =>
    [...matches(inWords(path), banned), ...matches(inWords(text(path)), banned)].map(
      (place) => `${path}:${place}`,
    ),
  );

describe('the words that the glossary bans', () => {
  const banned = patternOf(BANNED);

  it('are in its table', () => {
    expect(BANNED).toContain('told');
    expect(BANNED).toContain('so many');
  });

  it.each([
    ['an identifier', 'const wasTold = 1;', '1: Told'],
    ['an identifier in capitals', '\nconst WAS_TOLD = 1;', '2: TOLD'],
    ['an identifier after an acronym', 'HTTPTold()', '1: Told'],
    ['a comment', 'x();\n// It mends the line.', '2: mends'],
    ['a comment over two lines', '/**\n * So\n * many.\n */', '2: So\n * many'],
    ['a comment with an inflection', '// It is blotted out.', '1: blotted'],
    ['a comment in another tense', '// It shows what becomes of it.', '1: becomes of'],
    ['a page', '# Alerts\n\nWhat became\nof a message.', '3: What became\nof'],
    ['a text of the console', "outcome: 'The fate of the event',", '1: fate'],
    ['an error', "throw new Error('tell the owner');", '1: tell'],
    ['a key of a document', 'tell_owner: true', '1: tell'],
    ['a key of a text', '"no-data-is-over": "has data again"', '1: is-over'],
    [
      'a sentence about an incident',
      '// Once the incident\n// is over, it waits.',
      '1: incident\n// is over',
    ],
  ])('are found in %s', (_, code, place) => {
    expect(matches(inWords(code), banned)).toEqual([place]);
  });

  it('are not found inside other words', () => {
    expect(matches(inWords('retelling and mendacious intellect'), banned)).toEqual([]);
  });

  it.each(['Once the silence is over, it waits.', 'is_over', 'an outstanding answer', 'once more, overall'])(
    'are not found in plain English: %s',
    (text) => {
      expect(matches(inWords(text), banned)).toEqual([]);
    },
  );

  it('are nowhere in the project', () => {
    expect(FILES.length).toBeGreaterThan(1_000);
    for (const part of [
      'src/',
      'cli/',
      'console/texts/',
      'openapi/',
      'docs/',
      'assets/texts/',
      'demo/',
      'test/',
    ])
      expect(FILES.filter((path) => path.startsWith(part)).length, part).toBeGreaterThan(1);
    expect(found(FILES, banned)).toEqual([]);
  });

  it('of the old mechanism are not in `src`', () => {
    // Trello's boards are Trello's word.
    const paths = FILES.filter(
      (path) => path.startsWith('src/') && !path.startsWith('src/provider/catalog/'),
    );
    expect(found(paths, patternOf(['anchors?', 'boards?']))).toEqual([]);
  });
});

/**
 * A sentence of a comment that names nothing, and is not a question. A plain subject says more: a thing, a person, a
 * verb. "When" and "Where" may begin a sentence that goes on after a comma, but not a doc comment.
 */
const VAGUE = (() => {
  const start = String.raw`(?:\/\*\*|^[ \t]*\*|(?:^|[ \t])\/\/) `;
  const before = '(?:[^\\n]*?[.!?][)`"”]* )?';
  const nextLine = String.raw`\n[ \t]*(?:\*(?!\/)|\/\/)`;
  const noQuestion = String.raw`(?!(?:[^.!?\n]|${nextLine})*\?)`;
  const end = String.raw`[.!?:;](?!\S)|\*\/|\n(?!${nextLine.slice(2)})|(?![\s\S])`;
  const noComma = String.raw`(?=(?:[^,.!?:;\n*]|[.!?:;](?=\S)|\*(?!\/)|${nextLine})*(?:${end}))`;
  return new RegExp(
    String.raw`${start}${before}(?:Whether|What(?! follows)|Who|How|Why|Which)\b${noQuestion}` +
      String.raw`|\/\*\*(?:\n[ \t]*\*)? (?:Where|When)\b${noQuestion}` +
      String.raw`|${start}${before}(?:Where|When)\b${noQuestion}${noComma}`,
    'gm',
  );
})();

describe('a comment', () => {
  const isCode =
    /^(?:src|cli|console|shared|runtime|simulator|openapi|scripts|patch|bin|test|packages)\/.*\.(?:ts|tsx|mjs)$/;

  it.each([
    '/** Whether it is sent. */',
    '/**\n * How long it waits.\n */',
    'x();\n  // What came before.',
    '/** Who pressed: the receiver. */',
    'x(); // What came before.',
    '/** The list of all. What is none of them is left out. */',
    '/**\n * The list (of all.) Whether it is full\n * is not known.\n */',
    '// It waits. Who left is not asked.',
    '/** Where a row is. */',
    '/**\n * When it was sent.\n */',
    '/** Why it waits, for a person. */',
    '/** Which of them, by `a.b`, is sent. */',
    '/** When the object starts, it reads its rows. */',
    'x(); // When it was sent.',
    '// When it was\n// sent.',
    '// It waits. Where it is: in the list, or nowhere.',
    '/**\n * It waits. When\n * it was sent. Then, it goes.\n */',
  ])('that has a sentence like %j is found', (code) => {
    expect(matches(code, VAGUE)).toHaveLength(1);
  });

  it.each([
    '/** Answers: what is it? */',
    '// It waits. How long?',
    '/**\n * It waits. What does\n * it wait for?\n */',
    '// What follows is text.',
    '/** Says what is open, and who has it. */',
    '// When the object starts, it reads its rows.',
    '/** It waits. When `a.b` starts, it reads its rows. */',
    '/**\n * It waits. Where it is the\n * newest of all, it is listed. Nothing else.\n */',
    '// Where?',
    "const text = 'It waits. What it waits for is unknown.';",
  ])('like %j is none', (code) => {
    expect(matches(code, VAGUE)).toEqual([]);
  });

  it('names its subject first', () => {
    const paths = FILES.filter((path) => isCode.test(path));
    expect(paths.length).toBeGreaterThan(500);
    expect(paths.flatMap((path) => matches(text(path), VAGUE).map((place) => `${path}:${place}`))).toEqual(
      [],
    );
  });
});
