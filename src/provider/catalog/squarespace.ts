import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Squarespace. Its notifications say which order, and nothing of what is in it. */
export const squarespace: Provider = {
  id: 'squarespace',
  name: 'Squarespace',
  subject: '{{ payload.data.orderId }}',
  category: 'commerce',
  verify: hmac({ header: ['Squarespace-Signature'], secret_encoding: 'hex' }),
  event_type: ['body:topic'],
  dedupe: ['body:id'],
};
