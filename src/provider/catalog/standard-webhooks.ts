import type { Provider } from '../provider.ts';
import { standardWebhooksHmac } from '../schemes.ts';

/** Everything that signs by Standard Webhooks with a shared secret. */
export const standardWebhooks: Provider = {
  id: 'standard-webhooks',
  name: 'Standard Webhooks',
  subject:
    '{{ payload.data.id | default: payload.data.order }} {{ payload.data.customer.name | default: payload.data.name }}',
  category: 'other',
  verify: standardWebhooksHmac,
  event_type: ['body:type'],
  dedupe: ['header:webhook-id', 'header:svix-id'],
};
