import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Squarespace. Its notifications name the order, but have none of its details. */
export const squarespace: Provider = {
  id: 'squarespace',
  name: 'Squarespace',
  subject: '{{ payload.data.orderId }}',
  category: 'commerce',
  verify: hmac({ header: ['Squarespace-Signature'], secret_encoding: 'hex' }),
  event_type: ['body:topic'],
  dedupe: ['body:id'],
};
