import { beforeAll, expect, it } from 'vitest';
import { storyOf } from '../../shared/new-source/story.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { eventually } from '../eventually.ts';
import { samplesOf, starterOf, TEAM } from '../conformance/starters.ts';
import { admin, post, publish } from './relay.ts';

/** Of a freelancer's Stripe with the routes that it begins with: what came, and what failed to. */
const REPORTED: readonly (readonly [sample: string, text: RegExp])[] = [
  ['checkout.session.completed', /^💰 \*€49.00\* from Ada Lovelace/],
  ['checkout.session.completed of a subscription', /^💰 \*€19.00\* from Ada Lovelace/],
  ['checkout.session.async_payment_succeeded', /^💰 \*€49.00\* from Ada Lovelace/],
  ['checkout.session.async_payment_failed', /^⚠️ The payment of \*€49.00\* by Ada Lovelace did not arrive/],
  ['payment_intent.succeeded without a checkout session', /^💰 \*€75.00\* from grace@example.com: Workshop/],
  ['invoice.payment_failed', /^⚠️ Ada Lovelace could not pay \*€19.00\*.*Next attempt/],
  ['invoice.payment_failed, last try', /^⚠️ Ada Lovelace could not pay \*€19.00\*.*will not try again/],
  ['invoice.paid after all', /^💰 Ada Lovelace has paid \*€19.00\* after all/],
  ['invoice.paid by its link', /^💰 Ada Lovelace has paid \*€19.00\* after all/],
  ['invoice.paid, sent by mail', /^💰 Grace Hopper has paid \*€2,400.00\* \(invoice A1B2C3D4-0010\)/],
  ['charge.refunded in part', /^↩️ \*€19.00\* of €49.00 refunded/],
  ['charge.refunded, the rest', /^↩️ \*€30.00\* of €49.00 refunded/],
  ['refund.failed', /^🚨 A refund of \*€30.00\* did not reach the customer/],
  ['payout.failed', /^🚨 Stripe could not pay \*€1,250.00\*/],
  ['charge.dispute.created', /^🚨 Ada Lovelace disputes \*€49.00\*/],
  ['charge.dispute.created, an inquiry', /^❓ Ada Lovelace’s bank asks about \*€49.00\*/],
  ['charge.dispute.closed, won', /^✅ Dispute over \*€49.00\* won/],
  ['charge.dispute.closed, lost', /^❌ Dispute lost: \*€49.00\*/],
  ['charge.dispute.closed, an inquiry', /^✅ The bank’s inquiry about \*€49.00\* is closed/],
];

const stripe = providers.get('stripe');
if (stripe === undefined) throw new Error('no Stripe');

interface Stored {
  readonly messages: readonly { readonly phone: string; readonly params: { readonly message: string } }[];
}

beforeAll(async () => {
  const starter = storyOf(starterOf(stripe), false);
  await publish({
    sources: {
      income: {
        provider: 'stripe',
        verify: { scheme: 'none' },
        country: 'DE',
        locale: 'en-GB',
        timezone: 'Europe/Berlin',
        limit: false,
        ...starter.source,
        routes: starter.routes,
      },
    },
    templates: starter.templates ?? {},
    recipients: { 'shop-owners': { numbers: [TEAM] } },
  });
});

it('a freelancer’s Stripe reports once each way in which money came or failed to, and notifies no customer', async () => {
  const reported = new Map<string, readonly string[]>();
  for (const sample of samplesOf(stripe)) {
    const response = await post('income', sample.body, { 'content-type': sample.content_type });
    expect([sample.name, response.status]).toEqual([sample.name, 202]);
    const { event } = await response.json<{ event: string }>();
    await eventually(async () => {
      const { body } = await admin<Stored>('GET', `/events/${event}`);
      expect(body.messages.map(({ phone }) => phone).filter((phone) => phone !== TEAM)).toEqual([]);
      reported.set(
        sample.name,
        body.messages.map(({ params }) => params.message),
      );
    });
  }
  const wanted = new Map(REPORTED);
  for (const [sample, texts] of reported) {
    const pattern = wanted.get(sample);
    expect([sample, texts.length]).toEqual([sample, pattern === undefined ? 0 : 1]);
    if (pattern !== undefined) expect(texts[0]).toMatch(pattern);
  }
  expect([...wanted.keys()].filter((name) => !reported.has(name))).toEqual([]);
});
