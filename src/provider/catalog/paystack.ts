import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Paystack. The secret is the secret key of the API. Events have no ids. */
export const paystack: Provider = {
  id: 'paystack',
  name: 'Paystack',
  subject:
    '{{ payload.data.reference | default: payload.data.transaction_reference | default: payload.data.invoice_code | default: payload.data.transaction.reference }} {% assign sum = payload.data.amount | default: payload.data.refund_amount %}{% if payload.data.currency %}{{ sum | money: payload.data.currency }}{% endif %} {{ payload.data.customer.email }}',
  category: 'payments',
  verify: hmac({ header: ['x-paystack-signature'], algorithm: 'sha512' }),
  event_type: ['body:event'],
  dedupe: [
    ['body:event', 'body:data.id'],
    ['body:event', 'body:data.reference'],
    ['body:event', 'body:data.refund_reference'],
    ['body:event', 'body:data.invoice_code'],
  ],
  answers: [{ status: 200 }],
  exponents: { XOF: 2 },
};
