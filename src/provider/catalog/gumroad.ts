import type { Provider } from '../provider.ts';

/** Gumroad: an unsigned form, or JSON. A sale keeps its id when it is refunded, and a subscription when it ends. */
export const gumroad: Provider = {
  id: 'gumroad',
  name: 'Gumroad',
  subject: '{{ payload.product_name }} {{ payload.email | default: payload.user_email }}',
  category: 'commerce',
  verify: null,
  event_type: ['body:resource_name'],
  dedupe: [
    ['body:resource_name', 'body:sale_id', 'body:refunded'],
    ['body:resource_name', 'body:subscription_id', 'body:cancelled_at'],
    ['body:resource_name', 'body:subscription_id', 'body:ended_at'],
    ['body:resource_name', 'body:subscription_id', 'body:restarted_at'],
  ],
  answers: [{ status: 200 }],
};
