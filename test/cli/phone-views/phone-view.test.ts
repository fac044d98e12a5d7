import { expect, it } from 'vitest';
import { complaintsAbout, privateIn } from '../../../cli/phone-views/check.ts';
import type { PhoneMessage, SampleView } from '../../../cli/phone-views/phone-view.ts';

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

const saying = (text: string, isFromWebhook = false) =>
  complaintsAbout(sample({ messages: [message(text, isFromWebhook)] }));

const silent = 'An edit is no news.';

it('a sample’s messages are there, unless the sample says why not', () => {
  expect(saying('Paid')).toEqual([]);
  expect(complaintsAbout(sample({ silent }))).toEqual([]);
  expect(complaintsAbout(sample({}))).toEqual(['makes no message, and `silent` does not say why']);
  expect(complaintsAbout(sample({ silent, messages: [message('Paid')] }))).toEqual([
    'has `silent`, but makes a message',
  ]);
  const failures = ['route paid: no number'];
  expect(complaintsAbout(sample({ failures, messages: [message('Paid')] }))).toEqual(failures);
});

it('a sample’s messages have nothing that a template left behind, and are short, with one emoji at most', () => {
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

it('a sample’s messages carry no token to a team; a customer gets the customer’s own link', () => {
  const text = 'Pay here: https://shop.example.com/pay?key=wc_order_1';
  expect(saying(text)).toEqual(['paid: shows a link with `key`']);
  expect(saying(text, true)).toEqual([]);
  expect(saying('Card 4242424242424242', true)).toEqual(['paid: shows a whole card number']);
});

it('a sample’s messages say nothing to a team that is private', () => {
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
