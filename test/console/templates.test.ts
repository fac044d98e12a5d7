import { expect, it } from 'vitest';
import { parseHttpFile } from '../../cli/fixtures/http-file.ts';
import {
  changesOf,
  draftFor,
  idOf,
  pathTo,
  placeOf,
  shownDraft,
  sourcesFor,
  textAt,
  textsOf,
  type TextVersion,
  withText,
} from '../../console/pages/templates/texts-of-set.ts';
import { atCursor, valueAt } from '../../console/pages/templates/editor/at-cursor.ts';
import filters from '../../console/pages/templates/editor/filters.json' with { type: 'json' };
import {
  faultsOf,
  partsOf,
  withField,
  withKind,
  withOptions,
  wordsOf,
} from '../../console/pages/templates/fields.ts';
import { fixtureOf } from '../../console/pages/templates/files.ts';
import { de } from '../../console/texts/de.ts';
import { en } from '../../console/texts/en.ts';
import { KIND_NAMES, paramsOf } from '../../src/gateway/kinds.ts';
import { ROOTS } from '../../src/template/basics/scope.ts';
import { FILTERS } from '../../src/template/filters.ts';
import { TAGS } from '../../src/template/parse.ts';
import { pairsOf } from '../../src/admin/preview/pairs.ts';

const text = (message: string) => ({ kind: 'text', message });

it('the editor has every filter, and every tag and name that a template may use, in both languages', () => {
  expect(filters.map(({ name }) => name)).toEqual([...FILTERS.keys()].toSorted());
  const known = TAGS.filter((name) => /^\w+$/.test(name));
  const parts = /^(?:end(?:if|unless|case|for|capture|comment|raw)|els(?:e|if)|when)$/;
  for (const { tags, names } of [en.templates, de.templates]) {
    const offered = Object.keys(tags);
    expect(known.filter((name) => !offered.includes(name))).toEqual([]);
    expect(offered.filter((name) => !known.includes(name) && !parts.test(name))).toEqual([]);
    expect(Object.keys(names).toSorted()).toEqual(ROOTS.toSorted());
  }
});

const place = (marked: string) => atCursor(marked.replace('^', ''), marked.indexOf('^'));

it('what can be typed at the cursor is a tag, a filter or a path', () => {
  for (const none of ['Hello ^', '{{ payload.id }} ^', '{{ "a ^', '{{ payload.total | money: "E^', '{{ 12^'])
    expect(place(none), none).toBeNull();
  for (const [marked, is, from] of [
    ['{% ^', 'tag', 3],
    ['{%- i^', 'tag', 4],
    ['{{ payload.id | ^', 'filter', 16],
    ['{{ "a" | up^', 'filter', 9],
  ] as const)
    expect(place(marked), marked).toEqual({ is, from });
  for (const [marked, from, ...holder] of [
    ['{{ pay^', 3],
    ['{% if ^', 6],
    ['{{ payload.^', 11, 'payload'],
    ['{{ payload.lines[0].ti^', 20, 'payload', 'lines', 0],
    ['{{ payload["First name"].x^', 25, 'payload', 'First name'],
    ['{{ a }}{% if payload.x == headers.^', 34, 'headers'],
  ] as const)
    expect(place(marked), marked).toEqual({ is: 'path', from, holder });
  expect(atCursor('{'.repeat(20_000), 20_000)).not.toBeUndefined();
});

const scope = { payload: { lines: [{ title: 'Tea' }, { title: 'Cups' }], 'First name': 'Ada', n: null } };

it('a value in the webhook is found by keys, places, ends of lists and names of the text', () => {
  const locals = [
    { name: 'line', path: ['payload', 'lines', 0] },
    { name: 'x', path: ['x'] },
  ];
  for (const [path, value] of [
    [['payload', 'lines', 1, 'title'], 'Cups'],
    [['payload', 'lines', 'last', 'title'], 'Cups'],
    [['payload', 'nobody', 'title'], undefined],
    [['constructor'], undefined],
    [['line', 'title'], 'Tea'],
    [['x'], undefined],
  ] as const)
    expect(valueAt(scope, path, locals), path.join('.')).toBe(value);
});

const message = 'Hi {{ payload.a }}\n{{ payload.x | truncat }} {{ payload.a }} {{ payload.ab }}';
const messageFields = partsOf(text(message)).flatMap((part) => part.fields);
type Findings = Parameters<typeof faultsOf>[0];
const faults = (findings: Partial<Findings>) =>
  faultsOf({ errors: [], failures: [], warnings: [], ...findings }, messageFields, 'templates.t.');
const marked = (findings: Partial<Findings>) =>
  faults(findings).map((one) => [one.field, message.slice(one.from, one.to), one.message]);

it('what is wrong with a text is marked where the API says it is, what fails when it is rendered is its output, and what is doubted wherever the variable is', () => {
  const errors = [
    { path: 'templates.t.message', message: 'line 2, column 16: unknown filter "truncat"' },
    { path: 'templates.t.message', message: 'is required' },
    { path: 'sources.a.routes[0].to', message: 'is wrong' },
  ];
  expect(marked({ errors })).toEqual([
    ['message', 'truncat', 'unknown filter "truncat"'],
    ['message', '', 'is required'],
    [null, '', 'sources.a.routes[0].to: is wrong'],
  ]);
  const beyond = faults({ errors: [{ path: 'templates.t.message', message: 'line 90, column 900: what' }] });
  expect(beyond[0]?.to).toBeLessThanOrEqual(message.length);
  const reason = `route \`r\`, parameter \`message\` (${message}): line 2, {{ payload.a }}: money: "x" is not a number`;
  expect(marked({ failures: [{ parameter: 'message', reason }] })).toEqual([
    ['message', '{{ payload.a }}', 'money: "x" is not a number'],
  ]);
  // Not where a longer one begins like it.
  const warnings = [{ parameter: 'message', message: '`payload.a` is not there, so it is rendered empty' }];
  expect(marked({ warnings }).map(([, at]) => at)).toEqual(['payload.a', 'payload.a']);
});

const poll = { kind: 'poll', question: 'Who?', options: ['I', 'You'], fallback: [text('m')] };

it('the fields of a text are the parameters of its kind, named as the API names them', () => {
  for (const kind of KIND_NAMES) {
    const fields = partsOf(withKind({}, kind)).flatMap((part) => part.fields);
    const wanted = paramsOf(kind).map(([name, { isOptional = false }]) => [name, isOptional]);
    expect(Object.fromEntries(fields.map(({ name, isOptional }) => [name, isOptional]))).toEqual(
      Object.fromEntries(wanted),
    );
  }
  const paths = partsOf(poll).flatMap(({ fields }) => fields.map(({ path }) => path));
  expect(paths).toEqual(['question', 'options[0]', 'options[1]', 'fallback[0].message']);
});

it('a field changes alone, and is left out when it is optional and empty; a text keeps its words when the kind changes, and is shown in a list by them', () => {
  const image = { kind: 'image', image_url: 'u', caption: 'c' };
  expect(withField(poll, 'options[1]', 'We')).toEqual({ ...poll, options: ['I', 'We'] });
  expect(withField(poll, 'fallback[0].message', 'n')).toEqual({ ...poll, fallback: [text('n')] });
  expect(withOptions(poll, (old) => [...old, ''])).toEqual({ ...poll, options: ['I', 'You', ''] });
  expect(withField(image, 'caption', '')).toEqual({ kind: 'image', image_url: 'u' });
  expect(withField(image, 'image_url', '')).toEqual({ ...image, image_url: '' });
  expect(withKind(text('Hi'), 'image')).toEqual({ kind: 'image', image_url: '', caption: 'Hi' });
  expect(withKind(poll, 'text')).toEqual({ ...text('Who?'), fallback: poll.fallback });
  const shown = [{ kind: 'image', image_url: 'u' }, { kind: 'pigeon' }, { kind: 'text', message: 5 }].map(
    wordsOf,
  );
  expect(shown).toEqual(['u', '', '']);
});

const routes = [
  { name: 'a', template: 'paid', digest: 'paid' },
  { name: 'b', send: text('Inline'), digest: text('All') },
];
const set = {
  templates: { paid: text('Paid'), lonely: text('Nobody') },
  sources: { shop: { provider: 'stripe', routes }, odd: { routes: 'none' } },
};

it('the texts of a set are its templates with who sends them and those in routes, with an address each', () => {
  expect(textsOf(set).map(({ id, uses }) => `${id} ${uses.length}`)).toEqual([
    'paid 2',
    'lonely 0',
    'shop:b 1',
    'shop:b:digest 1',
  ]);
  for (const { id, place, document } of textsOf(set)) {
    expect([placeOf(id), idOf(placeOf(id)), textAt(set, place)]).toEqual([place, id, document]);
  }
  for (const id of ['constructor', 'shop:gone']) expect(textAt(set, placeOf(id))).toBeNull();
});

it('a changed text is published with its source as it is otherwise, at the path that the API names', () => {
  const place = placeOf('shop:b');
  const changed = { provider: 'stripe', routes: [routes[0], { ...routes[1], send: text('New') }] };
  const published = { collection: 'sources', name: 'shop', document: changed };
  expect(withText(set, place, text('New'))).toMatchObject(published);
  const paths = [place, placeOf('paid')].map((one) => pathTo(set, one));
  expect(paths).toEqual(['sources.shop.routes[1].send.', 'templates.paid.']);
});

it('a changed text is tried on the sources that send it, and one that nobody sends on any', () => {
  const [paid, lonely] = [placeOf('paid'), placeOf('lonely')];
  expect([sourcesFor(set, paid), sourcesFor(set, lonely)]).toEqual([['shop'], ['shop', 'odd']]);
  expect(draftFor(set, paid, text('x'), 'shop')).toEqual({ drafts: { templates: { paid: text('x') } } });
  expect(draftFor(set, lonely, text('x'), 'shop')).toMatchObject({
    drafts: { sources: { shop: { provider: 'stripe', routes: [{ template: 'lonely' }] } } },
  });
  expect(shownDraft(set, paid, text('x'), 'shop')).toEqual(draftFor(set, paid, text('x'), 'shop'));
  // One of several languages is shown whatever the language of the event is.
  const template = { default: 'paid', de: 'bezahlt' };
  const spoken = {
    sources: { shop: { locale: '{{ x }}', routes: [{ name: 'a', template }] } },
    templates: {},
  };
  for (const [name, locale] of [
    ['paid', '{{ x }}'],
    ['bezahlt', 'de'],
  ] as const)
    expect(shownDraft(spoken, placeOf(name), text('x'), 'shop')).toEqual({
      drafts: {
        templates: { [name]: text('x') },
        sources: { shop: { locale, routes: [{ name: 'a', template: name }] } },
      },
    });
});

it('only versions that changed a text are shown; of the oldest it is known only if it is the first of all', () => {
  const meta = { published_at: '', by: 'token', note: '', active: false };
  const versions = (texts: Readonly<Record<number, string | null>>): readonly TextVersion[] =>
    Object.entries(texts)
      .toReversed()
      .map(([n, one]) => ({
        version: { ...meta, version: Number(n) },
        text: one === null ? null : text(one),
      }));
  const numbers = (texts: Readonly<Record<number, string | null>>, isFirst: boolean) =>
    changesOf(versions(texts), isFirst).map(({ version }) => version.version);
  expect(numbers({ 1: null, 2: 'a', 3: 'a', 4: 'b', 5: 'b' }, true)).toEqual([4, 2]);
  expect(numbers({ 8: 'a', 9: 'a' }, false)).toEqual([]);
  expect(numbers({ 1: 'a', 2: 'a' }, true)).toEqual([1]);
});

const pairs = (was: Parameters<typeof pairsOf>[0], now: Parameters<typeof pairsOf>[1]) =>
  pairsOf(was, now).map((pair) => [pair.was, pair.now].map((one) => one?.params['message']).join(' '));

const sent = (words: string, phone = '49') => ({
  route: 'r',
  kind: 'text' as const,
  phone,
  params: { message: words },
});

it('old and new messages are paired by route and receiver, equal ones first', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((words) => sent(words));
  if (!a || !b || !c) throw new Error('no message');
  expect(pairs([a, b], [b, c])).toEqual(['b b', 'a c']);
  expect(pairs([sent('a', '1')], [sent('a', '2')])).toEqual(['a ', ' a']);
});

const event = {
  id: 'evt_1',
  source: 'shop',
  type: 'order paid/../x',
  received_at: '2026-01-05T08:30:00.000Z',
  payload: { text: 'Grüße\n"you"' },
  headers: { 'x-event': 'paid', 'content-length': '9', 'cf-ray': 'r', 'content-type': 'text/xml' },
  query: { ref: 'a b&c' },
};
const read = (one: Parameters<typeof fixtureOf>[0]) => {
  const file = parseHttpFile(fixtureOf(one).text);
  if (!file.ok) throw new Error(file.error.message);
  return file.value;
};

it('an event as a fixture is read by `hookbell check` as the same webhook, received at the same time', () => {
  const { target, headers, body } = read(event);
  expect([target.pathname, target.searchParams.get('ref')]).toEqual(['/hooks/shop', 'a b&c']);
  expect(JSON.parse(body)).toEqual(event.payload);
  const date = 'Mon, 05 Jan 2026 08:30:00 GMT';
  expect(Object.fromEntries(headers)).toEqual({
    'content-type': 'application/json',
    date,
    'x-event': 'paid',
  });
  const plain = read({ ...event, payload: 'hello', headers: { 'x-a': 'b\r\nx-evil: 1' }, query: null });
  expect([plain.body, plain.headers.has('x-evil')]).toEqual(['hello', false]);
});
