import '../../cli/facts.ts';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { translator } from '../../console/lib/said.ts';
import { COUNTED_DE, PLACES_DE, SAID_DE } from '../../console/texts/said-de.ts';
import { GATEWAY_WORDS } from '../../console/texts/de.ts';
import { LISTS_DE } from '../../console/texts/said-de/documents.ts';
import { MORE_COUNTED_DE, MORE_DE } from '../../console/texts/said-de/more.ts';
import { compileConfig } from '../../src/config/compile.ts';
import { documentSchemas, EMPTY_SET } from '../../src/config/schema.ts';
import { compileCondition } from '../../src/template/condition.ts';
import { compileText } from '../../src/template/text.ts';

const ROOT = join(import.meta.dirname, '../..');

const PAIRS = [...SAID_DE, ...MORE_DE, ...Object.entries(GATEWAY_WORDS)];
const translate = translator({
  pairs: PAIRS,
  counted: { ...MORE_COUNTED_DE, ...COUNTED_DE },
  places: PLACES_DE,
});

/** Files with texts that people read in the console: of documents, texts, requests, and of what the API refuses. */
const READ = [
  'src/{config,schema,template,signature,render}/**/*.ts',
  'src/admin/{config,messages,preview,auth}/**/*.ts',
  'src/admin/{accounts,done,many,sessions,stats}.ts',
  'src/ingest/{accept/limited,accept/accept,routing/*,parse/*,form/spam/*,request/sender}.ts',
  'src/gateway/{call,client,fetch-error,http-answer,http-request,outcome,params-size,poll-options}.ts',
  'src/outbox/{accept,operate,send}/*.ts',
  'src/registry/{change,managed,plan,precondition,publishing,removed-accounts,suppressed-lists}.ts',
  'patch/patch.ts',
];

/** The description of the API; texts of messages, in the source's language; names of keys and of code; what a log says. */
const NOT_READ = [
  'src/{schema,admin/*}/api-*.ts',
  'src/render/{built-in-text,escape-text,incident-words}.ts',
  'src/config/canary.ts',
  'src/template/syntax/guard.ts',
  'src/template/filters/dates.ts: {} day',
  'src/config/compile-receivers.ts: recipients list',
  'src/config/credentials.ts: is called over plain http, so the login and every message can be read in transit. Use https',
  'src/config/named-secrets.ts: the gateway {} {}',
  'src/signature/schemes/jwt.ts: jwt {}',
  'src/signature/signed/signed-template.ts: {free header:Name}',
  'src/admin/auth/credential.ts: hookbell {}',
  'src/admin/auth/seal.ts: hookbell viewer {} {}',
  'src/admin/config/config.ts: version {}',
  'src/admin/messages/cancel-many.ts: state, source, event, phone or since',
  'src/admin/messages/replay-many.ts: source, state, type, since, until or text',
  'src/ingest/form/spam/address.ts: form address {}',
  'src/ingest/form/spam/moment.ts: form moment',
  'src/ingest/parse/json-fault.ts: first element',
  'src/ingest/parse/json-fault.ts: first key',
  'src/ingest/parse/json-fault.ts: comma or end',
  'src/ingest/parse/json.ts: at {}, {} where {} should be.',
  'src/registry/change.ts: sources.{} (route {})',
  'src/gateway/client.ts: no call',
  'src/gateway/http-request.ts: Basic {}',
];

/** Sentences whose parts are chosen elsewhere: each way is there in German as a whole. */
const COMPOSED = [
  'src/render/failure.ts: route `{}`, element {}, parameter `{}`{}: {}',
  'src/signature/signed/signed-template.ts: has an unknown token `{{}}`{}',
  'src/template/syntax/check.ts: unknown tag {% {} %}{}',
  'src/template/syntax/names.ts:  (did you mean "payload.{}"?)',
  'src/template/syntax/names.ts: unknown name "{}"{}; the names are {}',
  'src/template/syntax/names.ts: unknown filter "{}"{}',
  'src/template/syntax/names.ts: {} to {} {}',
  'src/template/syntax/tags.ts: {} or the end',
  "src/template/filters/phone.ts: {} {}, and the source's `countries` are {}",
  'src/template/filters/premium.ts: {} is {}, and anybody can post to this source: to allow such numbers, set `premium: true` on the source{}',
  'src/template/basics/failure.ts: line {}, {}: {}',
  'src/template/basics/scanner.ts: {}column {}: {}',
  'src/config/compile-receivers.ts: the list `{}` {}',
  'src/config/unknown-name.ts: {}; there are none yet',
  'src/config/unknown-name.ts: {}; there is {} …',
  'src/config/unknown-name.ts: {}; there is {}',
  'src/config/unknown-name.ts: {}; there are {} …',
  'src/config/unknown-name.ts: {}; there are {}',
  'src/config/warn-of-route.ts: x.item or x.event',
  'src/config/warn-of-route.ts: `{}` names `{}`, which is empty in {}, since it is about several events; use `{}` in `{% for x in new %}` … `{% endfor %}`',
  'src/admin/auth/sign-in.ts: You are signed in as {}, and this signs you in as {}: send `replace: true` if you want that.{}',
  'src/admin/preview/warnings.ts: {} receivers get it{}',
  'src/admin/preview/warnings.ts: the number has no `+` or `00`, and the source has no `country`: {}',
  'src/admin/preview/warnings.ts: has {} characters, but `max_length` is {}: it is {}',
  'src/admin/preview/warnings.ts: {} {} this kind: it goes out as a text: {}',
  'src/admin/messages/operate.ts: The message {}.',
  'src/admin/config/pair.ts: The source `{}` needs no pairing: {}. Its secret is in the settings at the provider, or is chosen there.',
  'src/ingest/parse/json.ts: there is `{}`',
  'src/ingest/parse/json.ts: there is the character U+{}',
  'src/ingest/parse/xml.ts: The XML is malformed{}.',
  'src/ingest/routing/left-out.ts: more element',
  'src/ingest/accept/limited.ts: {} webhooks a minute{}',
  'src/registry/change.ts: `{}` is in use by {}; {}',
  'src/registry/plan.ts: Version {}{} is active, and `If-Match` does not name it; nothing was changed. Read it, and send `If-Match: "{}"` if you still want your change.',
];

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The texts that a piece of code gives, one for each way of a condition, with `{}` for what only runs know. */
function textsOf(node: unknown): readonly string[] {
  if (!isNode(node)) return ['{}'];
  if (node['type'] === 'Literal' && typeof node['value'] === 'string') return [node['value']];
  if (node['type'] === 'ConditionalExpression')
    return [...textsOf(node['consequent']), ...textsOf(node['alternate'])];
  if (node['type'] !== 'TemplateLiteral') return ['{}'];
  const expressions = list(node['expressions']);
  return list(node['quasis']).reduce<readonly string[]>(
    (texts, quasi, at) => {
      const cooked = isNode(quasi) ? String(Reflect.get(Object(quasi['value']), 'cooked')) : '';
      const next = at < expressions.length ? textsOf(expressions[at]) : [''];
      return texts.flatMap((text) => next.map((one) => text + cooked + one));
    },
    [''],
  );
}

/** The texts in a piece of code, besides those that are thrown, and names of modules and types. */
function sentencesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(sentencesIn);
  if (!isNode(value)) return [];
  const type = String(value['type']);
  if (type === 'ImportDeclaration' || type === 'ThrowStatement' || /^TS(?!As|Non|Sat)/.test(type)) return [];
  if (type === 'Literal') return textsOf(value);
  if (type === 'TemplateLiteral') {
    const inside = list(value['expressions']).filter(
      (one) => !isNode(one) || (one['type'] !== 'ConditionalExpression' && one['type'] !== 'TemplateLiteral'),
    );
    return [...textsOf(value), ...inside.flatMap(sentencesIn)];
  }
  return Object.values(value).flatMap(sentencesIn);
}

const isSentence = (text: string): boolean =>
  /[a-z]+ [a-z]+|\} [a-z]{2,}|[a-z]{2,} \{\}/.test(text) &&
  !/^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|DISTINCT)\b/.test(text);

/** True if it is part of a longer sentence that is there in German. */
const isPart = (text: string): boolean =>
  PAIRS.some(([english]) => english.includes(text.trim().replaceAll(/\.$/g, '')));

test('all that the relay says to people who work with it is there in German', () => {
  const ignored = new Set([
    ...NOT_READ,
    ...COMPOSED,
    ...NOT_READ.flatMap((glob) => (glob.endsWith('.ts') ? globSync(glob, { cwd: ROOT }) : [])),
  ]);
  const found = READ.flatMap((glob) => globSync(glob, { cwd: ROOT }))
    .filter((file) => !ignored.has(file))
    .flatMap((file) =>
      sentencesIn(parseSync(file, readFileSync(join(ROOT, file), 'utf8'), { lang: 'ts' }).program)
        .flatMap((text) => text.split('\n'))
        .filter((text) => isSentence(text) && !isPart(text) && !ignored.has(`${file}: ${text}`))
        .filter((text) => translate(text.replaceAll('{}', 'x1')) === null)
        .map((text) => `${file}: ${text}`),
    );
  expect(found).toEqual([]);
});

/** The texts of the relay, with JavaScript's quotes as they are read. */
const sources = ['src', 'shared', 'patch']
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')
  .replaceAll('\\`', '`')
  .replaceAll("\\'", "'");

/** True if most of a sentence is in the code; the rest may be composed. */
function isSaid(english: string): boolean {
  const runs = english.split(/\{\}|[^\w\s’'`/-]/).map((run) => run.trim().split(' '));
  const twos = runs.flatMap((words) => words.slice(1).map((word, at) => `${words[at]} ${word}`));
  const known = twos.filter((two) => sources.includes(two)).length;
  if (twos.length > 1) return known >= twos.length / 2;
  return runs.flat().every((word) => sources.includes(word));
}

const gaps = (text: string): number => text.match(/\{=?\}/g)?.length ?? 0;

describe('What is there in German', () => {
  const written = MORE_DE.filter(([english]) => !(english.replace('a list of ', '') in LISTS_DE));

  test('is what the relay says', () => {
    expect(written.filter(([english]) => !isSaid(english))).toEqual([]);
  });

  test('has as many parts as in English', () => {
    expect(MORE_DE.filter(([english, german]) => gaps(english) !== gaps(german))).toEqual([]);
  });

  test('is there once', () => {
    const english = PAIRS.map(([one]) => one);
    expect(english.filter((one, at) => english.indexOf(one) !== at)).toEqual([]);
  });
});

test('a text that a stranger filled with separators is read in time', () => {
  for (const text of [
    `put ${'a b/'.repeat(150)}`,
    `route \`a\`, parameter \`to\` (${'a b): '.repeat(150)}`,
    `\`when\` is false: ${'a b, where `c` was '.repeat(50)}`,
  ]) {
    const begun = performance.now();
    translate(text);
    expect(performance.now() - begun).toBeLessThan(2_000);
  }
});

const STOP_WORDS =
  /\b(the|is|are|were|must|has|have|been|with|without|which|such|there|and|or|not|of|to|at|it|that|needs?|expected|unexpected|unknown)\b/;

/** A translated text without what it quotes. */
const quoted = /(?<=bekannt sind: ).*|`[^`]*`|"[^"]*"|'[^']*'|\{[%{].*?[%}]\}/g;

const english = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => {
    const german = translate(text);
    return german === null || STOP_WORDS.test(german.replaceAll(quoted, '')) ? [`${text} → ${german}`] : [];
  });

const CONDITIONS = [
  'payload.',
  'payload.a ==',
  'payload.a && payload.b',
  'payload.a = 1',
  '!payload.a',
  'payload.a == “b”',
  'paylod.a',
  'amount > 3',
  'payload.a | upcaes',
  'payload.a | money',
  'payload.a | truncate: 1, 2, 3',
  '(payload.a',
  'payload.a == 1 payload.b',
  'payload[0',
  '(not payload.a)',
  'payload.a == "b',
  'payload.a == 1 == 2',
  '',
];

const TEXTS = [
  '{% if payload.a %}',
  '{% endif %}',
  '{% for x payload.a %}{% endfor %}',
  '{% for x in payload.a limit 3 %}{% endfor %}',
  '{% for x in payload.a backwards %}{% endfor %}',
  '{% esle %}',
  '{% else %}',
  '{% if payload.a %}{% when 1 %}{% endif %}',
  '{% if payload.a %}{% else %}{% else %}{% endif %}',
  '{% else if payload.a %}',
  '{% if payload.a %}{% else if payload.b %}{% endif %}',
  '{% assign = 3 %}',
  '{% assign a 3 %}',
  '{% capture %}{% endcapture %}',
  '{% break %}',
  '{{ payload.a | }}',
  '{{ payload.a',
  '{% if payload.a',
  '{{ payload.a | date: }}',
  '{{ payload.a | datetime: "short", "Mars" }}',
  '{% liquid\nraw\n%}',
  'ok\n{{ payload. }}',
  '{% case payload.a %}{% when 1 2 %}{% endcase %}',
  '{% if payload.a %}{% endfor %}',
];

test('what is wrong with a condition or a text is there in German, without a word of English left', () => {
  const found = [
    ...CONDITIONS.map((text) => compileCondition(text)),
    ...TEXTS.map((text) => compileText(text)),
  ];
  const errors = found.flatMap((one) => (one.ok ? [] : [one.error]));
  expect(errors.length).toBeGreaterThan(30);
  expect(english(errors)).toEqual([]);
});

const to = '+49 171 3920001';
const send = { kind: 'text', message: 'Hi' };

const WRONG: readonly (readonly [kind: keyof typeof documentSchemas, document: unknown])[] = [
  ['sources', null],
  ['sources', {}],
  ['sources', { provider: 3, verify: { scheme: 'hmca' }, routes: {}, limit: true, countries: ['Germany'] }],
  ['sources', { verify: { scheme: 'hmac' }, country: 'de', locale: 'x', store: 'al', url: 'x', secret: 1 }],
  ['sources', { verify: { scheme: 'hmac', header: 'a b', signed: '{boddy}', unsigned_body: 1 } }],
  ['sources', { verify: { scheme: 'hmac', header: 'X', signed: 'a [b', timestamp: {} } }],
  ['sources', { verify: { scheme: 'token', in: 'hedaer' } }],
  ['sources', { verify: { scheme: 'token' }, secrets: ['whsec_abc'], heartbeat: '5', form: {}, spam: 3 }],
  ['sources', { verify: { scheme: 'jwt' }, secrets: ['ADMIN_TOKEN'], dedupe: { window: '90 days' } }],
  ['sources', { routes: [{ name: 'a b', to: 49, when: 3, send: { kind: 'txt' }, priority: 'hihg' }] }],
  [
    'sources',
    { routes: [{ name: 'a', to: [], send: { ...send, messge: 1 }, expires: '1y', delay: '1.5.5s' }] },
  ],
  ['sources', { routes: [{ name: 'a', to, send, quiet: { from: '7', to: '25:00', timezone: 'Mars' } }] }],
  ['sources', { routes: [{ name: 'a', to, send, throttle: { max: 0 }, group: { by: [], wait: '99d' } }] }],
  ['sources', { routes: [{ name: 'a', to, send, incident: {}, actions: { A: {} }, fallback: [] }] }],
  ['templates', { kind: 'poll', question: 'A?', options: ['a'], max_length: 3 }],
  ['templates', { kind: 'image' }],
  ['recipients', { numbers: [49], people: { 'a/b': 3 }, quiet: {} }],
  ['recipients', {}],
  [
    'accounts',
    { rate: { per_minute: 0.5 }, notify: { url: 'http://x' }, gateway: 'telegrm', per_recipient: 1 },
  ],
  [
    'accounts',
    { gateway: 'http', http: { kinds: {}, receiver: 3, permanent: ['('] }, base_url: 'x', retention: 3 },
  ],
  ['silences', { when: 3, until: 'tomorrow', days: ['mo'] }],
];

test('what is wrong with a document is there in German, without a word of English left', () => {
  const errors = WRONG.flatMap(([kind, document]) => {
    const set = { ...EMPTY_SET, [kind]: { one: document } };
    return [
      ...(documentSchemas[kind].safeParse(document).error?.issues ?? []).flatMap(({ message }) =>
        message.split('\n'),
      ),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as somebody wrote it
      ...compileConfig(set as typeof EMPTY_SET, 0).errors.map(({ message }) => message),
    ];
  });
  expect(errors.length).toBeGreaterThan(60);
  expect(english([...new Set(errors)].filter((text) => text !== 'Invalid input'))).toEqual([]);
});

const route = (more: object) => ({ name: 'a', to, send, ...more });
const form = {
  provider: 'html-form',
  origins: ['https://shop.example'],
  fields: { name: { kind: 'name' }, tel: { kind: 'phone' } },
};
const generic = { provider: 'generic', secrets: ['HOOK_SECRET'], verify: { scheme: 'token', in: 'path' } };

/** Documents whose parts do not fit together, or are hardly meant. */
const DOUBTFUL: readonly object[] = [
  { provider: 'strpie', routes: [] },
  { provider: 'acme' },
  { provider: 'stripe' },
  { provider: 'generic' },
  {
    ...generic,
    account: 'mian',
    routes: [
      route({ to: 'on-cal' }),
      route({ template: 'x' }),
      route({ to: 'a', send: undefined, template: 'b' }),
    ],
  },
  {
    ...generic,
    routes: [
      route({ to: undefined }),
      route({ send: { kind: 'status', message: 'x' } }),
      route({ expires: '1m', delay: '1h' }),
    ],
  },
  {
    ...generic,
    routes: [
      route({ name: 'b', to: '{{ payload.phone }}', once: 'x' }),
      route({ name: 'c', incident: { key: 'x' } }),
      route({ to: '0151 123' }),
    ],
  },
  {
    ...generic,
    routes: [
      route({ name: 'd', group: {}, send: { kind: 'text', message: '{{ payload.a }}' } }),
      route({ name: 'e', when: 'payload.a = 1' }),
    ],
  },
  {
    ...generic,
    routes: [
      route({ name: 'f', send: { kind: 'image', image_url: 'https://localhost/{{ payload.a }}' } }),
      route({ name: 'g', to: '+4915' }),
    ],
  },
  { ...form, verify: { scheme: 'none' }, secrets: ['HOOK_SECRET'] },
  {
    ...form,
    origins: undefined,
    routes: [route({ to: '{{ payload.fields.tel }}' }), route({ to_visitor: true })],
  },
  {
    ...form,
    routes: [
      route({
        to: '{{ payload.fields.tel }}',
        to_visitor: true,
        send: { kind: 'text', message: 'Hi {{ payload.fields.x }} https://x.example' },
      }),
    ],
  },
  { provider: 'slack', handshake: { secret: 'A' }, routes: [] },
  { provider: 'asana', routes: [] },
  { provider: 'notion', premium: true },
  { provider: 'google-pubsub', verify: { scheme: 'oidc', email: 'a@b.example' } },
];

test('what does not fit together in a configuration is there in German, without a word of English left', () => {
  const said = DOUBTFUL.flatMap((document) => {
    const set = { ...EMPTY_SET, sources: { shop: document } };
    const { errors, warnings } = compileConfig(set, 0);
    return [...errors, ...warnings].map(({ message }) => message);
  });
  expect(said.length).toBeGreaterThan(20);
  expect(english([...new Set(said)])).toEqual([]);
});
