import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Shopify. The secret is the app's client secret: one for all of an app's webhooks. */
export const shopify: Provider = {
  id: 'shopify',
  name: 'Shopify',
  category: 'commerce',
  verify: hmac({ header: ['X-Shopify-Hmac-Sha256'], encoding: 'base64' }),
  event_type: ['header:X-Shopify-Topic'],
  dedupe: ['header:X-Shopify-Webhook-Id'],
};
