import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** GoCardless. It posts up to 250 events at once, of mixed kinds. */
export const gocardless: Provider = {
  id: 'gocardless',
  name: 'GoCardless',
  subject:
    '{% assign one = payload.events[0] %}{{ one.resource_metadata.order }} {{ one.links[0] }} {{ one.links.payment | default: one.links.mandate | default: one.links.payout | default: one.links.refund }}{% if payload.events.size > 1 %} +{{ payload.events.size | minus: 1 }}{% endif %}',
  category: 'payments',
  verify: hmac({ header: ['Webhook-Signature'] }),
  event_type: [['body:events.0.resource_type', 'body:events.0.action']],
  dedupe: ['body:meta.webhook_id'],
  items: { at: 'events', id: ['body:id'] },
};
