import { expect, it } from 'vitest';
import { linesOf } from '../../../cli/phone-views/lines.ts';
import { stripe } from '../../../src/provider/catalog/stripe.ts';

it('a view shows each sample with who reads what, what is silent, and what is wrong', () => {
  const messages = [
    { route: 'paid', to: '+49171', isFromWebhook: true, text: 'Thank you!\n{{ name }}' },
    { route: 'taken', to: 'team', isFromWebhook: false, text: 'Anna is on it', pressed: 'I’ll answer' },
  ];
  const samples = [
    { name: 'paid', silent: null, messages, failures: [] },
    { name: 'edited', silent: 'An edit is no news.', messages: [], failures: [] },
    { name: 'lost', silent: null, messages: [], failures: [] },
  ];
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
