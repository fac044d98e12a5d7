import type { Provider } from '../provider.ts';
import { headerToken } from '../schemes.ts';

/** Xendit. Its older products (invoices) have no event name, so their status is the type. */
export const xendit: Provider = {
  id: 'xendit',
  name: 'Xendit',
  subject:
    '{{ payload.data.reference_id | default: payload.external_id }} {{ payload.data.request_amount | default: payload.data.amount | default: payload.amount }} {{ payload.data.currency | default: payload.currency }}',
  category: 'payments',
  verify: headerToken('x-callback-token'),
  event_type: ['body:event', 'body:status'],
  dedupe: [
    'header:webhook-id',
    // Each refund of a payment has its own id. A payment event has only the payment's id.
    ['body:event', 'body:data.id', 'body:data.status'],
    ['body:event', 'body:data.payment_id', 'body:data.status'],
    ['body:id', 'body:status'],
  ],
};
