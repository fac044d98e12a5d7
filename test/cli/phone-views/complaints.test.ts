import { describe, expect, it } from 'vitest';
import { complaintsAbout } from '../../../cli/phone-views/complaints.ts';
import type { PhoneMessage, SampleView } from '../../../cli/phone-views/phone-view.ts';

const message = (text: string, isFromWebhook = false): PhoneMessage => ({
  route: 'paid',
  to: 'team',
  isFromWebhook,
  text,
});

const sample = (given: Partial<SampleView>): SampleView => ({
  name: 'paid',
  silent: null,
  messages: [message('Paid')],
  failures: [],
  ...given,
});

describe('a sample’s messages', () => {
  it('are fine when there is one, and nothing is wrong with it', () => {
    expect(complaintsAbout(sample({}))).toEqual([]);
    expect(complaintsAbout(sample({ silent: 'An edit is no news.', messages: [] }))).toEqual([]);
  });

  it('are there, unless the sample says why not', () => {
    expect(complaintsAbout(sample({ messages: [] }))).toEqual([
      'makes no message, and `silent` does not say why',
    ]);
    expect(complaintsAbout(sample({ silent: 'An edit is no news.' }))).toEqual([
      'has `silent`, but makes a message',
    ]);
  });

  it.each([
    ['Hello {{ name }}', '"{{"'],
    ['Hello [[name]]', '"[["'],
    ['Paid ()', '"()"'],
    ['Paid  twice', '"  "'],
    ['For:', '":"'],
  ])('have nothing that a template left behind: %s', (text, what) => {
    expect(complaintsAbout(sample({ messages: [message(text)] }))).toEqual([
      `paid: has ${what}, which a template left behind`,
    ]);
  });

  it('are short, with one emoji at most', () => {
    expect(complaintsAbout(sample({ messages: [message('x'.repeat(701))] }))).toEqual([
      'paid: is longer than 700 characters',
    ]);
    expect(complaintsAbout(sample({ messages: [message('🎉 🚀')] }))).toEqual([
      'paid: has more than one emoji',
    ]);
  });

  it('carry no token to a team; a customer gets the customer’s own link', () => {
    const text = 'Pay here: https://shop.example.com/pay?key=wc_order_1';
    expect(complaintsAbout(sample({ messages: [message(text)] }))).toEqual(['paid: shows a link with `key`']);
    expect(complaintsAbout(sample({ messages: [message(text, true)] }))).toEqual([]);
    expect(complaintsAbout(sample({ messages: [message('Card 4242424242424242', true)] }))).toEqual([
      'paid: shows a whole card number',
    ]);
  });

  it('say what failed', () => {
    expect(complaintsAbout(sample({ failures: ['route paid: no number'] }))).toEqual([
      'route paid: no number',
    ]);
  });
});
