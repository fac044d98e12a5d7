import type { Provider } from '../provider.ts';
import { standardWebhooksHmac } from '../schemes.ts';

/**
 * BigCommerce. It uses Standard Webhooks, but the key is the app's client secret, without base64. It posts only ids.
 */
export const bigcommerce: Provider = {
  id: 'bigcommerce',
  name: 'BigCommerce',
  subject: '#{{ payload.data.id }}',
  category: 'commerce',
  verify: { ...standardWebhooksHmac, secret_encoding: 'utf8', strip_secret_prefixes: [] },
  event_type: ['body:scope'],
  dedupe: ['header:webhook-id', 'header:svix-id'],
};
