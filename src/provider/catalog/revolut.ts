import type { Provider } from '../provider.ts';
import { FIVE_MINUTES, hmac } from '../schemes.ts';

/** Revolut's merchant and business accounts. Events have no ids: the same type for the same object is one event. */
export const revolut: Provider = {
  id: 'revolut',
  name: 'Revolut',
  subject:
    '{{ payload.merchant_order_ext_ref | default: payload.order_id | default: payload.dispute_id | default: payload.payout_id | default: payload.data.reference | default: payload.data.id }}',
  category: 'payments',
  verify: hmac({
    header: ['Revolut-Signature'],
    list_separator: ',',
    key_value_separator: '=',
    keys: ['v1'],
    signed: 'v1.{ts}.{raw_body}',
    timestamp: { header: ['Revolut-Request-Timestamp'], unit: 'ms', tolerance: FIVE_MINUTES },
  }),
  event_type: ['body:event'],
  dedupe: [
    ['body:event', 'body:order_id'],
    ['body:event', 'body:dispute_id'],
    ['body:event', 'body:payout_id'],
    ['body:event', 'body:data.id', 'body:data.new_state'],
    ['body:event', 'body:data.id'],
  ],
};
