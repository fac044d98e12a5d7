import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Adyen's webhooks of the Balance Platform and the Management API. */
export const adyenPlatform: Provider = {
  id: 'adyen-platform',
  name: 'Adyen (Management / Balance Platform webhooks)',
  subject:
    '{{ payload.data.reference | default: payload.data.id }} {{ payload.data.amount.value | money: payload.data.amount.currency }}',
  category: 'payments',
  verify: hmac({ header: ['HmacSignature'], encoding: 'base64', secret_encoding: 'hex' }),
  event_type: ['body:type'],
  // Management webhooks have `createdAt`, and their id is not unique without it.
  dedupe: [
    ['body:type', 'body:data.id', 'body:timestamp'],
    ['body:type', 'body:data.id', 'body:data.creationDate'],
    ['body:type', 'body:data.id', 'body:createdAt'],
  ],
  exponents: { CLP: 2, CVE: 0, IDR: 0, ISK: 2 },
};
