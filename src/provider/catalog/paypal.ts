import type { Provider } from '../provider.ts';

/** PayPal. A source's secret is the webhook's id, which is a part of the signed text. */
export const paypal: Provider = {
  id: 'paypal',
  name: 'PayPal',
  subject:
    '{{ payload.resource.invoice_id | default: payload.resource.custom_id | default: payload.resource.dispute_id | default: payload.resource.id }} {{ payload.summary }}',
  category: 'payments',
  // It retries for three days, possibly with the transmission time of the first try. A signed body makes one event, so
  // such a long time is safe.
  verify: { scheme: 'rsa', format: 'paypal', tolerance: 3 * 86_400_000 },
  event_type: ['body:event_type'],
  dedupe: ['body:id'],
};
