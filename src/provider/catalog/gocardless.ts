import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** GoCardless posts up to 250 events at once, of any kinds. */
export const gocardless: Provider = {
  id: 'gocardless',
  name: 'GoCardless',
  category: 'payments',
  verify: hmac({ header: ['Webhook-Signature'] }),
  event_type: [['body:events.0.resource_type', 'body:events.0.action']],
  dedupe: ['body:meta.webhook_id'],
  items: { at: 'events', id: ['body:id'] },
};
