import type { Provider } from '../provider.ts';
import { standardWebhooksHmac } from '../schemes.ts';

/** BigCommerce: Standard Webhooks, but its key is the app's client secret as it is. It posts ids and no more. */
export const bigcommerce: Provider = {
  id: 'bigcommerce',
  name: 'BigCommerce',
  subject: '#{{ payload.data.id }}',
  category: 'commerce',
  verify: { ...standardWebhooksHmac, secret_encoding: 'utf8', strip_secret_prefixes: [] },
  event_type: ['body:scope'],
  dedupe: ['header:webhook-id', 'header:svix-id'],
};
