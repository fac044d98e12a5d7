import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Lemon Squeezy. Its events have no ids. Changes of one object are distinguished by their times. */
export const lemonsqueezy: Provider = {
  id: 'lemonsqueezy',
  name: 'Lemon Squeezy',
  subject:
    '{{ payload.data.attributes.order_number }} {{ payload.data.attributes.user_name }} {{ payload.data.attributes.total_formatted }}',
  category: 'payments',
  verify: hmac({ header: ['X-Signature'] }),
  // The header X-Event-Name has the same value, but is not signed.
  event_type: ['body:meta.event_name'],
  dedupe: [['body:meta.event_name', 'body:data.id', 'body:data.attributes.updated_at']],
  answers: [{ status: 200 }],
};
