import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import * as z from 'zod';

const SAMPLES = join(import.meta.dirname, '../../assets/providers');

/** A webhook, as its provider posts it. */
export interface Webhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Signed by Stripe's own library. */
export async function fromStripe(secret: string): Promise<Webhook> {
  const body = JSON.stringify(sampleOf('stripe', 'checkout.session.completed'));
  const stripe = new Stripe('sk_test_not_used');
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret });
  return { headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body };
}

/** Typeform: HMAC-SHA256 of the body, in Base64. */
export function fromTypeform(secret: string): Webhook {
  const body = JSON.stringify(sampleOf('typeform', 'booking'));
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  return {
    headers: { 'content-type': 'application/json', 'typeform-signature': `sha256=${signature}` },
    body,
  };
}

/** Alertmanager signs nothing and sends what stands under `credentials`. */
export const fromAlertmanager = (token: string): Webhook => ({
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  body: JSON.stringify(sampleOf('alertmanager', 'firing')),
});

const starter = z.object({ samples: z.array(z.object({ name: z.string(), payload: z.unknown() })) });

function sampleOf(provider: string, name: string): unknown {
  const { samples } = starter.parse(JSON.parse(readFileSync(join(SAMPLES, `${provider}.json`), 'utf8')));
  const sample = samples.find((one) => one.name === name);
  if (sample === undefined) throw new Error(`${provider} has no sample ${name}`);
  return sample.payload;
}
