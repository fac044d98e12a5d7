/// <reference types="vite/types/importMeta.d.ts" />
import { expect, it } from 'vitest';
import type { RouteWords } from '../../console/api/catalog.ts';
import type { DocumentSet, ProviderAnswer } from '../../console/api/types.ts';
import {
  type Answers,
  chosenRoutes,
  byKind,
  fieldAt,
  filledIn,
  isUnanswered,
  missingIn,
  newDocuments,
  NO_ANSWERS,
  planOf,
  setWith,
  wrongName,
} from '../../console/pages/sources/draft.ts';
import {
  missingSecrets,
  newSecret,
  parseDocument,
  rowsOf,
  secretNames,
  setsSecret,
  whenOf,
  withReceivers,
  withValue,
} from '../../console/pages/sources/model.ts';
import { routesOf } from '../../console/pages/templates/texts-of-set.ts';
import { forPlace } from '../../console/texts/codes.ts';
import de from '../../assets/route-words/de.json';
import en from '../../assets/route-words/en.json';
import { documentSchemas, EMPTY_SET, providers } from './relay.mjs';

interface Starter {
  readonly routes?: readonly { readonly name: string; readonly to: unknown }[];
}

/** The starters, by provider. */
const STARTERS = new Map(
  Object.entries(
    import.meta.glob<Starter>('../../assets/providers/*.json', { eager: true, import: 'default' }),
  ).map(([path, starter]) => [/([^/]+)\.json$/.exec(path)?.[1] ?? path, starter]),
);

/** A provider as the admin API answers it. */
function providerOf(id: string): ProviderAnswer {
  const provider = providers.get(id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  const answer: unknown = JSON.parse(JSON.stringify({ ...provider, ...STARTERS.get(id), samples: [] }));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the admin API answers of it
  return answer as ProviderAnswer;
}

const GERMANY = { language: 'de-DE', country: 'DE', timezone: 'Europe/Berlin' };
const ORIGIN = 'https://relay.example';

const plan = (provider: ProviderAnswer, answers: Partial<Answers>, set = EMPTY_SET) => {
  const filled = filledIn({ ...NO_ANSWERS, ...answers }, provider.id, GERMANY, set);
  return planOf(provider, filled, ['4915112345678'], set, ORIGIN);
};
const documentsFor = (id: string, answers: Partial<Answers> = {}, set = EMPTY_SET) => {
  const provider = providerOf(id);
  const examples = Object.entries(provider.asks ?? {}).map(([name, { example }]) => [name, example] as const);
  return newDocuments(plan(provider, { asked: Object.fromEntries(examples), ...answers }, set), set);
};

/** The errors that the schemas of the documents find. */
const errorsIn = (set: DocumentSet): readonly unknown[] =>
  (['sources', 'templates', 'recipients'] as const).flatMap((kind) =>
    Object.values(set[kind]).flatMap((value) => documentSchemas[kind].safeParse(value).error?.issues ?? []),
  );

const fill = (answers: Partial<Answers> = {}, set = EMPTY_SET, machine = GERMANY) =>
  filledIn({ ...NO_ANSWERS, ...answers }, 'stripe', machine, set);

it('a new source of each provider can be published as it is proposed, and again under the next name beside the first', () => {
  for (const id of providers.keys()) {
    const set = setWith(EMPTY_SET, documentsFor(id));
    expect(errorsIn(set), id).toEqual([]);
    const both = setWith(set, documentsFor(id, {}, set));
    expect(Object.keys(both.sources)).toEqual([id, `${id}-2`]);
    expect(errorsIn(both), id).toEqual([]);
    expect(both).toMatchObject({ recipients: set.recipients, templates: set.templates });
  }
});

it('a new source is not published with what stands in for an answer, and a form always with its protection from spam', () => {
  const [id, shop] = ['html-form', 'https://shop.example'];
  for (const [kind, asked, isOpen] of [
    [id, {}, true],
    [id, { page: 'http://shop.example' }, true],
    [id, { page: shop, fields: 'a b' }, true],
    [id, { page: `${shop}/contact` }, false],
    ['google-pubsub', {}, true],
    ['zendesk', { subdomain: 'No such name!' }, true],
    ['zendesk', {}, false],
  ] as const)
    expect(isUnanswered(providerOf(kind), { ...NO_ANSWERS, asked }), JSON.stringify(asked)).toBe(isOpen);
  const forms = [{}, { page: `${shop}/contact` }].map((asked) => documentsFor(id, { asked })[0]?.value);
  expect(forms[0]).not.toHaveProperty('origins');
  expect(forms[1]).toMatchObject({ origins: [shop] });
  for (const form of forms) expect(form).toHaveProperty('spam.honeypot');
});

it('a new source has the relay’s address where tokens name it, and nowhere else', () => {
  const urls = [...providers.keys()].flatMap((id) => {
    const url = documentsFor(id).find(({ kind }) => kind === 'sources')?.value['url'];
    return url === undefined ? [] : [url];
  });
  const named = [`${ORIGIN}/hooks/google-pubsub`, `${ORIGIN}/hooks/monday`];
  expect(new Set(urls)).toEqual(new Set(named));
});

it('a new source is never in UTC beside a country', () => {
  const utc = { ...EMPTY_SET, sources: { a: { country: 'DE', timezone: 'UTC' } } };
  const answers = [{}, { country: 'US' }, { timezone: '' }, { country: '', timezone: '' }];
  const zones = answers.map((one) => fill(one, utc, { ...GERMANY, timezone: 'UTC' }).timezone);
  expect(zones).toEqual(['Europe/Berlin', 'America/New_York', 'Europe/Berlin', '']);
});

it('a new source names an existing list, which stays as it is, or has one of its own if its name is another’s', () => {
  const set = { ...EMPTY_SET, recipients: { team: { numbers: ['43660'] } } };
  const { sources, recipients } = byKind(documentsFor('stripe', { list: 'team' }, set));
  expect(recipients).toEqual({});
  expect(JSON.stringify(sources)).toContain('"to":"team"');
  const second = documentsFor('stripe', {}, setWith(EMPTY_SET, documentsFor('stripe')));
  expect(Object.keys(byKind(second).recipients)).toEqual(['stripe-2-shop-owners']);
});

it('a new source leaves out routes, and the templates and lists that only those name', () => {
  const names = routesOf(providerOf('stripe')).map(({ name }) => String(name));
  const without = names.filter((name) => name !== 'thank-the-customer');
  const { templates, recipients } = byKind(documentsFor('stripe', { without }));
  expect([Object.keys(templates), Object.keys(recipients)]).toEqual([['stripe-thanks'], []]);
  expect(chosenRoutes(providerOf('stripe'), { ...NO_ANSWERS, without }).askReceivers).toBe(false);
});

it('a new source has what only the owner of an account at the provider knows in its messages, or lacks the line', () => {
  const send = { kind: 'text', message: 'Paid\nhttps://[[ask:site]].example.com' };
  const provider: ProviderAnswer = {
    ...providerOf('stripe'),
    asks: { site: { question: 'The site', example: 'acme', pattern: '^[a-z]+$' } },
    routes: [{ name: 'paid', to: 'team', send }],
  };
  const messageFor = (asked: Answers['asked']) => plan(provider, { asked }).starter.routes[0]?.['send'];
  expect(messageFor({ site: ' shop ' })).toEqual({ ...send, message: 'Paid\nhttps://shop.example.com' });
  for (const asked of [{}, { site: '' }, { site: 'no site!' }])
    expect(messageFor(asked)).toEqual({ ...send, message: 'Paid' });
});

it('what the relay finds wrong with a new source is at the field of its path', () => {
  const fields = {
    'sources.shop.locale': 'locale',
    'sources.shop.countries[0]': 'country',
    'sources.shop.routes[0].to': null,
    'recipients.team.numbers[0]': 'numbers',
    'recipients.team.quiet.from': 'quiet',
    'sources.other.locale': null,
    '': null,
  };
  for (const [path, field] of Object.entries(fields)) expect(fieldAt(path, 'shop'), path).toBe(field);
});

it('what the relay finds wrong with a new source is a secret that is not set, a name that is taken or none, or something else', () => {
  const name = 'STRIPE_WEBHOOK_SECRET';
  const message = `the secret ${name} is not set: \`npx wrangler secret put ${name}\``;
  const missing = { path: 'sources.stripe.secrets[0]', code: 'not-set', message, params: { name } };
  const other = { path: 'sources.stripe.locale', code: 'malformed', message: 'must be a language' };
  const found = missingIn([missing, other], 'stripe', documentsFor('stripe'));
  expect([[...found.missing], found.others]).toEqual([[name], [other]]);
  const set = { ...EMPTY_SET, sources: { shop: {} } };
  const wrong = ['shop', 'shop-2', '-x', ''].map((one) => wrongName(one, set));
  expect(wrong).toEqual(['takenName', null, 'badName', 'badName']);
});

const SOURCE = {
  id: 'shop',
  provider: 'stripe',
  secrets: ['A_SECRET', 'B_SECRET'],
  handshake: { secret: 'C_TOKEN' },
};
const row = (counted: object | null, missing: readonly string[] = []) => {
  const shop = { account: 'default', events: {}, duplicates: 0, rejections: {}, last_event_at: null };
  const stats = counted === null ? null : { sources: { shop: { ...shop, ...counted } }, accounts: {} };
  return rowsOf([SOURCE], stats, new Set(missing))[0];
};

it('the list of sources sums up events and rejections, without a 0 where nobody knows, and names what is overdue or missing', () => {
  const counted = { events: { routed: 3, unmatched: 2 }, rejections: { stale: 4 } };
  expect(row(counted)).toMatchObject({ events: 5, rejected: 4, lastAt: null });
  expect([row({ events: null })?.events, row(null)?.events]).toEqual([null, null]);
  const overdue = [true, false].map((one) => row({ heartbeat: { expected: '1h', overdue: one } })?.overdue);
  expect(overdue).toEqual(['1h', null]);
  expect(row(null, ['B_SECRET', 'OTHER'])?.missing).toEqual(['B_SECRET']);
  expect(rowsOf([{ id: 'a' }], null, new Set())[0]?.provider).toBe('generic');
});

it('the list of sources knows the secrets of a source, and those of which a check of the doctor fails', () => {
  expect([secretNames(SOURCE), secretNames({})]).toEqual([['A_SECRET', 'B_SECRET', 'C_TOKEN'], []]);
  const statuses = { 'secret:A': 'fail', 'secret:ADMIN_TOKEN': 'warn', clock: 'fail' } as const;
  const checks = Object.entries(statuses).map(([id, status]) => ({
    id,
    status,
    title: '',
    code: 'not-checked' as const,
    detail: '',
  }));
  expect([...missingSecrets({ version: '1', now: '', checks })]).toEqual(['A']);
});

it('the fields of a source are changed, and taken away where they are empty; a document is an object', () => {
  const germany = { country: 'DE', locale: 'de-DE' };
  expect(withValue(germany, 'country', 'AT')).toEqual({ country: 'AT', locale: 'de-DE' });
  expect(withValue(germany, 'country', '')).toEqual({ locale: 'de-DE' });
  expect(parseDocument('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
  for (const text of ['[]', 'null', '1', '{']) expect(parseDocument(text).ok).toBe(false);
});

it('the fields of a source are the receivers of a route where they are numbers and lists', () => {
  const [owner, ...others] = withReceivers({
    routes: [
      { name: 'owner', to: ['team', '+49 171 3920001'] },
      { name: 'customer', to: '{{ payload.phone }}' },
      { name: 'status' },
    ],
  });
  expect(others).toEqual([]);
  expect(owner).toMatchObject({ at: 0, name: 'owner', to: 'team, +49 171 3920001' });
  expect(owner?.setTo('team')).toMatchObject({ routes: [{ to: 'team' }, { name: 'customer' }, {}] });
  expect(owner?.setTo('team, boss')).toMatchObject({ routes: [{ to: ['team', 'boss'] }, {}, {}] });
});

it('the fields of a source are secrets that nobody can guess, set by what the relay’s place needs', () => {
  const places = { 'relay.example': "it's", '[::1]': 'whsec_1', localhost: 'a"b' };
  const puts = Object.entries(places).map(([place, secret]) => setsSecret('A', secret, place));
  expect(puts).toEqual([`printf %s 'it'\\''s' | npx wrangler secret put A`, 'A="whsec_1"', `A='a"b'`]);
  for (const [text, here] of [
    ['Set it: `npx wrangler secret put A`', 'Set it: `A="…"` in `.dev.vars`'],
    [
      'Correct it under [vars] in wrangler.toml, and deploy',
      'Correct it in `.dev.vars`, and start the relay again',
    ],
  ] as const)
    expect(Object.keys(places).map((place) => forPlace(place, text))).toEqual([text, here, here]);
  expect(newSecret()).toMatch(/^[0-9a-f]{48}$/);
  expect(newSecret()).not.toBe(newSecret());
});

const ownNames = ({ providers: all }: RouteWords) =>
  Object.entries(all).map(([id, own]) => [id, Object.keys(own)]);

it('a route in a sentence is read from its name', () => {
  for (const [name, english, german] of [
    ['order-paid', 'When an order is paid', 'Wenn eine Bestellung bezahlt wird'],
    ['payment-failed', 'When a payment fails', 'Wenn eine Zahlung fehlschlägt'],
    ['pull-request-opened', 'When a pull request is opened', 'Wenn ein Pull Request eröffnet wird'],
    ['subscription-not-paid', 'When a subscription is not paid', 'Wenn ein Abonnement nicht bezahlt wird'],
    ['paid', 'When paid', 'Wenn bezahlt wird'],
    ['failed', 'When it fails', 'Wenn es fehlschlägt'],
    ['paid-owners', 'When paid', 'Wenn bezahlt wird'],
    ['not-paid-to-customer', 'When not paid', 'Wenn nicht bezahlt wird'],
    ['Order_Shipped', 'When an order is shipped', 'Wenn eine Bestellung versandt wird'],
    ['thank-you', 'When somebody submits the form', 'Wenn jemand das Formular absendet'],
    ['eleven-o-clock', null, null],
    ['constructor', null, null],
  ] as const)
    expect([whenOf(name, 'mine', en), whenOf(name, 'mine', de)], name).toEqual([english, german]);
  // A name of several providers has the words of its own.
  expect(whenOf('news', 'trello', en)).toBe('When a card is created or changed');
  expect(whenOf('news', 'jira', en)).toBe('When an issue is created or changed');
  expect(whenOf('news', 'constructor', en)).toBeNull();
});

it('a route in a sentence is there for each route of a starter in both languages, without an identifier, and no two notify alike', () => {
  for (const part of ['nouns', 'verbs', 'routes'] as const)
    expect(Object.keys(de[part])).toEqual(Object.keys(en[part]));
  expect(ownNames(de)).toEqual(ownNames(en));
  const routes = [...STARTERS].flatMap(([id, { routes: own = [] }]) =>
    own.map((route) => ({ id, ...route })),
  );
  expect(routes.length).toBeGreaterThan(400);
  const names = new Set(routes.map(({ id, name }) => `${id}/${name}`));
  for (const words of [en, de]) {
    const said = routes.map(({ id, name }) => whenOf(name, id, words));
    expect(routes.filter((_, n) => said[n] === null)).toEqual([]);
    // An identifier has an underscore, a dot or a colon within, or is in code or quotes.
    expect(said.filter((text) => /\w[_.:]\w|[`"“„{}]/.test(text ?? ''))).toEqual([]);
    const alike = routes.map(({ id, to }, n) => `${id}: ${said[n]}, ${String(to)}`);
    expect(alike.filter((one, n) => alike.indexOf(one) !== n)).toEqual([]);
    const own = Object.entries(words.providers).flatMap(([id, some]) =>
      Object.keys(some).map((name) => `${id}/${name}`),
    );
    expect(own.filter((one) => !names.has(one))).toEqual([]);
  }
});
