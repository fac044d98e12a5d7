import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Coinbase Commerce. The body's own `id` is new for each delivery. The event inside keeps its id. */
export const coinbaseCommerce: Provider = {
  id: 'coinbase-commerce',
  name: 'Coinbase Commerce',
  subject:
    '{{ payload.event.data.code }} {{ payload.event.data.name }} {{ payload.event.data.pricing.local.amount }} {{ payload.event.data.pricing.local.currency }}',
  category: 'payments',
  verify: hmac({ header: ['X-CC-Webhook-Signature'] }),
  event_type: ['body:event.type'],
  dedupe: ['body:event.id'],
};
