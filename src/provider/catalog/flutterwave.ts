import type { Provider } from '../provider.ts';
import { headerToken, hmac } from '../schemes.ts';

/**
 * Flutterwave. The secret hash is in a header (API v3), or signs the body (v4). v4's documents contradict each other on
 * the same header, so both are accepted.
 */
export const flutterwave: Provider = {
  id: 'flutterwave',
  name: 'Flutterwave',
  subject:
    '{{ payload.data.tx_ref | default: payload.data.reference | default: payload.data.charge_id }} {{ payload.data.amount | default: payload.data.amount_refunded }} {{ payload.data.currency }} {{ payload.data.customer.email }}',
  category: 'payments',
  verify: {
    scheme: 'any',
    of: [
      headerToken('verif-hash'),
      hmac({ header: ['flutterwave-signature'], encoding: 'base64' }),
      headerToken('flutterwave-signature'),
    ],
  },
  event_type: ['body:event', 'body:type'],
  // A payment that was pending comes again with the same id when it is done.
  dedupe: [
    ['body:event', 'body:data.id', 'body:data.status'],
    ['body:type', 'body:data.id', 'body:data.status'],
  ],
  answers: [{ status: 200 }],
};
