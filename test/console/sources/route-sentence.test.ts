/// <reference types="vite/types/importMeta.d.ts" />
import { describe, expect, it, test } from 'vitest';
import type { RouteWords } from '../../../console/api/route-words.ts';
import { isCustomer, whenOf } from '../../../console/pages/sources/route-sentence.ts';
import de from '../../../assets/route-words/de.json';
import en from '../../../assets/route-words/en.json';

interface Starter {
  readonly routes?: readonly { readonly name: string; readonly to: unknown }[];
}

const LANGUAGES: readonly (readonly [string, RouteWords])[] = [
  ['en', en],
  ['de', de],
];

/** The routes of all starters, by provider. */
const ROUTES = new Map(
  Object.entries(
    import.meta.glob<Starter>('../../../assets/providers/*.json', { eager: true, import: 'default' }),
  ).map(([path, { routes = [] }]) => [/([^/]+)\.json$/.exec(path)?.[1] ?? path, routes]),
);

const ownNames = ({ providers }: RouteWords) =>
  Object.entries(providers).map(([id, own]) => [id, Object.keys(own)]);

test.each([
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
])('%s is %j, and %j', (name, english, german) => {
  expect(whenOf(name, 'mine', en)).toBe(english);
  expect(whenOf(name, 'mine', de)).toBe(german);
});

test('a name of several providers has the words of its own', () => {
  expect(whenOf('news', 'trello', en)).toBe('When a card is created or changed');
  expect(whenOf('news', 'jira', en)).toBe('When an issue is created or changed');
  expect(whenOf('news', 'constructor', en)).toBeNull();
});

test('German has a word for each that English has', () => {
  for (const part of ['nouns', 'verbs', 'routes'] as const)
    expect(Object.keys(de[part])).toEqual(Object.keys(en[part]));
  expect(ownNames(de)).toEqual(ownNames(en));
});

describe.each(LANGUAGES)('in %s', (_, words) => {
  it('each route of a starter has a sentence', () => {
    const without = [...ROUTES].flatMap(([id, routes]) =>
      routes.filter(({ name }) => whenOf(name, id, words) === null).map(({ name }) => `${id}/${name}`),
    );
    expect(without).toEqual([]);
  });

  it('no sentence has a raw identifier', () => {
    const sentences = [...ROUTES].flatMap(([id, routes]) =>
      routes.map(({ name }) => whenOf(name, id, words) ?? ''),
    );
    expect(sentences.length).toBeGreaterThan(400);
    // An identifier has an underscore, a dot or a colon within, or is in code or quotes.
    expect(sentences.filter((text) => /\w[_.:]\w|[`"“„{}]/.test(text))).toEqual([]);
  });

  it('no words are for a route that no starter has', () => {
    const stray = Object.entries(words.providers).flatMap(([id, own]) =>
      Object.keys(own).filter((name) => ROUTES.get(id)?.some((route) => route.name === name) !== true),
    );
    expect(stray).toEqual([]);
  });

  it('two routes of a source that notify the same people have different sentences', () => {
    const doubled = [...ROUTES].flatMap(([id, routes]) => {
      const said = routes.map(({ name, to }) => `${whenOf(name, id, words)}, ${String(to)}`);
      return routes
        .filter((_route, n) => said.indexOf(said[n] ?? '') !== n)
        .map(({ name }) => `${id}/${name}`);
    });
    expect(doubled).toEqual([]);
  });
});

test('a number is the customer’s by its path, or by the provider', () => {
  expect(isCustomer('{{ payload.billing.phone | phone }}', false)).toBe(true);
  expect(isCustomer('{{ payload.phone }}', false)).toBe(false);
  expect(isCustomer('{{ payload.phone }}', true)).toBe(true);
});
