import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import remedies from '../../assets/remedies.json';
import { ownClockCheck } from '../../shared/doctor/outside.ts';
import { partsOf, releaseRemedy, withoutCommand } from '../../shared/doctor/remedy.ts';
import { attemptText, gatewayWords, reasonText, type PageLanguage } from '../../shared/gateway-words.ts';
import { readMarkdown } from '../../shared/markdown.ts';
import { parseChatText, plainChatText, type Span } from '../../shared/phone/chat-text.ts';
import { contentOf, isShownKind } from '../../shared/phone/content.ts';
import { losingIn } from '../../shared/resolved-by.ts';
import { bold, plain } from '../../src/template/filters/chat.ts';
import { KIND_NAMES, paramsOf } from '../../src/gateway/kinds.ts';

const commands = (text: string): readonly string[] =>
  partsOf(text).flatMap((part) => ('command' in part ? [part.command] : []));
const joined = (text: string): string =>
  partsOf(text)
    .map((part) => ('command' in part ? part.command : part.words))
    .join('');

test('a remedy is the same text in its parts, whose commands end before the sentence goes on', () => {
  const secrets = ['npx wrangler secret put GATEWAY_EMAIL', 'npx wrangler secret put GATEWAY_API_KEY'];
  const dead = ['npx hookbell messages --state dead', 'npx hookbell retry --state dead'];
  const queued = 'npx hookbell messages --state queued';
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['When it may send again: npx hookbell resume sales', ['npx hookbell resume sales']],
    [`Read why: ${dead[0]}. Then ${dead[1]}, or cancel each by its id`, dead],
    [`If too slow, push; ${queued} shows which wait`, [queued]],
    [
      `Set the login again (${secrets.join(', ')}), then npx hookbell resume a`,
      [...secrets, 'npx hookbell resume a'],
    ],
    ['Is the gateway up?', []],
  ];
  for (const [text, found] of rows) expect([commands(text), joined(text)]).toEqual([found, text]);
  const folder = join(import.meta.dirname, '../../src/admin/doctor');
  const ofChecks = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/['`]([^'`\n]*npx [^'`\n]*)['`]/g)].map(
      ([, text = '']) => text.replaceAll(/\$\{[^}]*\}/g, 'NAME'),
    ),
  );
  expect(ofChecks.length).toBeGreaterThan(10);
  for (const text of ofChecks) {
    expect(joined(text)).toBe(text);
    for (const command of commands(text)) expect(command).toMatch(/[\w>"…]$/);
  }
});

test('a remedy has a button for what a page can do, and a line to paste for the rest', () => {
  const rows: readonly (readonly [string, readonly object[]])[] = [
    ['npx hookbell resume sales', [{ does: 'resume', account: 'sales' }]],
    [
      'npx hookbell messages --state uncertain',
      [{ does: 'show', path: '/messages', query: { state: 'uncertain' } }],
    ],
    ['npx hookbell rollback 4', [{ does: 'show', path: '/versions', query: {} }]],
    ['See npx hookbell accounts sales', [{ does: 'show', path: '/accounts', query: {} }]],
    ['npx wrangler secret put STRIPE_SECRET', [{ does: 'paste' }]],
  ];
  for (const [text, actions] of rows)
    expect(partsOf(text).flatMap((part) => ('action' in part ? [part.action] : []))).toEqual(actions);
  const spam = 'If it is not spam, release it';
  expect(releaseRemedy(remedies.spam, 17)).toBe(`${spam}: npx hookbell rejections release 17`);
  expect(withoutCommand(remedies.spam)).toBe(`${spam}.`);
  expect(withoutCommand(remedies.secret_missing)).toBe(remedies.secret_missing);
});

test('the clock of this machine may be half a minute apart', () => {
  const at = '2026-03-01T12:00:00.000Z';
  expect(ownClockCheck(at, Date.parse(at) + 29_000).status).toBe('ok');
  const late = ownClockCheck(at, Date.parse(at) - 31_000);
  expect([late.status, late.detail]).toEqual(['warn', expect.stringContaining('31 s')]);
});

test('a gateway’s own words are read out of its response, on one line, and cut when they are long', () => {
  const rows: readonly (readonly [string | undefined, string])[] = [
    ['{"success":false,"message":"This number is not registered"}', 'This number is not registered'],
    ['{"success":false,"message":"no such\\n number"}', 'no such number'],
    ['{"message":"a \\"quoted\\"\\n word","dat', 'a "quoted" word'],
    ['{"error":{"message":"too many"}}', 'too many'],
    ['{"success":false}', ''],
    ['{"message":null}', ''],
    ['{"message":7}', ''],
    ['["x"]', ''],
    ['{"success":false,"message":"it is cut o', 'it is cut o'],
    ['{"message":"it is cut in an escape \\u00', 'it is cut in an escape \\u00'],
    ['<html><head><style>p{}</style></head><h1>502</h1>\n<p>Bad Gateway</p></html>', '502 Bad Gateway'],
    ['upstream  timed out', 'upstream timed out'],
    ['', ''],
    [undefined, ''],
    ['x'.repeat(1_000), `${'x'.repeat(200)}…`],
  ];
  for (const [response, words] of rows) expect(gatewayWords(response), response).toBe(words);
});

const ENGLISH: PageLanguage = { sentence: ({ text }) => text, quote: (words) => `“${words}”` };
const failed = {
  code: 'rejected',
  detail: 'the gateway answered 400: it rejects this call',
  response: '{"message":"No such number"}',
};

test('the gateway’s words are behind why an attempt failed and the state that it led to, once and nowhere else', () => {
  const reasonOf = (reason: string | undefined, code = failed.code, attempts = [failed]) =>
    reasonText({ code, ...(reason !== undefined && { reason }), attempts }, ENGLISH);
  const text = `${failed.detail} (“No such number”)`;
  expect([attemptText(failed, ENGLISH), reasonOf(failed.detail)]).toEqual([text, text]);
  expect(attemptText({ detail: failed.detail }, ENGLISH)).toBe(failed.detail);
  expect(reasonOf(`${failed.detail}; gave up`)).toBe(`${failed.detail}; gave up (“No such number”)`);
  const quoted = { ...failed, detail: 'refused: No such number' };
  expect(attemptText(quoted, ENGLISH)).toBe('refused: “No such number”');
  const long = `No such\n number: ${'7'.repeat(300)}`;
  const params = { words: long };
  const asLine = `refused: “No such number: ${'7'.repeat(184)}…”; gave up`;
  for (const response of [JSON.stringify({ message: long }), ''])
    expect(attemptText({ detail: `refused: ${long}; gave up`, params, response }, ENGLISH)).toBe(asLine);
  expect(reasonOf('cancelled by Ann', 'cancelled')).toBe('cancelled by Ann');
  expect(reasonOf('its template failed', 'other-text', [])).toBe('its template failed');
  expect(reasonOf(undefined)).toBe('');
  expect(attemptText({ response: '{"success":true,"message":"queued"}' }, ENGLISH)).toBe('');
});

test('the gateway’s words are a quote in the reader’s language, and hidden from who must not see the relay’s', () => {
  const hidden = { ...ENGLISH, sentence: () => '' };
  const reason = { code: failed.code, reason: failed.detail, attempts: [failed] };
  expect([attemptText(failed, hidden), reasonText(reason, hidden)]).toEqual(['', '']);
  const german: PageLanguage = {
    sentence: ({ code = '' }) => `abgelehnt (${code})`,
    quote: (words) => `„${words}“`,
  };
  expect(attemptText(failed, german)).toBe('abgelehnt (rejected) („No such number“)');
  const { response: _, ...forgotten } = { ...failed, params: { words: 'No such number' } };
  expect(attemptText(forgotten, german)).toBe('abgelehnt (rejected) („No such number“)');
});

/** Spans as text: marks as tags in braces, links in angle brackets. */
const show = (text: string): string =>
  parseChatText(text)
    .map(({ text: words, marks, href }: Span) => {
      const shown = href === undefined ? words : `<${href}>`;
      return marks.length === 0 ? shown : `{${marks.join('+')}:${shown}}`;
    })
    .join('');

test('a text on the phone has its marks and links, as the phone reads them', () => {
  const rows = {
    '*bold*': '{bold:bold}',
    '_italic_ ~strike~': '{italic:italic} {strike:strike}',
    '`code` and ```a *b*\nc```': '{mono:code} and {mono:a *b*\nc}',
    '*bold _both_*': '{bold:bold }{bold+italic:both}',
    '(*bold*), *bold*!': '({bold:bold}), {bold:bold}!',
    // What `plain` makes of a name with stars, and `bold` of that.
    [plain('*a* _b_')]: plain('*a* _b_'),
    [bold('*a*')]: `{bold:${bold('*a*').slice(1, -1)}}`,
    'two *words here*': 'two {bold:words here}',
    'see https://a.example/x_y_z?a=1.': 'see <https://a.example/x_y_z?a=1>.',
    '(http://a.example)': '(<http://a.example>)',
    '*https://a.example/b*': '{bold:<https://a.example/b>}',
    '<https://a.example>': '<<https://a.example>>',
  };
  for (const [text, shown] of Object.entries(rows)) expect(show(text)).toBe(shown);
  const open = ['*open', '*over\nlines*', 'a * b', '```', '__', '* a *', '*a *', '**'];
  const unmarked = ['2*3*4', 'snake_case_name', ...open];
  const noLinks = ['javascript:alert(1)', 'data:text/html,x', 'ftp://a.example', 'https://'];
  for (const text of [...unmarked, ...noLinks]) expect(show(text)).toBe(text);
});

const letters = (value: string): string => value.replaceAll(/[*_~`]/g, '');

const isLink = ({ href }: Span) => href === undefined || /^https?:\/\//.test(href);

test('a text on the phone has links to http and https alone, and loses nothing but delimiters', () => {
  fc.assert(fc.property(fc.string(), (text) => parseChatText(`https://a.example/${text}`).every(isLink)));
  const piece = fc.constantFrom(
    '*',
    '_',
    '~',
    '`',
    'a',
    ' ',
    '\n',
    'é',
    '```',
    '😀',
    'https://a.example/_b_',
  );
  fc.assert(
    fc.property(fc.array(piece), (parts) => {
      const shown = parseChatText(parts.join('')).map(({ text }) => text);
      expect(letters(shown.join(''))).toBe(letters(parts.join('')));
    }),
  );
  expect(plainChatText(parseChatText('x'.repeat(1_000_000)))).toBe(`${'x'.repeat(8192)}…`);
  expect(plainChatText(parseChatText(' *Hello*\n  _you_ '))).toBe('Hello you');
});

test('a message on the phone shows each parameter of its kind, and an unknown kind is not shown', () => {
  for (const kind of KIND_NAMES) {
    const params = paramsOf(kind).map(([name, { holds }]) => {
      const value = holds === 'url' ? `https://${name.replace('_', '')}.example/` : name;
      return [name, value] as const;
    });
    const shown = isShownKind(kind) ? JSON.stringify(contentOf(kind, Object.fromEntries(params))) : '';
    for (const [, value] of params) expect(shown, kind).toContain(value);
  }
  expect(contentOf('poll', { question: 'Which?', options: 'One, Two,Three' })).toEqual([
    { is: 'poll', question: 'Which?', options: ['One', 'Two', 'Three'] },
  ]);
  expect(contentOf('link-preview', { url: 'no address' })).toMatchObject([{ is: 'card', host: '' }]);
  expect(['toString', '__proto__', 'sms', ''].some(isShownKind)).toBe(false);
});

test('a guide is read as lists, emphasis, code and links; what is none of these is left as it is written', () => {
  const lines = readMarkdown('1. Open **A → B** and *c*.\n\n- `x_y` at [docs](https://a.example/d)');
  const shown = lines.map(({ bullet, pieces }) => [
    bullet,
    ...pieces.map(({ text, look = '', href = '' }) => `${text}|${look}${href}`),
  ]);
  expect(shown).toEqual([
    ['1. ', 'Open |', 'A → B|strong', ' and |', 'c|em', '.|'],
    [''],
    ['- ', 'x_y|code', ' at |', 'docs|https://a.example/d'],
  ]);
  for (const text of ['[x](javascript:alert(1))', '<img src=x onerror=alert(1)>', 'a * b * c']) {
    const read = readMarkdown(text).flatMap((line) => line.pieces);
    expect(read.map((piece) => piece.text).join('')).toBe(text);
    expect(JSON.stringify(read)).not.toContain('href');
  }
});

const alerting = { name: 'on-call', to: 'team', incident: { key: '{{ payload.id }}' } };
const sourceOf = (routes: readonly unknown[], more: object = {}) => ({
  provider: 'generic',
  routes,
  ...more,
});

test('a change of documents resolves the incidents of a source that is gone, moves, or has no such route any more', () => {
  const before = { a: sourceOf([alerting]) };
  const losing = (after: Parameters<typeof losingIn>[1], old = before) => losingIn(old, after);
  const { incident: _, ...plain } = alerting;
  const same = { a: sourceOf([{ ...alerting, to: 'others' }], { account: 'default' }) };
  expect([losing(before), losing(same), losingIn({ b: sourceOf([plain]) }, {})]).toEqual([[], [], []]);
  const others = [
    {},
    { a: sourceOf([alerting], { account: 'sales' }) },
    { a: sourceOf([plain]) },
    { a: sourceOf([{ ...alerting, name: 'renamed' }]) },
    // It is not written yet as it has to be.
    { a: { routes: [null, 'x'] } },
  ];
  for (const after of others) expect(losing(after)).toEqual([{ source: 'a', isAll: true }]);
  const two = { a: sourceOf([alerting, { ...alerting, name: 'team' }, { name: 'mail' }]) };
  expect(losing(before, two)).toEqual([{ source: 'a', isAll: false }]);
});
