import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/**
 * Sendcloud. A parcel can have the same status several times. The times of its carrier and of Sendcloud distinguish
 * them.
 */
export const sendcloud: Provider = {
  id: 'sendcloud',
  name: 'Sendcloud',
  subject: '{{ payload.parcel.order_number }} {{ payload.parcel.name }} {{ payload.parcel.status.message }}',
  category: 'commerce',
  verify: hmac({ header: ['Sendcloud-Signature'] }),
  event_type: ['body:action'],
  dedupe: [
    ['body:action', 'body:parcel.id', 'body:parcel.status.id', 'body:timestamp'],
    ['body:action', 'body:timestamp'],
  ],
};
