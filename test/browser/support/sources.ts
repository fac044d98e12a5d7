import type { Page } from 'playwright-core';
import Stripe from 'stripe';
import * as z from 'zod';
import type { AdminApi } from '../../admin-api.ts';
import { STRIPE_SECRET, type Stage } from './stage.ts';

/** The receiver of what tests send. */
export const PHONE = '4915123456789';

/** Publishes a document, in force at once. */
export const publish = async (
  admin: AdminApi,
  kind: 'sources' | 'templates' | 'accounts' | 'recipients' | 'providers',
  name: string,
  document: object,
): Promise<void> => void (await admin('PUT', `/${kind}/${name}`, document));

/** A source that anybody may post to, whose one route sends by `send`. */
export const openSource = (
  send: object = { kind: 'text', message: '{{ payload.text }}' },
  more = {},
): object => ({
  provider: 'generic',
  verify: { scheme: 'none' },
  routes: [{ name: 'all', to: PHONE, send }],
  ...more,
});

/** A route that sends a text. */
export const textRoute = (
  to: string | readonly string[],
  message: string,
  more: object = {},
): Readonly<Record<string, unknown>> => ({ name: 'all', to, send: { kind: 'text', message }, ...more });

/** Publishes a source that anybody may post to, with these routes. */
export const publishRoutes = (
  { admin }: Stage,
  name: string,
  routes: readonly object[],
  more: object = {},
): Promise<void> => publish(admin, 'sources', name, openSource(undefined, { ...more, routes }));

/** The ids of an event's messages, the newest first. */
export async function messagesOf({ admin }: Stage, event: string): Promise<readonly string[]> {
  const { body } = await admin('GET', `/messages?event=${event}`);
  return JSON.stringify(body).match(/(?<="id":")msg_\w+/g) ?? [];
}

/** All that a phone got, as text. */
export const phoneOf = async ({ phoneUrl }: Stage, phone: string): Promise<string> =>
  (await fetch(`${phoneUrl}/_control/calls?phone=${phone}&limit=1000`)).text();

/** Counts the clicks in a page from now on; those of the keyboard on a button count, too. */
export async function clicksIn(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const root = document.documentElement;
    const count = (): void => {
      root.dataset['clicks'] = String(Number(root.dataset['clicks'] ?? '0') + 1);
    };
    addEventListener('click', count, { capture: true });
  });
  return async () => Number((await page.evaluate(() => document.documentElement.dataset['clicks'])) ?? '0');
}

/** Removes the sources that use Stripe's secret: a new source takes a name of its own where another one has it. */
export async function freeStripeSecret({ admin }: Stage): Promise<void> {
  const { body } = await admin('GET', '/config');
  const { sources } = z.object({ sources: z.record(z.string(), z.unknown()) }).parse(body);
  for (const [name, document] of Object.entries(sources))
    if (JSON.stringify(document).includes('"STRIPE_WEBHOOK_SECRET"'))
      await admin('DELETE', `/sources/${name}`);
}

/** As fast as it can: what is tested here is not the pace. */
export const NO_PACE = { rate: false, per_recipient: false };

/** Posts a webhook, and gives the id of its event. */
export async function postWebhook(
  stage: Stage,
  source: string,
  payload: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const answer = await fetch(`${stage.url}/hooks/${source}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(`POST /hooks/${source}: ${answer.status} ${text}`);
  return z.object({ event: z.string() }).parse(JSON.parse(text)).event;
}

/** A paid checkout, signed by Stripe's own SDK. */
export async function postStripe(stage: Stage, source: string, id: string): Promise<string> {
  const body = JSON.stringify({
    id: `evt_${id}`,
    object: 'event',
    type: 'checkout.session.completed',
    created: Math.floor(Date.now() / 1_000),
    livemode: true,
    data: {
      object: {
        id: `cs_${id}`,
        object: 'checkout.session',
        amount_total: 12_950,
        currency: 'eur',
        payment_status: 'paid',
        customer_details: { name: 'Zoë Schmidt', email: 'zoe@example.com', phone: '+4915187654399' },
      },
    },
  });
  const stripe = new Stripe('sk_test_not_used');
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({
    payload: body,
    secret: STRIPE_SECRET,
  });
  return postWebhook(stage, source, body, { 'stripe-signature': signature });
}
