import { createHmac } from 'node:crypto';
import { sign as signGithub } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';

/** Makes the headers that a provider would send with a body, at a time in seconds. */
export type Sender = (body: string, secret: string, seconds: number) => Promise<Record<string, string>>;

const stripe = new Stripe('sk_test_unused');
const MESSAGE_ID = 'msg_1';

/** The vendor's own SDK where there is one, else Node's crypto: never the code that is under test. */
export const senders: Readonly<Record<string, Sender>> = {
  stripe: async (payload, secret, timestamp) => ({
    'Stripe-Signature': await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp }),
  }),
  github: async (body, secret) => ({ 'X-Hub-Signature-256': await signGithub(secret, body) }),
  'standard-webhooks': async (body, secret, seconds) => ({
    'webhook-id': MESSAGE_ID,
    'webhook-timestamp': String(seconds),
    'webhook-signature': new Webhook(secret).sign(MESSAGE_ID, new Date(seconds * 1_000), body),
  }),
  shopify: async (body, secret) => ({ 'X-Shopify-Hmac-Sha256': hmac(body, secret, 'base64') }),
  typeform: async (body, secret) => ({ 'Typeform-Signature': `sha256=${hmac(body, secret, 'base64')}` }),
  slack: async (body, secret, seconds) => ({
    'X-Slack-Request-Timestamp': String(seconds),
    'X-Slack-Signature': `v0=${hmac(`v0:${seconds}:${body}`, secret, 'hex')}`,
  }),
  grafana: async (body, secret) => ({ 'X-Grafana-Alerting-Signature': hmac(body, secret, 'hex') }),
};

const hmac = (content: string, secret: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret).update(content).digest(encoding);
