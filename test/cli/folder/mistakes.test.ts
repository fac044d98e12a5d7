import fc from 'fast-check';
import { parse } from 'yaml';
import { expect, it } from 'vitest';
import { locate } from '../../../cli/folder/locate.ts';
import { readText } from '../../../cli/folder/yaml.ts';
import { notText } from '../../../src/schema/parts.ts';

/** The mistakes of a text: place, words, the line as it is. */
function mistakes(text: string) {
  const read = readText(text, false);
  if (read.ok) return read.value.warnings;
  const { more = [], ...first } = read.error;
  return [first, ...more];
}

const BRACE = 'YAML reads `{` at the start of a value as a map: put the text in quotes';
const COLON = 'a colon and a space inside a text begin another key: put the text in quotes';
const NO_KEY =
  'YAML expects a key and a colon here: if this is a text, indent it below its key, or put it in quotes';
const AFTER_DASH = 'there is no space after the `-` of a list: add one';
const AFTER_COLON = 'there is no space after the colon of a key: add one';
const TAB = 'the indentation contains a tab: use spaces';
const indented = (is: string, expected: string, as: string): string =>
  `is indented by ${is}; ${expected} expected here, as for ${as}`;
const NOT_CLOSED =
  '`[` begins a list and `{` a map, and this one is not closed: close it, or put the text in quotes';
const start = (sign: string, why: string): string =>
  `a text cannot begin with ${sign}, which ${why}: put it in quotes`;
const open = (quote: string): string =>
  `the quote ${quote} is not closed: write it again at the end of the text`;
const goesOn = (quote: string): string =>
  `the text ends at the quote ${quote}, and more follows: put all of it in quotes of the other kind`;

/** The text, the place of the mistake, and the reason. */
const TABLE: readonly (readonly [text: string, place: string, why: string])[] = [
  ['message: Order: {{ payload.id }}', '1:10', COLON],
  ['message: see:', '1:10', COLON],
  ['message: {{ payload.id }}', '1:10', BRACE],
  ['to: {{ payload.phone }} # customer', '1:5', BRACE],
  ['- {{ payload.phone }}', '1:3', BRACE],
  ['message: {{ payload.a }} and {{ payload.b }}', '1:10', BRACE],
  ['message: {% if payload.x %}a{% endif %}', '1:11', BRACE],
  ['send: { kind: text, message: {{ payload.x }} }', '1:30', BRACE],
  ['to: [{{ payload.phone }}, team]', '1:6', BRACE],
  ['to:{{ payload.phone }}\nkind: text', '1:1', AFTER_COLON],
  ['message:hello', '1:1', AFTER_COLON],
  ['message: @name', '1:10', start('`@`', 'YAML reserves')],
  ['message: `code`', '1:10', start('a backtick', 'YAML reserves')],
  ['message: %name', '1:10', start('`%`', 'begins a directive of YAML')],
  ['message: *Paid* now', '1:10', start('`*`', 'repeats a value that `&` named')],
  ['message: !Attention please', '1:10', start('`!`', 'names a type')],
  ['message: > hello', '1:12', start('`>`', 'begins a block of text on the lines below')],
  ['message: - hello', '1:10', start('`-`', 'begins a list')],
  ['message: # 12 is paid', '1:10', start('`#`', 'begins a comment')],
  ['message: [Shop] paid', '1:17', '`]` ends a map or a list, and more follows: put the text in quotes'],
  ['message: [Shop\nkind: text', '1:10', NOT_CLOSED],
  ['message: "hello\nkind: text', '1:10', open('"')],
  ["message: 'it's paid'", '1:14', goesOn("'")],
  ['message: "Hi {{ payload.name | default: "you" }}"', '1:42', goesOn('"')],
  ['when: "a" == payload.b', '1:11', goesOn('"')],
  [
    'key: "\\d+"',
    '1:7',
    'in double quotes, `\\` begins an escape such as `\\n`: write `\\\\`, or use single quotes',
  ],
  ['a:\n\tb: 1', '2:1', TAB],
  [
    'a:\n  b: 1\n\u00a0\u00a0c: 2',
    '3:1',
    'there is a no-break space before this key, probably copied from a web page: use plain spaces',
  ],
  ['to:\n  -team\n  -boss', '2:3', AFTER_DASH],
  ['to:\n  - team\n  -boss', '3:3', AFTER_DASH],
  ['message: |\nHello,\nyou\nkind: text', '2:1', NO_KEY],
  ['a:\n  message: |\n      Hello,\n    you\n', '4:5', NO_KEY],
  ['routes:\n  - name: a\n   to: b', '3:4', indented('3 spaces', '4 are', '`name` in line 2')],
  ['routes:\n  - name: a\n   - name: b', '3:4', indented('3 spaces', '2 are', '`- name` in line 2')],
  ['a:\n    b: 1\n  c: 2', '3:3', indented('2 spaces', '4 are', '`b` in line 2')],
  ['kind: text\n message: x', '2:2', indented('1 space', 'none is', '`kind` in line 1')],
  ['日本🎉: {{ payload.x }}', '1:6', BRACE],
  ['kind: text\nkind: image', '2:1', '`kind` appears twice in the same map: keep one of them'],
  ['a: 1\n---\nb: 2', '2:1', 'has several documents (`---`): put each into its own file'],
];

it('a key that appears twice is refused in JSON as it is in YAML, since the first would be lost', () => {
  expect(readText('{\n  "kind": "text",\n  "kind": "image"\n}', true)).toMatchObject({
    error: { line: 3, column: 3, message: '`"kind"` appears twice in the same map: keep one of them' },
  });
  expect(readText('{ "a": { "kind": 1 }, "b": { "kind": 1 } }', true).ok).toBe(true);
});

it('a mistake in YAML is said with its place and its line', () => {
  for (const [text, place, why] of TABLE) {
    const { line = 0, column, message, written } = mistakes(text)[0] ?? {};
    const found = [text, `${line}:${column}`, message, written];
    expect(found).toEqual([text, place, why, text.split('\n')[line - 1]]);
  }
});

it('a mistake in YAML does not hide those in other lines, and is said once a line, and ten times a file', () => {
  const linesOf = (text: string) => mistakes(text).map(({ line }) => line);
  expect(linesOf('a: 1\nto: {{ payload.x }}\nkind: text\nmessage: Hi: you\n')).toEqual([2, 4]);
  expect(linesOf('a:\n  b: 1\n\tc: 2\n\td: 3')).toEqual([3, 4]);
  expect(mistakes('message: - *a: @b')).toHaveLength(1);
  expect(mistakes('to: {{ payload.x }}\n'.repeat(20))).toHaveLength(10);
});

it('a mistake in YAML of indentation is said of each line that is wrong, and not of those below it', () => {
  const text = `routes:
  - name: paid
    when: event.type == "x"
     to: owners
   - name: b
    send:
      kind: text # as it is
     message: hi`;
  expect(mistakes(text).map(({ line, column, message }) => [line, column, message])).toEqual([
    [4, 6, indented('5 spaces', '4 are', '`when` in line 3')],
    [5, 4, indented('3 spaces', '2 are', '`- name` in line 2')],
    [8, 6, indented('5 spaces', '6 are', '`kind` in line 7')],
  ]);
});

it('a mistake in YAML is not what others below or above are about, and has its line without the line break of Windows', () => {
  const text = 'a: "one\n  two"\nb: &x three\nc: *x\nd: {{ payload.y }}';
  expect(mistakes(text)).toMatchObject([{ line: 5, message: BRACE }]);
  expect(mistakes('to: {{ a }}\r\nkind: text\r\n')).toMatchObject([{ written: 'to: {{ a }}' }]);
});

it('a doubt about YAML is said with quotes as the way out, and only where there is one', () => {
  const doubtful = ['message: Order #5 #6', 'message: Order # 5', 'when: payload.x == 1 #{{ payload.y }}'];
  for (const written of [...doubtful, 'message: &Partner wrote']) {
    const message = expect.stringContaining('put the text in quotes') as unknown;
    expect(mistakes(written)).toMatchObject([{ line: 1, written, message }]);
  }
  for (const text of ['timezone: Europe/Berlin # of it', "message: 'Hi' # x", 'a: &x b\nc: *x', 'a: 1#2'])
    expect([text, mistakes(text)]).toEqual([text, []]);
});

const SIGNS = `: | #|#|{{ payload.x }}|{%|%}|"|'|\\|- |-|? |@|\`|%|&a|*b*|!c|>|[|]|{|}|,|+49151|0049|0151|1e5|true|null|~|NO|yes| |\t|Ärger|…|\u00a0|🔥|---|...|<<|=|:`;
const piece = fc.oneof(fc.constantFrom('|', ...SIGNS.split('|')), fc.string({ maxLength: 4 }));
const line = fc
  .array(piece, { minLength: 1, maxLength: 5 })
  .map((pieces) => pieces.join('').replaceAll(/[\r\n]|^[ \t]+|[ \t]+$/g, ''))
  // A text in quotes is what it says; after the sign of a block YAML stumbles where it likes.
  .filter((text) => text !== '' && !/^["'|>]/.test(text));

/** The error of the schema about a text that YAML reads as another type, with its place in the file. */
function asSchemaError(text: string) {
  const read = readText(text, false);
  if (!read.ok) return null;
  const document = { kind: 'templates', name: 'x', file: 'x.yaml', text, ...read.value } as const;
  const input: unknown = Reflect.get(Object(parse(text)), 'message');
  return locate({ path: 'templates.x.message', message: notText({ input }) }, [document]);
}

it('a text without quotes is read as it stands, or its line is refused or doubted', () => {
  fc.assert(
    fc.property(line, (text) => {
      const written = `kind: text\nmessage: ${text}\n`;
      const read = readText(written, false);
      if (read.ok && Reflect.get(Object(read.value.value), 'message') === text) return;
      const problem = mistakes(written)[0] ?? asSchemaError(written);
      expect(problem?.line).toBe(2);
      expect(problem?.message).toMatch(/quote|space/);
    }),
    { numRuns: 200, examples: [['[\u00a0{']] },
  );
});

it('a text without quotes that YAML reads as something else is to be put in quotes', () => {
  const message = 'must be text: put it in quotes';
  for (const text of ['[Shop]', '~', '+4915112345678', '0151', 'true', '{ a: 1 }'])
    expect(asSchemaError(`kind: text\nmessage: ${text}\n`)).toMatchObject({ line: 2, message });
});
