import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { lookup } from '../../src/provider/lookup.ts';
import { starterSchema, textsSchema } from './starter-schema.ts';
import { isOpen } from '../../src/config/source-limit.ts';
import { withShownLinks } from '../../src/render/links.ts';
import { typeless } from './provider-answers.ts';
import { needsSecret } from '../../src/signature/scheme.ts';
import {
  factsOf,
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
import { rule } from './rule.ts';

const ALL = [...providers].map(([id, provider]) => [id, provider] as const);
const LOCALES = ['en-GB', 'de-DE'];

/** Samples of providers whose events have types, without one. */
const TYPELESS: ReadonlySet<string> = new Set(typeless);

/** The categories in which somebody waits for a message about more than one thing that can happen. */
const TWO_SAMPLES: ReadonlySet<string> = new Set(['payments', 'forms', 'commerce', 'alerts', 'devops']);

describe('the files of starters', () => {
  it('are one a provider, and no more', () => {
    expect([...starters.keys()].sort()).toEqual([...providers.keys()].sort());
  });

  rule('each has the form that tools read', ALL, (_, provider) => {
    expect(starterSchema.safeParse(starterOf(provider)).error?.issues ?? []).toEqual([]);
  });

  rule('each has samples with names of their own, and two where one is not enough', ALL, (_, provider) => {
    const names = samplesOf(provider).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(TWO_SAMPLES.has(provider.category) ? 2 : 1);
  });

  rule('each says where its secret comes from, if it needs one', ALL, (_, provider) => {
    const { secret } = starterOf(provider);
    const scheme = verifyOf(provider);
    expect(scheme).not.toBeNull();
    expect(secret !== undefined).toBe(scheme !== null && needsSecret(scheme));
  });
});

/** The letters that a person reads of a text. */
const words = (text: string): string =>
  text.replaceAll(/\{%.*?%\}|\{\{.*?\}\}/g, '').replaceAll(/[^\p{L}]/gu, '');

describe('texts', () => {
  const TABLES = ALL.flatMap(([id, provider]) =>
    ['en', ...(tables.get(id)?.keys() ?? [])].map(
      (language) => [`${id}/${language}`, provider, language] as const,
    ),
  );

  rule('are there in English and in German', ALL, (_, { id }) => {
    expect([...(tables.get(id)?.keys() ?? [])]).toEqual(expect.arrayContaining(['en', 'de']));
  });

  rule('are those that the starter names, and no others', TABLES, (_, provider, language) => {
    const texts = tables.get(provider.id)?.get(language);
    expect(textsSchema.safeParse(texts).error?.issues ?? []).toEqual([]);
    const { routes, templates, source } = starters.get(provider.id) ?? {};
    const named = JSON.stringify({ routes, templates, source }).matchAll(/\[\[([a-z\d-]+)\]\]/g);
    expect(Object.keys(texts ?? {}).sort()).toEqual(
      [...new Set([...named].map(([, name]) => String(name)))].sort(),
    );
  });

  rule('are all that the messages say', ALL, (_, provider) => {
    // A word of a language outside tags and placeholders would be the same in every language.
    const { routes, templates = {} } = starters.get(provider.id) ?? { routes: [] };
    for (const send of [...routes.map((route) => route['send']), ...Object.values(templates)]) {
      const said = JSON.stringify(send ?? {})
        .replaceAll(/"(?:kind|fallback)":"[^"]*"/g, '')
        .replaceAll(/\[\[ask:.*?\]\](?=\/)/g, 'https://')
        .replaceAll(/\{%.*?%\}|\{\{.*?\}\}|\[\[.*?\]\]/g, '')
        .replaceAll('\\n', ' ')
        .replaceAll(/https?:\/\/\S*/g, '');
      expect(said.replaceAll(/"[a-z_]+":/g, '')).not.toMatch(/\p{L}{2}/u);
    }
  });

  rule('differ from language to language', ALL, (_, { id }) => {
    const [en = {}, de = {}] = [tables.get(id)?.get('en'), tables.get(id)?.get('de')];
    const same = Object.keys(en).filter((name) => words(en[name] ?? '') !== '' && en[name] === de[name]);
    expect(same).toEqual([]);
  });

  rule('a line that needs an answer can be left out', ALL, (_, provider) => {
    const { asks = {} } = starters.get(provider.id) ?? {};
    const all = JSON.stringify([...(tables.get(provider.id)?.values() ?? [])]);
    // A line ends at a line break, or with its text.
    const lines = /\\n(?:(?!\\n).)*?\[\[ask:([a-z\d-]+)\]\](?:(?!\\n|(?<!\\)"[,}]).)*/g;
    for (const [line, name] of all.matchAll(lines)) {
      expect(Object.keys(asks)).toContain(name);
      expect(line).not.toContain('{%');
    }
    for (const { example, pattern } of Object.values(asks)) expect(example).toMatch(new RegExp(pattern));
  });
});

describe('samples', () => {
  rule('have an event type if the provider gives events one', SAMPLES, async (name, provider, sample) => {
    const type = lookup(provider.event_type, await factsOf(provider, sample));
    expect(type !== null).toBe(provider.event_type.length > 0 && !TYPELESS.has(name));
  });

  rule('have an event id if the provider gives one', SAMPLES, async (_, provider, sample) => {
    const id = lookup(provider.dedupe, await factsOf(provider, sample));
    expect(id !== null).toBe(provider.dedupe.length > 0);
  });

  rule('carry no signature, which would be stale', SAMPLES, (_, _provider, sample) => {
    const names = Object.keys(sample.headers);
    expect(names.filter((name) => /signature|hmac|authorization|token/i.test(name))).toEqual([]);
  });

  rule('have no number that rings somewhere', SAMPLES, (_, _provider, sample) => {
    // Numbers that the German regulator keeps free for media: 0171 39200 01 to 99.
    const text = sample.body.replaceAll(/%2B|[+\s]/g, '');
    for (const [number] of text.matchAll(/(?<![\d.])49\d{9,}/g)) expect(number).toMatch(/^4917139200\d\d/);
    expect(sample.body).not.toMatch(
      /(?<=[\w.+-])@(?!([\w-]+\.)*(example\.(com|org|net)|hookbell\.example|thread\.tacv2)\b)[\w-]+\.[a-z]{2,}/i,
    );
  });
});

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

describe('starter routes', () => {
  rule(
    'to a number of the payload can be stopped by its receiver, unless they asked for it',
    ALL,
    (_, provider) => {
      const { routes } = starterOf(provider);
      expect(routes.filter((route) => !isStoppable(route)).map(({ name }) => name)).toEqual([]);
    },
  );

  rule('that send a code to log in reach who has opted out', ALL, (_, provider) => {
    const codes = starterOf(provider).routes.filter((route) =>
      /\botp\b/.test(JSON.stringify(route['when'] ?? '')),
    );
    expect(codes.filter(({ transactional }) => transactional !== true)).toEqual([]);
  });

  rule('can be published with nothing but their lists of recipients', ALL, (_, provider) => {
    for (const locale of LOCALES) expect(compileConfig(starterSet(provider, locale), 1).errors).toEqual([]);
  });

  rule('do not fail on a sample, or a press', SAMPLES, async (_, provider, sample) => {
    for (const locale of LOCALES) {
      const results = await routedOf(provider, sample, locale);
      expect(results.flatMap(({ failures, notes = [] }) => [...failures, ...notes])).toEqual([]);
    }
  });

  rule('are each taken by a sample, or by a press of what they ask', ALL, async (_, provider) => {
    const results = await Promise.all(
      samplesOf(provider).map((sample) => routedOf(provider, sample, 'de-DE')),
    );
    const taken = results.flat().filter(({ result }) => result === 'matched');
    const names = starterOf(provider).routes.map(({ name }) => String(name));
    expect(new Set(taken.map(({ route }) => route))).toEqual(new Set(names));
  });

  rule('make messages that fit a chat', SAMPLES, async (_, provider, sample) => {
    for (const locale of LOCALES) {
      const results = await routedOf(provider, sample, locale);
      const texts = results.flatMap(({ messages }) =>
        messages.map(withShownLinks).map(({ params }) => params['message'] ?? ''),
      );
      for (const text of texts) {
        expect(text.length, text).toBeLessThanOrEqual(400);
        // The leftovers of a template that misses its mark.
        expect(text).not.toMatch(
          /\{\{|\[object|undefined|\bnull\b|NaN|\*\*|\*\s*\*|\(\)|\n\n\n|^\s|\s$| {2}|: *$/m,
        );
        expect([...text.matchAll(/\p{Extended_Pictographic}/gu)].length, text).toBeLessThanOrEqual(1);
      }
    }
  });
});

/** Samples of starters whose address may stand in a public page. */
const OPEN_SAMPLES = SAMPLES.filter(([, provider]) => {
  const verify = verifyOf(provider);
  return verify !== null && isOpen(verify);
});

const HOSTILE = `Ada https://evil.example/win www.evil.example evil.example *${'x'.repeat(500)}*`;

/** A payload with a stranger's words wherever there are any, but for what it is and whom it is for. */
function made(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => made(element, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, made(inner, name)]));
  const isKept = typeof value !== 'string' || /^(?:type|event)$/.test(key) || /^\+?[\d\s()-]+$/.test(value);
  return isKept ? value : HOSTILE;
}

describe('a stranger’s words to a stranger’s number', () => {
  rule('are short and without a link', OPEN_SAMPLES, async (_, provider, sample) => {
    const facts = await factsOf(provider, sample);
    const results = routeFacts(provider, { ...facts, payload: made(facts.payload) }, 'en-GB');
    const toStrangers = results.flatMap(({ messages }) => messages).filter(({ phone }) => phone !== TEAM);
    for (const { params } of toStrangers.map(withShownLinks)) {
      expect(params['message']).not.toMatch(/evil\.example|x{50}|\*x/);
    }
  });

  rule('names of people are cut and lose their links', ALL, (_, provider) => {
    const { routes, templates = {} } = starterOf(provider);
    const sends = routes
      .filter(({ to }) => String(to).includes('{{'))
      .map(({ send, template }) => send ?? templates[String(template)]);
    const person =
      /(?:first_name|given_name|customer_name|(?:attendees\[0\]|customer|customer_details)\.name(?:\.first)?)\b[^{}%]*\}\}/g;
    for (const [output] of JSON.stringify(sends).matchAll(person))
      expect(output).toMatch(/\| without_links \| squish \| truncate_chars: 40 \| plain \}\}$/);
  });
});

/** An output of a name or an address of a person, as it ends. */
const PERSON = /\{\{ [^{}|]*(?:[nN]ame|[eE]mail|login|holder|recipient)\b[^{}]*\| (?:plain|bold) \}\}/g;

/** Outputs that are not a stranger's text, or are shortened in another way. */
const NO_NAME = /money|datetime|url_encode|\| size|fieldName|filename/;

describe('names in messages to owners', () => {
  it.each(ALL)('of %s are cut and lose their formatting, as in those to customers', (_, provider) => {
    for (const locale of LOCALES) {
      const { routes, templates = {} } = starterOf(provider, locale);
      const all = JSON.stringify([routes.map(({ send }) => send), templates]);
      for (const [output] of all.matchAll(PERSON))
        if (!NO_NAME.test(output)) expect(output).toMatch(/\| truncate_chars: \d+ .*\| (?:plain|bold) \}\}$/);
    }
  });
});
