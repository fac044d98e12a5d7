import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/**
 * Paddle Billing. `notification_id` differs for each destination and replay, so the event's own id identifies a
 * duplicate.
 */
export const paddle: Provider = {
  id: 'paddle',
  name: 'Paddle Billing',
  subject:
    '{{ payload.data.invoice_number | default: payload.data.id }} {{ payload.data.details.totals.grand_total | default: payload.data.totals.total | money: payload.data.currency_code }}',
  category: 'payments',
  verify: hmac({
    header: ['Paddle-Signature'],
    list_separator: ';',
    key_value_separator: '=',
    keys: ['h1'],
    signed: '{ts}:{raw_body}',
    // Paddle's own libraries allow no longer time.
    timestamp: { signature_param: 'ts', unit: 's', tolerance: 5_000 },
  }),
  event_type: ['body:event_type'],
  dedupe: ['body:event_id'],
  answers: [{ status: 200 }],
};
