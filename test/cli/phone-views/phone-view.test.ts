import { describe, expect, it } from 'vitest';
import { complaintsAbout } from '../../../cli/phone-views/complaints.ts';
import { linesOf } from '../../../cli/phone-views/lines.ts';
import { phoneViewOf, type PhoneMessage, type SampleView } from '../../../cli/phone-views/phone-view.ts';
import { pressesOf } from '../../../cli/phone-views/presses.ts';
import { privateIn } from '../../../cli/phone-views/private.ts';
import { compileConfig } from '../../../src/config/compile.ts';
import { EMPTY_SET } from '../../../src/config/schema.ts';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { calendly } from '../../../src/provider/catalog/calendly.ts';
import { stripe } from '../../../src/provider/catalog/stripe.ts';
import { woocommerce } from '../../../src/provider/catalog/woocommerce.ts';
import { zendesk } from '../../../src/provider/catalog/zendesk.ts';

async function samplesOf(provider: typeof woocommerce, locale: string): Promise<readonly SampleView[]> {
  const view = await phoneViewOf(provider, locale);
  if (!view.ok) throw new Error(view.error);
  return view.value.samples;
}

describe('what a starter puts on phones', () => {
  it('says who reads it, and leaves out what an earlier sample said of the same fact', async () => {
    const [paid, again, edited] = await samplesOf(woocommerce, 'en-GB');
    expect(paid?.messages.map(({ to, isFromWebhook }) => [to, isFromWebhook])).toEqual([
      ['+491713920001', true],
      ['shop-owners', false],
    ]);
    for (const later of [again, edited]) {
      expect(later?.messages).toEqual([]);
      expect(later?.silent).toMatch(/\w/);
    }
  });

  it('goes on with the answers of who presses a link, in the words of its button', async () => {
    const [booked] = await samplesOf(calendly, 'de-DE');
    expect(booked?.messages.map(({ route, pressed }) => [route, pressed])).toEqual([
      ['confirm-to-guest', undefined],
      ['booked', undefined],
      ['answered', 'Bestätigen'],
      ['answered', 'Ablehnen'],
    ]);
    expect(booked?.messages[2]?.text).toMatch(/^✅ Anna hat bestätigt: .* mit Ada Lovelace\n/);
    expect(booked?.messages[3]?.text).toMatch(/^❌ Anna hat abgelehnt: [^]*\nIn Calendly absagen: https:/);
  });

  it('is in the language of the locale, with the example of what the starter asks', async () => {
    const views = [await samplesOf(zendesk, 'en-GB'), await samplesOf(zendesk, 'de-AT')];
    const texts = views.map(([sample]) => sample?.messages[0]?.text ?? '');
    expect(texts[0]).not.toBe(texts[1]);
    for (const text of texts) expect(text).toMatch(/\nhttps:\/\/acme\.zendesk\.com\/agent\/tickets\/\d+$/);
  });

  it('has a press for each action that a message offers, whoever gets it, routed as those of a phone are', () => {
    const routes = [
      {
        name: 'ask',
        when: 'event.type == blank',
        to: ['491713920001', '491713920002'],
        actions: { yes: { label: 'Yes, {{ payload.who }}' }, no: { label: 'No' }, stop: {} },
        send: { kind: 'text', message: '{{ actions.yes.url }} {{ actions.no.url }} {{ actions.stop.url }}' },
      },
      {
        name: 'answered',
        when: 'event.type == "action.yes"',
        to: '491713920003',
        send: {
          kind: 'text',
          message: '{{ payload.by.name }}: {{ payload.label }} ({{ payload.payload.who }})',
        },
      },
    ];
    const sources = { shop: { verify: { scheme: 'none' }, routes } };
    const source = compileConfig({ ...EMPTY_SET, sources }, 0).config.sources.get('shop');
    if (source === undefined) throw new Error('the source has errors');
    const known = {
      id: 'evt_1',
      source,
      type: null,
      receivedAt: 0,
      dedupeKey: 'k1',
      signed: null,
      query: {},
    };
    const event = { ...known, payload: { who: 'Ada' }, headers: { a: 'b' } };
    const presses = pressesOf(event, routeEvent(event));
    expect(presses.map((press) => [press.label, press.event.type])).toEqual([
      ['Yes, Ada', 'action.yes'],
      ['No', 'action.no'],
    ]);
    const texts = presses.map((press) =>
      routeEvent(press.event).flatMap(({ messages }) => messages.map(({ params }) => params['message'])),
    );
    expect(texts).toEqual([['Anna: Yes, Ada (Ada)'], []]);
  });
});

const sample = (given: Partial<SampleView>): SampleView => ({
  name: 'paid',
  silent: null,
  messages: [],
  failures: [],
  ...given,
});
const message = (text: string, isFromWebhook = false): PhoneMessage => ({
  route: 'paid',
  to: 'team',
  isFromWebhook,
  text,
});

describe('a sample’s messages', () => {
  const silent = 'An edit is no news.';
  const saying = (text: string, isFromWebhook = false) =>
    complaintsAbout(sample({ messages: [message(text, isFromWebhook)] }));

  it('are there, unless the sample says why not', () => {
    expect(saying('Paid')).toEqual([]);
    expect(complaintsAbout(sample({ silent }))).toEqual([]);
    expect(complaintsAbout(sample({}))).toEqual(['makes no message, and `silent` does not say why']);
    expect(complaintsAbout(sample({ silent, messages: [message('Paid')] }))).toEqual([
      'has `silent`, but makes a message',
    ]);
    const failures = ['route paid: no number'];
    expect(complaintsAbout(sample({ failures, messages: [message('Paid')] }))).toEqual(failures);
  });

  it('have nothing that a template left behind, and are short, with one emoji at most', () => {
    for (const [text, what] of [
      ['Hello {{ name }}', 'has "{{", which a template left behind'],
      ['Hello [[name]]', 'has "[[", which a template left behind'],
      ['Paid ()', 'has "()", which a template left behind'],
      ['Paid  twice', 'has "  ", which a template left behind'],
      ['For:', 'has ":", which a template left behind'],
      ['x'.repeat(701), 'is longer than 700 characters'],
      ['🎉 🚀', 'has more than one emoji'],
    ] as const)
      expect(saying(text)).toEqual([`paid: ${what}`]);
  });

  it('carry no token to a team; a customer gets the customer’s own link', () => {
    const text = 'Pay here: https://shop.example.com/pay?key=wc_order_1';
    expect(saying(text)).toEqual(['paid: shows a link with `key`']);
    expect(saying(text, true)).toEqual([]);
    expect(saying('Card 4242424242424242', true)).toEqual(['paid: shows a whole card number']);
  });

  it('say nothing to a team that is private', () => {
    for (const [text, what] of [
      ['{"bounce":{"bouncedRecipients":[{"emailAddress":"ada@example.com"}]}}', 'raw JSON'],
      ['see [{"a": 1}]', 'raw JSON'],
      ['https://files.example.com/a.pdf?accessToken=eyJhbGciOi', 'a link with `accessToken`'],
      ['https://s3.example.com/a?X-Amz-Date=1&X-Amz-Signature=abcdef', 'a link with `X-Amz-Signature`'],
      ['https://example.com/reset?x=1&token=abcdef', 'a link with `token`'],
      ['https://example.com/#access_token=abcdef', 'a link with `access_token`'],
      ['https://example.com/join?code=abcdef', 'a link with `code`'],
      ['card 4242 4242 4242 4242', 'a whole card number'],
      ['card 378282246310005.', 'a whole card number'],
      ['from DE89 3704 0044 0532 0130 00', 'a whole account number (IBAN)'],
      ['from GB33BUKB20201555555555', 'a whole account number (IBAN)'],
    ] as const)
      expect([text, privateIn(text)]).toEqual([text, [what]]);
    for (const text of [
      'Visa ending in 4242',
      'IBAN DE89 … 3000',
      // Another last digit: no card has this number.
      'reference 4242424242424241',
      'event 1767168060000',
      'call +491713920001',
      'https://dashboard.example.com/payments/4242424242424242?tab=token',
      'https://slack.com/app_redirect?team=T1&channel=C1',
      'https://tracking.example.com/forward?carrier=dhl_de&code=00340434161094000001',
      '{{ a set of braces }} {not json}',
    ])
      expect([text, privateIn(text)]).toEqual([text, []]);
  });

  it('are shown with who reads what, what is silent, and what is wrong', () => {
    const messages = [
      { route: 'paid', to: '+49171', isFromWebhook: true, text: 'Thank you!\n{{ name }}' },
      { route: 'taken', to: 'team', isFromWebhook: false, text: 'Anna is on it', pressed: 'I’ll answer' },
    ];
    const samples = [sample({ messages }), sample({ name: 'edited', silent }), sample({ name: 'lost' })];
    expect(linesOf({ provider: stripe, locale: 'de-DE', samples })).toEqual([
      '=== stripe, de-DE',
      '',
      '--- paid',
      '> +49171 (paid)',
      '  Thank you!',
      '  {{ name }}',
      '> team (taken), after Anna pressed “I’ll answer”',
      '  Anna is on it',
      '! paid: has "{{", which a template left behind',
      '',
      '--- edited',
      '(nothing: An edit is no news.)',
      '',
      '--- lost',
      '(nothing)',
      '! makes no message, and `silent` does not say why',
    ]);
  });
});
