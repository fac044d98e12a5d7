import type { Provider } from '../provider.ts';
import { standardWebhooksHmac } from '../schemes.ts';

/** Polar, with Standard Webhooks. An older secret is the key itself; a newer one contains the key in base64. */
export const polar: Provider = {
  id: 'polar',
  name: 'Polar',
  subject:
    '{{ payload.data.invoice_number | default: payload.data.order_id | default: payload.data.id }} {{ payload.data.customer.name | default: payload.data.billing_name }} {{ payload.data.total_amount | default: payload.data.amount | money: payload.data.currency }}',
  category: 'payments',
  verify: {
    scheme: 'any',
    of: [
      { ...standardWebhooksHmac, secret_encoding: 'utf8', strip_secret_prefixes: [] },
      { ...standardWebhooksHmac, strip_secret_prefixes: ['polar_whs_', 'whsec_'] },
    ],
  },
  event_type: ['body:type'],
  dedupe: ['header:webhook-id', 'header:svix-id'],
};
