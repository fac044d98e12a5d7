import type { Provider } from '../provider.ts';
import { timedHmac } from '../schemes.ts';

/**
 * Stripe's events of API v1. Unlike in Standard Webhooks, `whsec_` is a part of the key, and the key is not decoded.
 */
export const stripe: Provider = {
  id: 'stripe',
  name: 'Stripe',
  subject:
    '{% assign one = payload.data.object %}{{ one.number | default: one.client_reference_id | default: one.metadata.order }} {{ one.customer_details.name | default: one.customer_name | default: one.billing_details.name | default: one.customer_details.email | default: one.customer_email | default: one.receipt_email }} {% assign sum = one.amount_total | default: one.amount_paid | default: one.amount_due | default: one.amount %}{% if sum %}{{ sum | money: one.currency }}{% elsif one.object == "subscription" %}{{ one.id }}{% endif %}',
  category: 'payments',
  verify: timedHmac('Stripe-Signature'),
  event_type: ['body:type'],
  // An invoice has its first ten lines.
  left_out: { list: 'data.object.lines.data', total: 'data.object.lines.total_count' },
  dedupe: ['body:id'],
  exponents: { ISK: 2, MGA: 0, UGX: 2 },
};
