import fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { locate } from '../../../cli/folder/locate.ts';
import { readText } from '../../../cli/folder/yaml.ts';
import { notText } from '../../../src/schema/parts.ts';

/** The mistakes of a text: place, words, the line as it is, the line as it should be. */
function mistakes(text: string) {
  const read = readText(text, false);
  if (read.ok) return read.value.doubts;
  const { more = [], ...first } = read.error;
  return [first, ...more];
}

const BRACE = 'YAML reads `{` at the start of a value as a map: put the text in quotes';
const COLON = 'a colon and a blank inside a text begin another key: put the text in quotes';
const start = (sign: string, why: string): string =>
  `a text cannot begin with ${sign}, which ${why}: put it in quotes`;
const column = (n: number): string =>
  `wrong indentation: a key begins in the column of those it belongs to, here column ${n}`;

/** What is written, where it is wrong, why, and the fixed line. */
const TABLE: readonly (readonly [text: string, place: string, why: string, fixed: string])[] = [
  ['message: Order: {{ payload.id }}', '1:10', COLON, "message: 'Order: {{ payload.id }}'"],
  ['message: see:', '1:10', COLON, "message: 'see:'"],
  ['to: {{ payload.phone }}', '1:5', BRACE, "to: '{{ payload.phone }}'"],
  ['to: {{ payload.phone }} # customer', '1:5', BRACE, "to: '{{ payload.phone }}' # customer"],
  ['- {{ payload.phone }}', '1:3', BRACE, "- '{{ payload.phone }}'"],
  [
    'message: {{ payload.a }} and {{ payload.b }}',
    '1:10',
    BRACE,
    "message: '{{ payload.a }} and {{ payload.b }}'",
  ],
  ['message: {% if payload.x %}a{% endif %}', '1:10', BRACE, "message: '{% if payload.x %}a{% endif %}'"],
  [
    'to:{{ payload.phone }}\nkind: text',
    '1:1',
    'no blank after the colon of a key',
    "to: '{{ payload.phone }}'",
  ],
  ['message:hello', '1:1', 'no blank after the colon of a key', 'message: hello'],
  [
    'send: { kind: text, message: {{ payload.x }} }',
    '1:30',
    BRACE,
    "send: { kind: text, message: '{{ payload.x }}' }",
  ],
  ['to: [{{ payload.phone }}, team]', '1:6', BRACE, "to: ['{{ payload.phone }}', team]"],
  ['message: @name', '1:10', start('`@`', 'YAML keeps for itself'), "message: '@name'"],
  ['message: `code`', '1:10', start('a backtick', 'YAML keeps for itself'), "message: '`code`'"],
  ['message: %name', '1:10', start('`%`', 'begins a directive of YAML'), "message: '%name'"],
  ['message: *Paid* now', '1:10', start('`*`', 'repeats a value that `&` named'), "message: '*Paid* now'"],
  ['message: !Attention please', '1:10', start('`!`', 'names a type'), "message: '!Attention please'"],
  [
    'message: > hello',
    '1:10',
    start('`>`', 'begins a block of text on the lines below'),
    "message: '> hello'",
  ],
  ['message: - hello', '1:10', start('`-`', 'begins a list'), "message: '- hello'"],
  ['message: # 12 is paid', '1:10', start('`#`', 'begins a comment'), "message: '# 12 is paid'"],
  [
    'message: [Shop] paid',
    '1:10',
    'YAML reads `[` at the start of a value as a list: put the text in quotes',
    "message: '[Shop] paid'",
  ],
  ['message: "hello\nkind: text', '1:10', 'the quote " is not closed', 'message: "hello"'],
  ["message: 'hello\nkind: text\nto: 'x'", '1:10', "the quote ' is not closed", "message: 'hello'"],
  [
    "message: 'it's paid'",
    '1:14',
    "the quote ' inside the text ends it: use the other quotes around it",
    'message: "it\'s paid"',
  ],
  [
    'message: "Hi {{ payload.name | default: "you" }}"',
    '1:42',
    'the quote " inside the text ends it: use the other quotes around it',
    'message: \'Hi {{ payload.name | default: "you" }}\'',
  ],
  [
    'when: "a" == payload.b',
    '1:11',
    'the text goes on after the quote " that ends it: put quotes around all of it',
    'when: \'"a" == payload.b\'',
  ],
  [
    'key: "\\d+"',
    '1:7',
    'in double quotes `\\` begins a character that has no key: write `\\\\`, or use single quotes',
    "key: '\\d+'",
  ],
  ['a:\n\tb: 1', '2:1', 'a tab in the indentation: YAML takes only blanks', '  b: 1'],
  [
    'a:\n  b: 1\n\tc: 2\n\td: 3',
    '3:1',
    'a tab in the indentation: YAML takes only blanks; the same for the line below',
    '  c: 2',
  ],
  [
    'a:\n  b: 1\n\u00a0\u00a0c: 2',
    '3:1',
    'a no-break space in the indentation, as web pages have them: YAML takes only blanks',
    '  c: 2',
  ],
  [
    'to:\n  -team\n  -boss',
    '2:3',
    'no blank after the `-` of a list; the same for the line below',
    '  - team',
  ],
  ['to:\n  - team\n  -boss', '3:3', 'no blank after the `-` of a list', '  - boss'],
  [
    'message: |\nHello,\nyou\nkind: text',
    '2:1',
    'the text below `message: |` must be indented by at least 2 blanks; the same for the line below',
    '  Hello,',
  ],
  [
    'a:\n  message: |\n      Hello,\n    you\n',
    '4:5',
    'the text below `message: |` must be indented by at least 6 blanks',
    '      you',
  ],
  ['routes:\n  - name: a\n   to: b', '3:4', column(5), '    to: b'],
  ['a:\n    b: 1\n  c: 2', '3:3', column(5), '    c: 2'],
  ['kind: text\n message: x', '2:2', column(1), 'message: x'],
];

describe('a mistake in YAML', () => {
  it.each(TABLE)('%j is said at %s', (text, place, why, fixed) => {
    const [first] = mistakes(text);
    expect(first).toMatchObject({ message: why, fixed });
    expect(`${first?.line}:${first?.column}`).toBe(place);
    expect(first?.written).toBe(text.split('\n')[(first?.line ?? 0) - 1]);
  });

  it.each(TABLE)('%j is gone once all of its lines are fixed', (text) => {
    let now = text.split('\n');
    for (let round = 0; round < 5; round += 1) {
      const read = readText(now.join('\n'), false);
      if (read.ok) return;
      const { line, fixed } = read.error;
      now = now.with(line - 1, fixed ?? '');
    }
    expect(readText(now.join('\n'), false)).toMatchObject({ ok: true });
  });

  it('does not hide the next one', () => {
    const text =
      'routes:\n  - name: a\n    to: {{ payload.x }}\n    send:\n      kind: text\n      message: Hi: you\n';
    expect(mistakes(text).map(({ line }) => line)).toEqual([3, 6]);
  });

  it('nobody can fix has the line and no other', () => {
    expect(mistakes('kind: text\nkind: image')).toEqual([
      {
        line: 2,
        column: 1,
        written: 'kind: image',
        message: '`kind` is written twice in the same place: keep one of them',
      },
    ]);
    expect(mistakes('a: 1\n---\nb: 2')[0]).not.toHaveProperty('fixed');
  });

  it('is not what others below or above are about', () => {
    const text = 'a: "one\n  two"\nb: &x three\nc: *x\nd: {{ payload.y }}';
    expect(mistakes(text)).toMatchObject([{ line: 5, fixed: "d: '{{ payload.y }}'" }]);
  });

  it('keeps the line breaks of Windows', () => {
    expect(mistakes('to: {{ a }}\r\nkind: text\r\n')).toMatchObject([
      { written: 'to: {{ a }}', fixed: "to: '{{ a }}'" },
    ]);
  });
});

describe('a doubt about YAML', () => {
  it.each([
    ['message: Order #5 #6', "message: 'Order #5 #6'"],
    ['message: Order # 5', "message: 'Order # 5'"],
    ['when: payload.x == 1 #{{ payload.y }}', "when: 'payload.x == 1 #{{ payload.y }}'"],
    ['message: &Partner wrote', "message: '&Partner wrote'"],
  ])('%j is said with the line as a text', (text, fixed) => {
    expect(mistakes(text)).toMatchObject([{ line: 1, written: text, fixed }]);
  });

  it.each(['timezone: Europe/Berlin # of the shop', "message: 'Hi' # greeting", 'a: &x b\nc: *x', 'a: 1#2'])(
    '%j raises none',
    (text) => {
      expect(mistakes(text)).toEqual([]);
    },
  );
});

const piece = fc.oneof(
  fc.constantFrom(
    ': ',
    ' #',
    '#',
    '{{ payload.x }}',
    '{%',
    '%}',
    '"',
    "'",
    '\\',
    '- ',
    '-',
    '? ',
    '@',
    '`',
    '%',
    '&a',
  ),
  fc.constantFrom(
    '*b*',
    '!c',
    '|',
    '>',
    '[',
    ']',
    '{',
    '}',
    ',',
    '+49151',
    '0049',
    '0151',
    '1e5',
    'true',
    'null',
    '~',
  ),
  fc.constantFrom('NO', 'yes', ' ', '\t', 'Ärger', '…', '\u00a0', '🔥', '---', '...', '<<', '=', ':'),
  fc.string({ maxLength: 4 }),
);
const line = fc
  .array(piece, { minLength: 1, maxLength: 5 })
  .map((pieces) =>
    pieces
      .join('')
      .replaceAll(/[\r\n]/g, '')
      .replace(/^[ \t]+|[ \t]+$/g, ''),
  )
  // A text in quotes that is complete, and the beginning of a block, are what they say.
  .filter((text) => text !== '' && !/^["']/.test(text) && !/^[|>][-+0-9]*([ \t]+#.*)?$/.test(text));

/** The error of the schema about a text that YAML reads as another type, with its place in the file. */
function asSchemaError(text: string) {
  const read = readText(text, false);
  if (!read.ok) return null;
  const document = { kind: 'templates', name: 'x', file: 'x.yaml', text, ...read.value } as const;
  const input: unknown = Reflect.get(Object(parse(text)), 'message');
  return locate({ path: 'templates.x.message', message: notText({ input }) }, [document]);
}

describe('a text without quotes', () => {
  it('is read as it stands, or the fixed line is', () => {
    fc.assert(
      fc.property(line, (text) => {
        const written = `kind: text\nmessage: ${text}\n`;
        const read = readText(written, false);
        if (read.ok && Reflect.get(Object(read.value.value), 'message') === text) return;
        const fixed = mistakes(written)[0]?.fixed ?? asSchemaError(written)?.fixed;
        expect(fixed).toBeDefined();
        expect(parse(fixed ?? '')).toEqual({ message: text });
      }),
      { numRuns: 1_000 },
    );
  });
});
