import type { Provider } from '../provider.ts';
import { standardWebhooksHmac } from '../schemes.ts';

/** Any service that sends through Svix. The payloads are the service's own; most have a `type`. */
export const svix: Provider = {
  id: 'svix',
  name: 'Svix',
  subject:
    '{{ payload.data.id | default: payload.data.order }} {{ payload.data.customer.name | default: payload.data.name }}',
  category: 'other',
  verify: standardWebhooksHmac,
  event_type: ['body:type', 'body:event_type', 'body:eventType'],
  dedupe: ['header:webhook-id', 'header:svix-id'],
};
