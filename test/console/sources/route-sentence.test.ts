import { expect, test } from 'vitest';
import { isCustomer, whenOf } from '../../../console/pages/sources/route-sentence.ts';
import { de } from '../../../console/texts/de.ts';
import { en } from '../../../console/texts/en.ts';

test.each([
  ['order-paid', 'When an order is paid', 'Wenn eine Bestellung bezahlt wird'],
  ['payment-failed', 'When a payment fails', 'Wenn eine Zahlung scheitert'],
  ['pull-request-opened', 'When a pull request is opened', 'Wenn ein Pull Request eröffnet wird'],
  ['subscription-not-paid', 'When a subscription is not paid', 'Wenn ein Abonnement nicht bezahlt wird'],
  ['paid', 'When paid', 'Wenn bezahlt wird'],
  ['failed', 'When it fails', 'Wenn es scheitert'],
  ['paid-owners', 'When paid', 'Wenn bezahlt wird'],
  ['not-paid-to-customer', 'When not paid', 'Wenn nicht bezahlt wird'],
  ['Order_Shipped', 'When an order is shipped', 'Wenn eine Bestellung versandt wird'],
  ['thank-you', 'On “thank you”', 'Bei „thank you“'],
  ['constructor-paid', 'On “constructor paid”', 'Bei „constructor paid“'],
])('%s is %j, and %j', (name, english, german) => {
  expect(whenOf(name, en.sources.routeWords)).toBe(english);
  expect(whenOf(name, de.sources.routeWords)).toBe(german);
});

test('German has a word for each that English has', () => {
  for (const part of ['nouns', 'verbs'] as const)
    expect(Object.keys(de.sources.routeWords[part])).toEqual(Object.keys(en.sources.routeWords[part]));
});

test('a number is the customer’s by its path, or by the provider', () => {
  expect(isCustomer('{{ payload.billing.phone | phone }}', false)).toBe(true);
  expect(isCustomer('{{ payload.phone }}', false)).toBe(false);
  expect(isCustomer('{{ payload.phone }}', true)).toBe(true);
});
