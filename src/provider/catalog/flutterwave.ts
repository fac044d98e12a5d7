import type { Provider } from '../provider.ts';
import { headerToken, hmac } from '../schemes.ts';

/**
 * Flutterwave. The secret hash is in a header (API v3), or signs the body (v4). The documents of v4 contradict each
 * other about the same header, so both forms are accepted.
 */
export const flutterwave: Provider = {
  id: 'flutterwave',
  name: 'Flutterwave',
  subject:
    '{{ payload.data.tx_ref | default: payload.data.reference | default: payload.data.charge_id }} {{ payload.data.amount | default: payload.data.amount_refunded | default: payload.data.AmountRefunded }} {{ payload.data.currency }} {{ payload.data.customer.email }}',
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
  // A pending payment comes again with the same id when it completes.
  dedupe: [
    ['body:event', 'body:data.id', 'body:data.status'],
    ['body:type', 'body:data.id', 'body:data.status'],
  ],
  answers: [{ status: 200 }],
};
