import type { Provider } from '../provider.ts';

/** Chargebee. Requests are not signed. They use HTTP Basic with a user and password from its settings. */
export const chargebee: Provider = {
  id: 'chargebee',
  name: 'Chargebee',
  subject:
    '{{ payload.content.invoice.id | default: payload.content.subscription.id }} {{ payload.content.customer.first_name }} {{ payload.content.customer.last_name }}',
  category: 'payments',
  verify: { scheme: 'basic' },
  event_type: ['body:event_type'],
  dedupe: ['body:id'],
};
