import type { Provider } from '../provider.ts';
import { timedHmac } from '../schemes.ts';

/** Stripe, events of API v1. Unlike Standard Webhooks, `whsec_` is a part of the key and nothing is decoded. */
export const stripe: Provider = {
  id: 'stripe',
  name: 'Stripe',
  category: 'payments',
  verify: timedHmac('Stripe-Signature'),
  event_type: ['body:type'],
  dedupe: ['body:id'],
  exponents: { ISK: 2, MGA: 0, UGX: 2 },
};
