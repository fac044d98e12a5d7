import { describe, expect, it } from 'vitest';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { routeSample, samplesOf } from './starters.ts';

/** The results of a sample: the texts of its messages, and a line for each item that waits for a group. */
async function messagesFor(id: string, name: string, locale = 'en-GB'): Promise<readonly string[]> {
  const provider = providers.get(id);
  const sample = provider && samplesOf(provider).find((one) => one.name === name);
  if (provider === undefined || sample === undefined) throw new Error(`${id} has no sample ${name}`);
  const results = await routeSample(provider, sample, locale);
  return results.flatMap(({ route, messages, items = [] }) => [
    ...messages.map(({ params }) => `${route}: ${params['message'] ?? ''}`),
    ...items.map(({ value }) => `${route}: ${value}`),
  ]);
}

/** A rule, the sample of it, the number of its messages, and a part of one. */
type Fact = readonly [rule: string, provider: string, sample: string, count: number, text?: RegExp];

const FACTS: readonly Fact[] = [
  ['all leads of a request with twelve pages are reported', 'meta-lead-ads', 'leads in twelve entries', 12],
  [
    'messages of all entries are reported, each with its sender',
    'meta-whatsapp',
    'messages in two entries',
    2,
    /Grace Hopper.*blue/,
  ],
  ['messages of all entries are reported', 'instagram', 'messages in two entries', 2, /Norway/],
  ['payments of the second company are reported', 'quickbooks', 'two companies, old format', 5, /"id":"8"/],
  ['a sales receipt is money that came in', 'quickbooks', 'sales receipt created', 1, /^sales-receipts: /],
  ['a void payment is reported by either name', 'quickbooks', 'payment voided, by its other name', 1],
  [
    'a new mail behind one that was read is reported',
    'microsoft-graph',
    'a mail read, and a new one in the same request',
    1,
  ],
  [
    'an invoice that was sent by mail and is paid is reported',
    'stripe',
    'invoice.paid, sent by mail',
    1,
    /Grace Hopper has paid \*€2,400.00\*/,
  ],
  ['an invoice over nothing is not reported as paid', 'stripe', 'invoice.paid with amount 0', 0],
  [
    'a payment without a checkout session is reported',
    'stripe',
    'payment_intent.succeeded without a checkout session',
    1,
    /€75.00\* from grace@example.com: Workshop/,
  ],
  [
    'a payment of a checkout session is left to the session',
    'stripe',
    'payment_intent.succeeded of a checkout session',
    0,
  ],
  [
    'a payment of a subscription is left to its invoice',
    'stripe',
    'payment_intent.succeeded of a subscription',
    0,
  ],
  [
    'a payout that failed is reported',
    'stripe',
    'payout.failed',
    1,
    /could not pay \*€1,250.00\* into your bank account/,
  ],
  [
    'a subscription that ended is reported',
    'stripe',
    'customer.subscription.deleted',
    1,
    /€19.00\* every month/,
  ],
  [
    'an inquiry of the bank is no dispute',
    'stripe',
    'charge.dispute.created, an inquiry',
    1,
    /’s bank asks about \*€49.00\*/,
  ],
  [
    'a charge of a card on file that failed is reported',
    'square',
    'invoice.scheduled_charge_failed',
    1,
    /€84.00\* to the card of Ada Lovelace/,
  ],
  ['a payout that failed is reported', 'square', 'payout.failed', 1, /€482.50/],
  [
    'a refund that is completed at once is reported',
    'square',
    'refund.created, completed at once',
    1,
    /€10.00\* refunded/,
  ],
  ['a drop for the quota is an outage and no bounce', 'sendgrid', 'dropped, over the quota', 1, /^quota: /],
  ['a drop as spam is an outage and no bounce', 'sendgrid', 'dropped as spam', 1, /^not-sent: .*spam/],
  [
    'a dispute for an issued card is one that you raised',
    'adyen-platform',
    'dispute.created, raised for an issued card',
    1,
    /You have raised a dispute/,
  ],
  [
    'a reason with the word expired is no expiry',
    'docusign',
    'envelope-voided by hand, since the offer expired',
    1,
    /was voided: The offer expired/,
  ],
  [
    'contacts by an integration are not reported, as those by an import',
    'hubspot-v3',
    'contact.creation by an integration',
    0,
  ],
  [
    'contacts by an integration are not reported, as those by an import',
    'hubspot-v1',
    'contact.creation by an integration',
    0,
  ],
  [
    'a person with bot in the name is a person',
    'gitlab',
    'merge request opened by a person with bot in the name',
    1,
    /Jean Talbot/,
  ],
  [
    'renovate is a bot under its own name',
    'gitlab',
    'merge request opened by renovate, from a branch of its own',
    0,
  ],
  [
    'a guest and a host hear of the place',
    'calcom',
    'BOOKING_CREATED, in person',
    2,
    /Where: Beispielweg 1, 10115 Berlin/,
  ],
  [
    'five of seven things are named, and the rest is counted',
    'woocommerce',
    'order.created with seven items',
    2,
    /Cups & saucers, 1 × Tea – green.* and 2 more/,
  ],
  [
    'five of seven things are named, and the rest is counted',
    'shopify',
    'orders/create with seven items',
    2,
    /Sieve and 2 more/,
  ],
  [
    'an order for free is not paid',
    'woocommerce',
    'order.created, for free',
    2,
    /\*1071\*, for free: Ada Lovelace/,
  ],
  [
    'an order for free is not paid',
    'shopify',
    'orders/create, for free',
    2,
    /\*#1071\*, for free: Ada Lovelace/,
  ],
];

describe('facts', () => {
  it.each(FACTS.map((fact) => [`${fact[0]}: ${fact[1]}, ${fact[2]}`, fact] as const))(
    '%s',
    async (_, fact) => {
      const [, id, sample, count, text] = fact;
      const all = await messagesFor(id, sample);
      expect(all, all.join('\n')).toHaveLength(count);
      if (text !== undefined) expect(all.join('\n')).toMatch(new RegExp(text, 's'));
    },
  );

  it('nothing of a free order says what was paid', async () => {
    for (const [id, sample] of [
      ['woocommerce', 'order.created, for free'],
      ['shopify', 'orders/create, for free'],
    ] as const)
      expect((await messagesFor(id, sample)).join('\n')).not.toMatch(/is paid|paid: \*|0\.00/);
  });

  it('a national number is one of the country of its parcel', async () => {
    const provider = providers.get('sendcloud');
    const sample =
      provider && samplesOf(provider).find(({ name }) => name === 'picked up, with a national number');
    if (provider === undefined || sample === undefined) throw new Error('no sample');
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
});
