import { expect, it } from 'vitest';
import { inItsLanguage } from '../../src/ingest/request/event.ts';
import { acceptance } from '../../src/ingest/accept/accept.ts';
import { routeEvent } from '../../src/ingest/routing/match.ts';
import { errorsOf, open, routeErrors } from '../config/support.ts';
import { eventOf, PHONE, sourceOf } from './support.ts';

const FROM_EVENT = '{{ payload.locale | default: "de-DE" }}';
const text = (message: string) => ({ kind: 'text', message });

/** What an event of a shop says on the phone, the language that is kept of it, and the reason for that. */
function said(document: object, payload: unknown): readonly unknown[] {
  const templates = {
    'paid-de': text('Bezahlt: {{ payload.sum | money: "EUR" }}'),
    paid: text('Paid: {{ payload.sum | money: "EUR" }}'),
  };
  const routes = [{ name: 'paid', to: PHONE, template: { default: 'paid', de: 'paid-de' } }];
  const event = inItsLanguage(eventOf(sourceOf({ routes, ...document }, { templates }), { payload }));
  const results = routeEvent(event);
  const { locale, reason } = acceptance(event, results, {
    config: { version: 1, activation: 1, publicUrl: null },
    dedupeFailure: null,
  }).event;
  return [results[0]?.messages[0]?.params['message']?.replaceAll('\u00a0', ' '), locale, reason];
}

const GERMAN = 'Bezahlt: 12,34 €';

it('an event has the language that it names, as its sender writes it, and else the default, which it says', () => {
  // Stripe, Shopify, WooCommerce, PayPal, a browser's.
  for (const [locale, message, tag] of [
    ['de', GERMAN, 'de'],
    ['de-DE', GERMAN, 'de-DE'],
    ['de_AT', 'Bezahlt: € 12,34', 'de-AT'],
    ['en_US', 'Paid: €12.34', 'en-US'],
    ['pt-br', 'Paid: € 12,34', 'pt-BR'],
    ['fr-CH, fr;q=0.9, en', 'Paid: 12.34 €', 'fr-CH'],
    [null, GERMAN, 'de-DE'],
    ['', GERMAN, 'de-DE'],
    [undefined, GERMAN, 'de-DE'],
  ] as const)
    expect(said({ locale: FROM_EVENT }, { sum: 1234, locale })).toEqual([message, tag, null]);
  for (const locale of ['auto', 'no way', ' ', 7, ['xx'], '\0', 'x'.repeat(10_000)])
    expect(said({ locale: FROM_EVENT }, { sum: 1234, locale })).toEqual([
      GERMAN,
      'de-DE',
      expect.stringMatching(/^locale: .{1,40}, so it is de-DE$/s),
    ]);
  expect(said({ locale: '{{ payload.locale }}' }, { sum: 1234 })).toEqual([
    'Paid: €12.34',
    'en',
    'locale: "" is no language, so it is en',
  ]);
  expect(said({ locale: '{{ payload.locale | sum }}' }, { sum: 1, locale: ['a'] })[1]).toBe('en');
  expect(said({ locale: 'de-DE' }, { sum: 1234, locale: 'en' })).toEqual([GERMAN, undefined, null]);
});

it('a route’s template is that for the language, or the language elsewhere, or the default', () => {
  const routed = (locale: string, tags: readonly string[]) => {
    const names = ['default', ...tags];
    const templates = Object.fromEntries(names.map((tag) => [tag, text(tag)]));
    const routes = [{ name: 'all', to: PHONE, template: Object.fromEntries(names.map((tag) => [tag, tag])) }];
    return routeEvent(eventOf(sourceOf({ locale, routes }, { templates })))[0]?.messages[0]?.params[
      'message'
    ];
  };
  for (const [locale, tags, chosen] of [
    ['de-AT', ['en', 'de', 'de-DE'], 'de'],
    ['de-AT', ['de', 'de-AT'], 'de-AT'],
    ['de', ['en', 'de-DE'], 'de-DE'],
    ['fr', ['en', 'de'], 'default'],
    ['zh-Hant-TW', ['zh-Hans', 'zh-Hant'], 'zh-Hant'],
  ] as const)
    expect([locale, routed(locale, tags)]).toEqual([locale, chosen]);
});

it('publish refuses a language that cannot be read, and templates that are not the same in every language', () => {
  for (const [locale, why] of [
    ['{{ payload.locale | defualt: "de" }}', 'column 21: unknown filter "defualt" (did you mean "default"?)'],
    ['{{ payload.locale | default: "German" }}', 'the default "German" must be a language tag such as de-DE'],
    ['de_DE', 'must be a BCP 47 language tag such as de-DE'],
  ])
    expect(errorsOf({ sources: { shop: open({ locale }) } })).toEqual([
      expect.stringContaining(`sources.shop.locale: ${why}`),
    ]);
  const templates = {
    en: text('a'),
    de: text('{{ actions.ack.url }}'),
    it: { kind: 'image', image_url: 'https://a.example' },
  };
  for (const [template, ...errors] of [
    [{ de: 'de' }, '.template: must be the name of a template, or names by language with a `default`'],
    [{ default: 'en', german: 'de' }, '.template: must be the name'],
    [{ default: 'en', fr: 'eng' }, '.template.fr: unknown template `eng`'],
    [
      { default: 'en', it: 'it' },
      '.template.it: `it` has kind image, and `en` has text: they must be the same',
      '.template.it: `it` has fields image_url',
    ],
    [{ default: 'en', de: 'de' }, '.template.de: `de` has actions ack, and `en` has none'],
  ] as const)
    expect(routeErrors({ send: undefined, template }, { templates })).toEqual(
      errors.map((one) => expect.stringContaining(one)),
    );
});
