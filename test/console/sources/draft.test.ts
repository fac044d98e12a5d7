import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  asksReceivers,
  byKind,
  filledIn,
  newDocuments,
  NO_ANSWERS,
  planOf,
  routesIn,
  setWith,
  type Answers,
} from '../../../console/pages/sources/draft.ts';
import { fieldAt, missingIn, wrongName } from '../../../console/pages/sources/draft-errors.ts';
import type { DocumentSet, ProviderAnswer } from '../../../console/api/types.ts';
import { documentSchemas, EMPTY_SET, providers } from '../relay.mjs';

const STARTERS = join(import.meta.dirname, '../../../assets/providers');

/** A provider as the admin API answers it. */
function providerOf(id: string): ProviderAnswer {
  const provider = providers.get(id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  const starter: unknown = JSON.parse(readFileSync(join(STARTERS, `${id}.json`), 'utf8'));
  const answer: unknown = JSON.parse(JSON.stringify(Object.assign({}, provider, starter, { samples: [] })));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the admin API answers of it
  return answer as ProviderAnswer;
}

const GERMANY = { language: 'de-DE', country: 'DE', timezone: 'Europe/Berlin' };
const NUMBERS = ['4915112345678'];
const ORIGIN = 'https://relay.example';

const documentsFor = (id: string, answers: Partial<Answers> = {}, set = EMPTY_SET) => {
  const provider = providerOf(id);
  const asked = Object.fromEntries(
    Object.entries(provider.asks ?? {}).map(([name, { example }]) => [name, example] as const),
  );
  const filled = filledIn({ ...NO_ANSWERS, asked, ...answers }, id, GERMANY, set);
  return newDocuments(planOf(provider, filled, NUMBERS, set, ORIGIN), set);
};

/** The errors that the schemas of the documents find. */
const errorsIn = (set: DocumentSet): readonly unknown[] =>
  (['sources', 'templates', 'recipients'] as const).flatMap((kind) =>
    Object.values(set[kind]).flatMap((value) => documentSchemas[kind].safeParse(value).error?.issues ?? []),
  );

const fill = (answers: Partial<Answers> = {}, set = EMPTY_SET) =>
  filledIn({ ...NO_ANSWERS, ...answers }, 'stripe', GERMANY, set);

describe.each([...providers.keys()])('a new source of %s', (id) => {
  const set = setWith(EMPTY_SET, documentsFor(id));
  it('can be published as it is proposed', () => {
    expect(errorsIn(set)).toEqual([]);
  });
  it('can be published a second time under the next name, and leaves the first as it was', () => {
    const second = documentsFor(id, {}, set);
    const both = setWith(set, second);
    expect(Object.keys(both.sources)).toEqual([id, `${id}-2`]);
    expect(errorsIn(both)).toEqual([]);
    for (const name of Object.keys(set.recipients))
      expect(both.recipients[name]).toEqual(set.recipients[name]);
    for (const name of Object.keys(set.templates)) expect(both.templates[name]).toEqual(set.templates[name]);
  });
});

it('a new source has the relay’s address where tokens name it, and nowhere else', () => {
  const urls = [...providers.keys()].flatMap((id) => {
    const source = documentsFor(id).find(({ kind }) => kind === 'sources');
    return source?.value['url'] === undefined ? [] : [source.value['url']];
  });
  expect(new Set(urls)).toEqual(
    new Set(['https://relay.example/hooks/google-pubsub', 'https://relay.example/hooks/monday']),
  );
});

describe('answers', () => {
  it('are likely ones of earlier sources, else of the browser', () => {
    expect(fill()).toMatchObject({
      source: 'stripe',
      country: 'DE',
      locale: 'de-DE',
      timezone: 'Europe/Berlin',
    });
    const sources = { a: { country: 'AT', locale: 'de-AT', timezone: 'Europe/Vienna' } };
    expect(fill({}, { ...EMPTY_SET, sources })).toMatchObject({
      country: 'AT',
      locale: 'de-AT',
      timezone: 'Europe/Vienna',
    });
  });
  it('follow a country that is chosen, unless they were changed', () => {
    expect(fill({ country: 'BR' })).toMatchObject({ locale: 'en-GB', timezone: 'America/Sao_Paulo' });
    expect(fill({ country: 'FR' })).toMatchObject({ locale: 'en-FR', timezone: 'Europe/Paris' });
    expect(fill({ country: 'BR', locale: 'pt-BR' }).locale).toBe('pt-BR');
  });
  it('are never UTC beside a country', () => {
    const utc = { ...EMPTY_SET, sources: { a: { country: 'DE', timezone: 'UTC' } } };
    const machine = { ...GERMANY, timezone: 'UTC' };
    const inUtc = (answers: Partial<Answers>) =>
      filledIn({ ...NO_ANSWERS, ...answers }, 'stripe', machine, utc).timezone;
    expect(inUtc({})).toBe('Europe/Berlin');
    expect(inUtc({ country: 'US' })).toBe('America/New_York');
    expect(inUtc({ timezone: '' })).toBe('Europe/Berlin');
    expect(inUtc({ country: '', timezone: '' })).toBe('');
  });
  it('name an existing list, which stays as it is', () => {
    const set = { ...EMPTY_SET, recipients: { team: { numbers: ['43660'] } } };
    const { sources, recipients } = byKind(documentsFor('stripe', { list: 'team' }, set));
    expect(recipients).toEqual({});
    expect(JSON.stringify(sources)).toContain('"to":"team"');
  });
  it('leave out routes, and the templates and lists that only those name', () => {
    const without = routesIn(providerOf('stripe'))
      .map(({ name }) => String(name))
      .filter((name) => name !== 'thank-the-customer');
    const { templates, recipients } = byKind(documentsFor('stripe', { without }));
    expect([Object.keys(templates), Object.keys(recipients)]).toEqual([['stripe-thanks'], []]);
    expect(asksReceivers(providerOf('stripe'), { ...NO_ANSWERS, without })).toBe(false);
  });
  it('give a list of its own to a source whose list has another’s name', () => {
    const set = setWith(EMPTY_SET, documentsFor('stripe'));
    const { recipients } = byKind(documentsFor('stripe', {}, set));
    expect(Object.keys(recipients)).toEqual(['stripe-2-shop-owners']);
  });
});

describe('what the relay finds wrong', () => {
  it.each([
    ['sources.shop.locale', 'locale'],
    ['sources.shop.countries[0]', 'country'],
    ['sources.shop.routes[0].to', null],
    ['recipients.team.numbers[0]', 'numbers'],
    ['recipients.team.quiet.from', 'quiet'],
    ['sources.other.locale', null],
    ['', null],
  ])('at %j stands at the field %s', (path, field) => {
    expect(fieldAt(path, 'shop')).toBe(field);
  });
  it('is a secret that is not set, or something else', () => {
    const documents = documentsFor('stripe');
    const missing = {
      path: 'sources.stripe.secrets[0]',
      message: 'the secret STRIPE_WEBHOOK_SECRET is not set: `npx wrangler secret put STRIPE_WEBHOOK_SECRET`',
    };
    const other = { path: 'sources.stripe.locale', message: 'must be a language' };
    const found = missingIn([missing, other], 'stripe', documents);
    expect([[...found.missing], found.others]).toEqual([['STRIPE_WEBHOOK_SECRET'], [other]]);
  });
  it.each([
    ['shop', 'takenName'],
    ['shop-2', null],
    ['-x', 'badName'],
    ['', 'badName'],
  ])('of the name %j: %s', (name, wrong) => {
    expect(wrongName(name, { ...EMPTY_SET, sources: { shop: {} } })).toBe(wrong);
  });
});

describe('what only the owner of an account at the provider knows', () => {
  const provider: ProviderAnswer = {
    ...providerOf('stripe'),
    asks: { site: { question: 'The site', example: 'acme', pattern: '^[a-z]+$' } },
    routes: [
      { name: 'paid', to: 'team', send: { kind: 'text', message: 'Paid\nhttps://[[ask:site]].example.com' } },
    ],
  };
  const messageFor = (asked: Answers['asked']): unknown => {
    const plan = planOf(provider, fill({ asked }), NUMBERS, EMPTY_SET, ORIGIN);
    return plan.starter.routes[0]?.['send'];
  };

  it('stands in the messages', () => {
    expect(messageFor({ site: ' shop ' })).toEqual({
      kind: 'text',
      message: 'Paid\nhttps://shop.example.com',
    });
  });

  it.each([{}, { site: '' }, { site: 'no site!' }])('is left out with its line as %j', (asked) => {
    expect(messageFor(asked)).toEqual({ kind: 'text', message: 'Paid' });
  });
});
