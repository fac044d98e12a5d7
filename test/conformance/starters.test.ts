import { expect } from 'vitest';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { isOpen } from '../../src/config/compiled/source-limit.ts';
import { subjectOf } from '../../src/ingest/request/event.ts';
import { providers } from '../platform/providers.ts';
import { keyOfItems, lookup } from '../../src/provider/lookup.ts';
import { withShownLinks } from '../../src/render/links.ts';
import { needsSecret } from '../../src/signature/scheme.ts';
import { hasName, typeless } from './provider-answers.ts';
import { rule } from './rule.ts';
import {
  eventOf,
  factsOf,
  retold,
  routeFacts,
  routePresses,
  routeSample,
  SAMPLES,
  samplesOf,
  starterOf,
  starterSet,
  starters,
  tables,
  TEAM,
  verifyOf,
} from './starters.ts';

const ALL = [...providers].map(([id, provider]) => [id, provider] as const);
const LOCALES = ['en-GB', 'de-DE'];

/** The categories in which somebody waits for a message about more than one thing that can happen. */
const TWO_SAMPLES: ReadonlySet<string> = new Set(['payments', 'forms', 'commerce', 'alerts', 'devops']);

/** Their webhooks name nothing that a person would know. */
const NAMELESS = new Set(['airtable', 'asana', 'dropbox', 'microsoft-graph', 'cloudevents-abuse-protection']);

/** The leftovers of a template that misses its mark. */
const LEFTOVERS = /\{\{|\[object|undefined|\bnull\b|NaN|\*\*|\*\s*\*|\(\)|\n\n\n|^\s|\s$| {2}|: *$/m;

rule('starters have samples, and a secret if their sources need one', ALL, (_, one) => {
  const { secret } = starterOf(one);
  const [samples, routes] = [samplesOf(one), starterOf(one).routes];
  expect(samples.length).toBeGreaterThanOrEqual(TWO_SAMPLES.has(one.category) && routes.length > 0 ? 2 : 1);
  const scheme = verifyOf(one);
  expect(scheme).not.toBeNull();
  expect(secret !== undefined).toBe(scheme !== null && needsSecret(scheme));
});

/** The letters that a person reads of a text. */
const words = (text: string): string =>
  text.replaceAll(/\{%.*?%\}|\{\{.*?\}\}/g, '').replaceAll(/[^\p{L}]/gu, '');

const TABLES = ALL.flatMap(([id, provider]) =>
  ['en', ...(tables.get(id)?.keys() ?? [])].map(
    (language) => [`${id}/${language}`, provider, language] as const,
  ),
);

rule('texts are those that the starter names, and no others', TABLES, (_, { id }, language) => {
  const texts = tables.get(id)?.get(language);
  const { routes, templates, source } = starters.get(id) ?? {};
  const named = JSON.stringify({ routes, templates, source }).matchAll(/\[\[([a-z\d-]+)\]\]/g);
  const names = new Set([...named].map(([, name]) => String(name)));
  expect(Object.keys(texts ?? {}).sort()).toEqual([...names].sort());
});

rule(
  'texts are all that the messages say: other words would be the same in every language',
  ALL,
  (_, { id }) => {
    const { routes, templates = {} } = starters.get(id) ?? { routes: [] };
    for (const send of [...routes.map((route) => route['send']), ...Object.values(templates)]) {
      const said = JSON.stringify(send ?? {})
        .replaceAll(/"(?:kind|fallback)":"[^"]*"/g, '')
        .replaceAll(/\[\[ask:.*?\]\](?=\/)/g, 'https://')
        .replaceAll(/\{%.*?%\}|\{\{.*?\}\}|\[\[.*?\]\]/g, '')
        .replaceAll('\\n', ' ')
        .replaceAll(/https?:\/\/\S*/g, '');
      expect(said.replaceAll(/"[a-z_]+":/g, '')).not.toMatch(/\p{L}{2}/u);
    }
  },
);

rule('texts in German differ from the English ones', ALL, (_, { id }) => {
  const [en, de] = [tables.get(id)?.get('en'), tables.get(id)?.get('de')];
  if (en === undefined) throw new Error('English is missing');
  if (de === undefined) return;
  const same = Object.keys(en).filter((name) => words(en[name] ?? '') !== '' && en[name] === de[name]);
  expect(same).toEqual([]);
});

rule('a line of texts that needs an answer can be left out', ALL, (_, { id }) => {
  const { asks = {} } = starters.get(id) ?? {};
  const all = JSON.stringify([...(tables.get(id)?.values() ?? [])]);
  // A line ends at a line break, or with its text.
  const lines = /\\n(?:(?!\\n).)*?\[\[ask:([a-z\d-]+)\]\](?:(?!\\n|(?<!\\)"[,}]).)*/g;
  for (const [line, name] of all.matchAll(lines)) {
    expect(Object.keys(asks)).toContain(name);
    expect(line).not.toContain('{%');
  }
  for (const { example, pattern } of Object.values(asks)) expect(example).toMatch(new RegExp(pattern));
});

rule(
  'samples have a type and an id if the provider gives events one',
  SAMPLES,
  async (name, provider, sample) => {
    const facts = await factsOf(provider, sample);
    const { event_type: type, dedupe, items } = provider;
    expect(lookup(type, facts) !== null).toBe(type.length > 0 && !typeless.includes(name));
    const id = lookup(dedupe, facts) ?? (items === undefined ? null : keyOfItems(items, facts.payload));
    expect(id !== null).toBe(hasName(provider, name));
  },
);

rule(
  'samples have a line that lists show if anybody is notified, and it is tidy',
  SAMPLES,
  async (_, provider, sample) => {
    const subject = subjectOf(eventOf(provider, await factsOf(provider, sample), 'en-GB'));
    if (NAMELESS.has(provider.id)) return expect(subject).toBeNull();
    if (subject === null) return expect(sample.silent !== undefined || sample.name === 'test').toBe(true);
    expect(subject).toMatch(/[\p{L}\p{N}]/u);
    expect(subject).not.toMatch(/\[object|undefined|\bnull\b|NaN|\n/);
    expect(subject.length).toBeLessThanOrEqual(120);
  },
);

rule('a webhook has no line in lists if nothing in it is part of that line', ALL, (_, provider) => {
  const facts = { payload: {}, headers: new Headers(), query: new URLSearchParams() };
  expect(subjectOf(eventOf(provider, facts, 'en-GB'))).toBeNull();
});

rule(
  'samples have no signature, which would be stale, and no number that rings somewhere',
  SAMPLES,
  (_, _one, sample) => {
    const names = Object.keys(sample.headers);
    expect(names.filter((name) => /signature|hmac|authorization|token/i.test(name))).toEqual([]);
    // Numbers that the German regulator keeps free for media: 0171 39200 01 to 99.
    const text = sample.body.replaceAll(/%2B|[+\s]/g, '');
    for (const [number] of text.matchAll(/(?<![\d.])49\d{9,}/g)) expect(number).toMatch(/^4917139200\d\d/);
    expect(sample.body).not.toMatch(
      /(?<=[\w.+-])@(?!([\w-]+\.)*(example\.(com|org|net)|hookbell\.example|razorpay\.com|resend\.dev|thread\.tacv2)\b)[\w-]+\.[a-z]{2,}/i,
    );
  },
);

/** The results of a starter for a sample, and then for each press. */
const routedOf: typeof routeSample = async (...of) => [
  ...(await routeSample(...of)),
  ...(await routePresses(...of)),
];

/** True if the receivers are a list, asked for the message, or can opt out by it. */
const isStoppable = ({
  to,
  transactional,
  to_visitor,
  actions,
}: Readonly<Record<string, unknown>>): boolean =>
  !JSON.stringify(to ?? '').includes('{{') ||
  transactional === true ||
  // A message to whoever filled in a form has no links.
  to_visitor === true ||
  Object.hasOwn(actions ?? {}, 'stop');

rule(
  'starter routes to a number of the payload can be stopped by its receiver, but a code to log in cannot',
  ALL,
  (_, one) => {
    const { routes } = starterOf(one);
    expect(routes.filter((route) => !isStoppable(route)).map(({ name }) => name)).toEqual([]);
    const codes = routes.filter((route) => /\botp\b/.test(JSON.stringify(route['when'] ?? '')));
    expect(codes.filter(({ transactional }) => transactional !== true)).toEqual([]);
  },
);

rule('starter routes can be published with nothing but their lists of recipients', ALL, (_, provider) => {
  for (const locale of LOCALES) expect(compileConfig(starterSet(provider, locale), 1).errors).toEqual([]);
});

rule(
  'starter routes are each taken by a sample, or by a press of what they ask',
  ALL,
  async (_, provider) => {
    const samples = samplesOf(provider);
    const results = await Promise.all(samples.map((sample) => routedOf(provider, sample, 'de-DE')));
    const taken = results.flat().filter(({ result }) => result === 'matched');
    const names = starterOf(provider).routes.map(({ name }) => String(name));
    expect(new Set(taken.map(({ route }) => route))).toEqual(new Set(names));
  },
);

rule(
  'starter routes do not fail on a sample or a press, and make messages that fit a chat',
  SAMPLES,
  async (_, one, sample) => {
    for (const locale of LOCALES) {
      const results = await routedOf(one, sample, locale);
      expect(results.flatMap(({ failures, notes = [] }) => [...failures, ...notes])).toEqual([]);
      for (const { params } of results.flatMap(({ messages }) => messages.map(withShownLinks))) {
        const text = params['message'] ?? '';
        expect(text.length, text).toBeLessThanOrEqual(400);
        expect(text).not.toMatch(LEFTOVERS);
        expect([...text.matchAll(/\p{Extended_Pictographic}/gu)].length, text).toBeLessThanOrEqual(1);
      }
    }
  },
);

/** Samples of starters whose address may stand in a public page. */
const OPEN_SAMPLES = SAMPLES.filter(([, provider]) => {
  const verify = verifyOf(provider);
  return verify !== null && isOpen(verify);
});

const HOSTILE = `Ada https://evil.example/win www.evil.example evil.example *${'x'.repeat(500)}*`;

/** A payload with a stranger’s words wherever there are any, but for what it is and whom it is for. */
const made = (payload: unknown): unknown =>
  retold(payload, (text, name) =>
    /^(?:type|event)$/.test(name) || /^\+?[\d\s()-]+$/.test(text) ? text : HOSTILE,
  );

/** A payload with a line break for each space of what people write. */
const broken = (payload: unknown): unknown =>
  retold(payload, (text) => (/:\/\/|\n|\d-\d\d|\d:\d/.test(text) ? text : text.replaceAll(' ', '\n')));

rule(
  'a stranger’s words make no line of their own, which would look like a field',
  // A notification of SNS is a text as a program wrote it.
  SAMPLES.filter(([, { id }]) => id !== 'aws-sns'),
  async (_, provider, sample) => {
    const facts = await factsOf(provider, sample);
    const lines = (payload: unknown) =>
      new Map(
        routeFacts(provider, { ...facts, payload }, 'en-GB').flatMap(({ route, messages }) =>
          messages.map(({ params }) => [route, (params['message'] ?? '').split('\n').length]),
        ),
      );
    const meant = lines(facts.payload);
    for (const [route, count] of lines(broken(facts.payload)))
      expect(count, route).toBeLessThanOrEqual(meant.get(route) ?? Infinity);
  },
);

/** An output of a name or an address of a person, as it ends, but for what is no stranger's text. */
const PERSON = /\{\{ [^{}|]*(?:[nN]ame|[eE]mail|login|holder|recipient)\b[^{}]*\| (?:plain|bold) \}\}/g;
const NO_NAME = /money|datetime|url_encode|\| size|fieldName|filename/;
const TO_CUSTOMERS =
  /(?:first_name|given_name|customer_name|(?:attendees\[0\]|customer|customer_details)\.name(?:\.first)?)\b[^{}%]*\}\}/g;

rule(
  'a stranger’s words to a stranger’s number are short and without a link',
  OPEN_SAMPLES,
  async (_, provider, sample) => {
    const facts = await factsOf(provider, sample);
    const results = routeFacts(provider, { ...facts, payload: made(facts.payload) }, 'en-GB');
    const toStrangers = results.flatMap(({ messages }) => messages).filter(({ phone }) => phone !== TEAM);
    for (const { params } of toStrangers.map(withShownLinks))
      expect(params['message']).not.toMatch(/evil\.example|x{50}|\*x/);
  },
);

rule(
  'a stranger’s words in names are cut and lose their formatting, and to customers their links, too',
  ALL,
  (_, provider) => {
    for (const locale of LOCALES) {
      const { routes, templates = {} } = starterOf(provider, locale);
      for (const [output] of JSON.stringify([routes.map(({ send }) => send), templates]).matchAll(PERSON))
        if (!NO_NAME.test(output)) expect(output).toMatch(/\| truncate_chars: \d+ .*\| (?:plain|bold) \}\}$/);
      const toCustomers = routes.filter(({ to }) => String(to).includes('{{'));
      const sends = toCustomers.map(({ send, template }) => send ?? templates[String(template)]);
      for (const [output] of JSON.stringify(sends).matchAll(TO_CUSTOMERS))
        expect(output).toMatch(/\| without_links \| squish \| truncate_chars: 40 \| plain \}\}$/);
    }
  },
);
