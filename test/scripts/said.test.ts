import '../../cli/facts.ts';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { translator } from '../../console/lib/said.ts';
import { GATEWAY_WORDS } from '../../console/texts/de.ts';
import { COUNTED_DE, PLACES_DE, SAID_DE } from '../../console/texts/said-de.ts';
import { LISTS_DE } from '../../console/texts/said-de/documents.ts';
import { MORE_COUNTED_DE, MORE_DE } from '../../console/texts/said-de/more.ts';
import { classifyFetchError } from '../../src/gateway/fetch-error.ts';
import { classifyAnswer } from '../../src/gateway/outcome.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { EMPTY_SET } from '../../src/config/documents/schema.ts';
import { compileCondition } from '../../src/template/expression.ts';
import { compileText } from '../../src/template/text.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAIRS = [...SAID_DE, ...MORE_DE, ...Object.entries(GATEWAY_WORDS)];
const COUNTED = { ...MORE_COUNTED_DE, ...COUNTED_DE };
const translate = translator({ pairs: PAIRS, counted: COUNTED, places: PLACES_DE });

const filesOf = (globs: readonly string[], exclude: readonly string[] = []): ReadonlyMap<string, string> =>
  new Map(
    globs
      .flatMap((glob) => globSync(glob, { cwd: ROOT, exclude }))
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
  );

/** The neighbouring words of a text, as `one two`; a gap or a mark between two words parts them. */
const twosOf = (text: string): readonly string[] =>
  text.split(/\{\}|[^\w\s’'`/-]/).flatMap((run) => {
    const words = run.trim().split(/\s+/);
    return words.slice(1).map((word, at) => `${words[at]} ${word}`);
  });

/** Files with texts that people read in the console: of documents, texts, requests, and of what the API refuses. */
const READ = [
  'src/{config,schema,template,signature,render}/**/*.ts',
  'src/admin/{config,messages,preview,auth,doctor}/**/*.ts',
  'src/admin/{accounts,done,many,sessions,stats}.ts',
  'src/ingest/{accept/limited,accept/accept,routing/*,parse/*,form/spam/*,request/sender}.ts',
  'src/gateway/{call,client,fetch-error,http-answer,http-request,outcome,params-size,poll-options}.ts',
  'src/outbox/{accept,operate,send}/*.ts',
  'src/registry/{change,managed,plan,precondition,publishing,removed-accounts,suppressed-lists}.ts',
  'shared/yaml-patch/patch.ts',
];

/** The description of the API; texts of messages, in the source's language; names of parts of code. */
const NOT_READ = [
  'src/**/api-*.ts',
  'src/render/{built-in-text,escape-text,incident-words}.ts',
  'src/config/compiled/canary.ts',
];

/** Names of keys, code and kinds of parts; the first is not there in German yet. */
const OTHER_TEXTS = [
  'cannot send to the receivers of this account',
  'comma or end',
  'first element',
  'first key',
  'form address',
  'form moment',
  'hookbell viewer',
  'no call',
  'of failures',
  'source, state, type, since, until or text',
  'state, source, event, phone or since',
  'incidents, source or group',
  'x.item or x.event',
  '{free header:Name}',
];
const COMMANDS_AND_FILES = /npx hookbell[^.,;]*|accounts\/|\.yaml/g;
const SQL = /^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|DISTINCT)\b/;

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';

/** The fixed texts in a piece of code, besides those that are thrown, and names of modules and types. */
function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isNode(value)) return [];
  const type = String(value['type']);
  if (type === 'ImportDeclaration' || type === 'ThrowStatement' || /^TS(?!As|Non|Sat)/.test(type)) return [];
  if (type === 'TemplateElement') return [String(Reflect.get(Object(value['value']), 'cooked'))];
  if (type === 'Literal') return typeof value['value'] === 'string' ? [value['value']] : [];
  return Object.values(value).flatMap(textsIn);
}

test('each sentence of the relay is there in German', () => {
  const english = [
    ...PAIRS.map(([one]) => one),
    ...Object.keys({ ...COUNTED, ...PLACES_DE }),
    ...OTHER_TEXTS,
  ];
  const known = new Set(english.flatMap(twosOf));
  const isUnknown = (two: string): boolean => /[a-z]{2} [a-z]{2}/.test(two) && !known.has(two);
  const found = [...filesOf(READ, NOT_READ)].flatMap(([file, code]) =>
    textsIn(parseSync(file, code, { lang: 'ts' }).program)
      .filter((text) => !SQL.test(text) && translate(text) === null)
      .filter((text) => twosOf(text.replaceAll(COMMANDS_AND_FILES, '{}')).some(isUnknown))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

const gaps = (text: string): number => text.match(/\{=?\}/g)?.length ?? 0;

test('what is there in German is still what the relay says, with as many parts, and is there once', () => {
  const sources = [...filesOf(['{src,shared}/**/*.ts']).values()].join('\n').replaceAll(/\\([`'])/g, '$1');
  const twos = new Set(twosOf(sources));
  // The rest of a sentence may be composed.
  const isSaid = (english: string): boolean => {
    const own = twosOf(english);
    if (own.length < 2) return english.split(/[^\w]+/).every((word) => sources.includes(word));
    return own.filter((two) => twos.has(two) || sources.includes(two)).length >= own.length / 2;
  };
  const gone = PAIRS.filter(([english]) => !isSaid(english));
  expect(gone.filter(([english]) => !(english.replace('a list of ', '') in LISTS_DE))).toEqual([]);
  expect(PAIRS.filter(([english, german]) => gaps(english) !== gaps(german))).toEqual([]);
  expect(new Set(PAIRS.map(([english]) => english)).size).toBe(PAIRS.length);
});

/** A mistake in a condition, a text, and a document each, as people make them. */
const CONDITIONS = [
  'payload.',
  'payload.a = 1',
  'payload.a | upcaes',
  'payload.a | truncate: 1, 2, 3',
  'payload.a == 1 payload.b',
  'payload[0',
  'payload.a == "b',
];
const TEXTS = [
  '{% for x payload.a %}{% endfor %}',
  '{% esle %}',
  '{% if payload.a %}{% else %}{% else %}{% endif %}',
  '{{ payload.a | }}',
  '{{ payload.a | datetime: "short", "Mars" }}',
  '{% liquid\nraw\n%}',
  'ok\n{{ payload. }}',
];
const SOURCES = [
  { provider: 3, verify: { scheme: 'hmca' }, routes: {}, limit: true, countries: ['Germany'] },
  { verify: { scheme: 'hmac', header: 'X', signed: '{boddy} [b', timestamp: {} }, country: 'de', secret: 1 },
  { verify: { scheme: 'token' }, secrets: ['whsec_abc'], heartbeat: '5', form: {}, spam: 3 },
  { provider: 'generic', routes: [{ name: 'a b', to: 49, when: 3, send: { kind: 'txt' }, expires: '1y' }] },
  { provider: 'generic', routes: [{ name: 'a', to: '0151 123', template: 'x', delay: '1.5.5s' }] },
  { provider: 'generic', routes: [{ name: 'a', to: 'b', group: { by: [], wait: '99d' }, fallback: [] }] },
  { provider: 'html-form', routes: [{ name: 'a', to: '+4915', to_visitor: true }] },
  { provider: 'slack', handshake: { secret: 'A' }, routes: [] },
];

const STOP_WORDS =
  /\b(the|is|are|were|must|has|have|been|with|without|which|such|there|and|or|not|of|to|at|it|that|needs?|expected)\b/;
/** What a translated text quotes. */
const QUOTED = /(?<=bekannt sind: ).*|`[^`]*`|"[^"]*"|'[^']*'|\{[%{].*?[%}]\}/g;

test('sentences with their values in them are in German without a word of English left', () => {
  const compiled = [
    ...CONDITIONS.map((text) => compileCondition(text)),
    ...TEXTS.map((text) => compileText(text)),
  ];
  const said = [
    ...compiled.flatMap((one) => (one.ok ? [] : [one.error])),
    ...SOURCES.flatMap((document) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as somebody wrote it
      const set = { ...EMPTY_SET, sources: { one: document } } as typeof EMPTY_SET;
      const { errors, warnings } = compileConfig(set, 0);
      return [...errors, ...warnings].map(({ message }) => message);
    }),
    'source a: 3 ×, most recently 1 day ago: without `a`; with a wrong `b`',
    'somebody posts to `/hooks/a`; did you mean `b`?',
    classifyFetchError(new Error('Network connection lost.')).detail,
    classifyAnswer({ status: 521, text: '', headers: new Headers(), complete: true }, 0).detail,
  ].map((text) => `${text}; gave up after 5 attempts`);
  const left = said.filter((text) => STOP_WORDS.test((translate(text) ?? 'is not').replaceAll(QUOTED, '')));
  expect(said.length).toBeGreaterThan(40);
  expect(left).toEqual([]);
});

test('a text that a stranger filled with separators is read at once', () => {
  const texts = [
    `put ${'a b/'.repeat(150)}`,
    `route \`a\`, parameter \`to\` (${'a b): '.repeat(150)}`,
    `\`when\` is false: ${'a b, where `c` was '.repeat(50)}`,
  ];
  for (const text of texts) expect(translate(text)).not.toBe('');
});
