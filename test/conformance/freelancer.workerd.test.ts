import { beforeAll, expect, it } from 'vitest';
import { storyOf } from '../../shared/new-source/story.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { event, publish, receiptOf, post } from '../integration/relay.ts';
import { open } from '../integration/sources.ts';
import { samplesOf, starterOf, TEAM } from './starters.ts';

const income = providers.get('stripe');
if (income === undefined) throw new Error('no Stripe');
const story = storyOf(starterOf(income), false);

beforeAll(() =>
  publish({
    templates: story.templates,
    recipients: { 'shop-owners': { numbers: [TEAM] } },
    sources: {
      income: {
        provider: 'stripe',
        ...open([], { ...story.source, verify: { scheme: 'none' } }),
        country: 'DE',
        locale: 'en-GB',
        timezone: 'Europe/Berlin',
        routes: story.routes,
      },
    },
  }),
);

/** Of a freelancer's Stripe with the routes that it begins with: what came, and what failed to. */
const REPORTED: ReadonlyMap<string, RegExp> = new Map([
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
]);

it('a freelancer’s Stripe reports once each way in which money came or failed to, and notifies no customer', async () => {
  const samples = samplesOf(income);
  for (const { name, body, content_type } of samples) {
    const { event: id } = await receiptOf(post('income', body, { 'content-type': content_type }));
    const { messages } = await event(id);
    const wanted = REPORTED.get(name);
    const expected = wanted === undefined ? [] : [[TEAM, expect.stringMatching(wanted)]];
    expect([name, messages.map(({ phone, params }) => [phone, params['message']])]).toEqual([name, expected]);
  }
  const tried = new Set(samples.map(({ name }) => name));
  expect([...REPORTED.keys()].filter((name) => !tried.has(name))).toEqual([]);
});
