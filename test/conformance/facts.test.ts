import { expect, it } from 'vitest';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import { providers } from '../platform/providers.ts';
import { rule } from './rule.ts';
import { routeSample, samplesOf } from './starters.ts';

function sampleOf(id: string, name: string) {
  const provider = providers.get(id);
  const sample = provider && samplesOf(provider).find((one) => one.name === name);
  if (provider === undefined || sample === undefined) throw new Error(`${id} has no sample ${name}`);
  return { provider, sample };
}

/** The results of a sample: the texts of its messages, and a line for each item that waits for a group. */
async function messagesFor(id: string, name: string): Promise<readonly string[]> {
  const { provider, sample } = sampleOf(id, name);
  const results = await routeSample(provider, sample, 'en-GB');
  return results.flatMap(({ route, messages, items = [] }) => [
    ...messages.map(({ params }) => `${route}: ${params['message'] ?? ''}`),
    ...items.map(({ value }) => `${route}: ${value}`),
  ]);
}

/** Samples that were misread once: the number of their messages, and a part of one. */
const FACTS: readonly (readonly [provider: string, sample: string, count: number, text?: RegExp])[] = [
  ['meta-lead-ads', 'leads in twelve entries', 12],
  ['meta-whatsapp', 'messages in two entries', 2, /Grace Hopper.*blue/],
  ['instagram', 'messages in two entries', 2, /Norway/],
  ['quickbooks', 'two companies, old format', 5, /"id":"8"/],
  ['quickbooks', 'sales receipt created', 1, /^sales-receipts: /],
  ['quickbooks', 'payment voided, by its other name', 1],
  ['microsoft-graph', 'a mail read, and a new one in the same request', 1],
  ['stripe', 'invoice.paid, sent by mail', 1, /Grace Hopper has paid \*€2,400.00\*/],
  ['stripe', 'invoice.paid with amount 0', 0],
  [
    'stripe',
    'payment_intent.succeeded without a checkout session',
    1,
    /€75.00\* from grace@example.com: Workshop/,
  ],
  ['stripe', 'payment_intent.succeeded of a checkout session', 0],
  ['stripe', 'payment_intent.succeeded of a subscription', 0],
  ['stripe', 'payout.failed', 1, /could not pay \*€1,250.00\* into your bank account/],
  ['stripe', 'customer.subscription.deleted', 1, /€19.00\* every month/],
  ['stripe', 'charge.dispute.created, an inquiry', 1, /’s bank asks about \*€49.00\*/],
  ['square', 'invoice.scheduled_charge_failed', 1, /€84.00\* to the card of Ada Lovelace/],
  ['square', 'payout.failed', 1, /€482.50/],
  ['square', 'refund.created, completed at once', 1, /€10.00\* refunded/],
  ['sendgrid', 'dropped, over the quota', 1, /^quota: /],
  ['sendgrid', 'dropped as spam', 1, /^not-sent: .*spam/],
  ['adyen-platform', 'dispute.created, raised for an issued card', 1, /You have raised a dispute/],
  ['docusign', 'envelope-voided by hand, since the offer expired', 1, /was voided: The offer expired/],
  ['hubspot-v3', 'contact.creation by an integration', 0],
  ['hubspot-v1', 'contact.creation by an integration', 0],
  ['gitlab', 'merge request opened by a person with bot in the name', 1, /Jean Talbot/],
  ['gitlab', 'merge request opened by renovate, from a branch of its own', 0],
  ['calcom', 'BOOKING_CREATED, in person', 2, /Where: Beispielweg 1, 10115 Berlin/],
  ['woocommerce', 'order.created with seven items', 2, /Cups & saucers, 1 × Tea – green.* and 2 more/],
  ['shopify', 'orders/create with seven items', 2, /Sieve and 2 more/],
  ['woocommerce', 'order.created, for free', 2, /\*1071\*, for free: Ada Lovelace/],
  ['shopify', 'orders/create, for free', 2, /\*#1071\*, for free: Ada Lovelace/],
];

rule(
  'a sample that is easily misread makes the right messages',
  FACTS.map((fact) => [`${fact[0]}: ${fact[1]}`, fact] as const),
  async (_, [id, sample, count, text]) => {
    const all = await messagesFor(id, sample);
    expect(all, all.join('\n')).toHaveLength(count);
    if (text !== undefined) expect(all.join('\n')).toMatch(new RegExp(text, 's'));
    // Nothing of a free order says what was paid.
    if (sample.endsWith(', for free')) expect(all.join('\n')).not.toMatch(/is paid|paid: \*|0\.00/);
  },
);

it('a national number is one of the country of its parcel', async () => {
  const { provider, sample } = sampleOf('sendcloud', 'picked up, with a national number');
  const phonesOf = async (telephone: string, iso: string) => {
    const body = parseOwnJson<{ parcel: object }>(sample.body);
    Object.assign(body.parcel, { telephone, country: { iso_2: iso } });
    const results = await routeSample(provider, { ...sample, body: JSON.stringify(body) }, 'en-GB');
    return results.flatMap(({ messages }) => messages.map(({ phone }) => phone));
  };
  expect(await phonesOf('0171 3920003', 'DE')).toEqual(['491713920003']);
  expect(await phonesOf('0612345678', 'NL')).toEqual(['31612345678']);
  expect(await phonesOf('0612345678', 'FR')).toEqual(['33612345678']);
});
