import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Mollie's webhooks from its dashboard. While a secret is rotated, a request has several signatures. */
export const mollieNextGen: Provider = {
  id: 'mollie-next-gen',
  name: 'Mollie (dashboard webhooks)',
  subject:
    '{{ payload._embedded.entity.description | default: payload._embedded.entity.id | default: payload.type }} {{ payload._embedded.entity.amount.value | money_major: payload._embedded.entity.amount.currency }}',
  category: 'payments',
  verify: hmac({
    header: ['X-Mollie-Signature'],
    // A header that occurs several times is joined with commas.
    list_separator: ',',
    prefix: 'sha256=',
    prefix_optional: true,
  }),
  event_type: ['body:type'],
  dedupe: ['body:id'],
};
