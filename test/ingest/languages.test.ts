import { expect, it } from 'vitest';
import { inItsLanguage } from '../../src/ingest/request/event.ts';
import { acceptance } from '../../src/ingest/accept/accept.ts';
import { routeEvent } from '../../src/ingest/routing/match.ts';
import { containing, errorsOf, open, routeErrors } from '../config/support.ts';
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
  const { locale, reasons } = acceptance(event, results, {
    config: { version: 1, activation: 1, publicUrl: null },
    dedupeFailure: null,
  }).event;
  return [
    results[0]?.messages[0]?.params['message']?.replaceAll('\u00a0', ' '),
    locale,
    reasons[0]?.message ?? null,
  ];
}

const GERMAN = 'Bezahlt: 12,34 €';

it('an event has the language that it names, as its sender writes it, and else the default, which it says', () => {
  // Stripe, Shopify, WooCommerce, PayPal, a browser.
  const named = `de ${GERMAN}|de-DE ${GERMAN}|de_DE ${GERMAN}|en_US Paid: €12.34|pt-br Paid: € 12,34|fr-CH, fr;q=0.9 Paid: 12.34 €`;
  for (const row of named.split('|')) {
    const [, locale = '', message] = /^(.+?) (Bezahlt.*|Paid.*)$/.exec(row) ?? [];
    const [tag = ''] = Intl.getCanonicalLocales((locale.split(',')[0] ?? '').replace('_', '-'));
    expect(said({ locale: FROM_EVENT }, { sum: 1234, locale })).toEqual([message, tag, null]);
  }
  for (const locale of [null, '', undefined])
    expect(said({ locale: FROM_EVENT }, { sum: 1234, locale })).toEqual([GERMAN, 'de-DE', null]);
  const why = expect.stringMatching(/^locale: .{1,40}, so it is de-DE$/s) as unknown;
  for (const locale of ['auto', 'no way', ' ', 7, ['xx'], '\0', 'x'.repeat(10_000)])
    expect(said({ locale: FROM_EVENT }, { sum: 1234, locale })).toEqual([GERMAN, 'de-DE', why]);
  const none = 'locale: "" is no language, so it is en';
  expect(said({ locale: '{{ payload.locale }}' }, { sum: 1234 })).toEqual(['Paid: €12.34', 'en', none]);
  expect(said({ locale: '{{ payload.locale | sum }}' }, { sum: 1, locale: ['a'] })[1]).toBe('en');
  expect(said({ locale: 'de-DE' }, { sum: 1234, locale: 'en' })).toEqual([GERMAN, undefined, null]);
});

it('a route’s template is that for the language, or the language elsewhere, or the default', () => {
  for (const row of 'de-AT en de de-DE > de|de-AT de de-AT > de-AT|de en de-DE > de-DE|fr en de > default|zh-Hant-TW zh-Hans zh-Hant > zh-Hant'.split(
    '|',
  )) {
    const [locale, ...tags] = row.split(' > ')[0]?.split(' ') ?? [];
    const templates = Object.fromEntries(['default', ...tags].map((tag) => [tag, text(tag)]));
    const template = Object.fromEntries(['default', ...tags].map((tag) => [tag, tag]));
    const source = sourceOf({ locale, routes: [{ name: 'all', to: PHONE, template }] }, { templates });
    const [result] = routeEvent(eventOf(source));
    expect([row, result?.messages[0]?.params['message']]).toEqual([row, row.split(' > ')[1]]);
  }
});

it('publish refuses a language that cannot be read, and templates that are not the same in every language', () => {
  for (const [locale, why] of [
    ['{{ payload.locale | defualt: "de" }}', 'column 21: unknown filter "defualt" (did you mean "default"?)'],
    ['{{ payload.locale | default: "German" }}', 'the default "German" must be a language tag such as de-DE'],
    ['de_DE', 'must be a BCP 47 language tag such as de-DE'],
  ])
    expect(errorsOf({ sources: { shop: open({ locale }) } })).toEqual([
      containing(`sources.shop.locale: ${why}`),
    ]);
  const templates = {
    en: text('a'),
    de: text('{{ actions.ack.url }}'),
    it: { kind: 'image', image_url: 'https://a.example' },
  };
  for (const [template, ...errors] of [
    [{ de: 'de' }, '.template: must have a `default`'],
    [{ default: 'en', german: 'de' }, '.template: must have a `default`, and language tags'],
    [{ default: 'en', fr: 'eng' }, '.template.fr: there is no template `eng`'],
    [{ default: 'en', it: 'it' }, '.template.it: `it` has image: image_url, but `en` has text: message'],
    [
      { default: 'en', de: 'de' },
      '.template.de: `de` has text: message; actions.ack, but',
      '.actions: there is no',
    ],
  ] as const)
    expect(routeErrors({ send: undefined, template }, { templates })).toEqual(errors.map(containing));
});
