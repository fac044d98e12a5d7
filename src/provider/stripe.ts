import { jsonSample, type Provider } from './provider.ts';

/** Stripe (events of API v1): `t=…,v1=…`, signed with the whole `whsec_…` text. */
export const stripe: Provider = {
  id: 'stripe',
  name: 'Stripe',
  category: 'payments',
  docs_url: 'https://docs.stripe.com/webhooks',
  verify: {
    scheme: 'hmac',
    header: ['Stripe-Signature'],
    algorithm: 'sha256',
    encoding: 'hex',
    list_separator: ',',
    key_value_separator: '=',
    // Nothing else proves anything, `v0` least of all.
    keys: ['v1'],
    signed: '{ts}.{raw_body}',
    // Unlike Standard Webhooks, `whsec_` is a part of the key and nothing is decoded.
    secret_encoding: 'utf8',
    timestamp: { signature_param: 't', unit: 's', tolerance: 300_000 },
  },
  event_type: ['body:type'],
  dedupe: ['body:id'],
  samples: [
    jsonSample('checkout.session.completed', {
      id: 'evt_1PqXb2LkdIwHu7ixVnT4oRzK',
      object: 'event',
      api_version: '2025-03-31.basil',
      created: 1767168000,
      type: 'checkout.session.completed',
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: {
        object: {
          id: 'cs_test_a1Gv7mQ2tY9sKc4LwXo0ZbNe',
          object: 'checkout.session',
          amount_subtotal: 4900,
          amount_total: 4900,
          currency: 'eur',
          customer: 'cus_QhT2mVd8sYx1Lk',
          customer_details: {
            name: 'Ada Lovelace',
            email: 'ada@example.com',
            phone: '+491713920001',
            address: { city: 'Berlin', country: 'DE', line1: 'Beispielweg 1', postal_code: '10115' },
          },
          mode: 'payment',
          payment_intent: 'pi_3PqXb1LkdIwHu7ix0aBcDeFg',
          payment_status: 'paid',
          status: 'complete',
          metadata: { order: '1042' },
        },
      },
    }),
    jsonSample('invoice.payment_failed', {
      id: 'evt_1PqXc9LkdIwHu7ixQm2sWtYu',
      object: 'event',
      api_version: '2025-03-31.basil',
      created: 1767168060,
      type: 'invoice.payment_failed',
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: {
        object: {
          id: 'in_1PqXc8LkdIwHu7ixKj3hGfDs',
          object: 'invoice',
          amount_due: 1900,
          amount_paid: 0,
          attempt_count: 1,
          currency: 'eur',
          customer: 'cus_QhT2mVd8sYx1Lk',
          customer_email: 'ada@example.com',
          customer_name: 'Ada Lovelace',
          customer_phone: '+491713920001',
          hosted_invoice_url: 'https://invoice.stripe.com/i/acct_test/test_example',
          number: 'A1B2C3D4-0007',
          status: 'open',
        },
      },
    }),
  ],
  routes: [
    {
      name: 'paid',
      when: 'event.type == "checkout.session.completed" and payload.data.object.payment_status == "paid"',
      to: '{{ payload.data.object.customer_details.phone }}',
      send: {
        kind: 'text',
        message:
          'Thanks {{ payload.data.object.customer_details.name | default: "you" | plain }}! We got {{ payload.data.object.amount_total | money: payload.data.object.currency | bold }}.',
      },
    },
    {
      name: 'payment-failed',
      when: 'event.type == "invoice.payment_failed"',
      to: '{{ payload.data.object.customer_phone }}',
      send: {
        kind: 'text',
        message:
          'Your payment of {{ payload.data.object.amount_due | money: payload.data.object.currency }} did not go through. Please try again: {{ payload.data.object.hosted_invoice_url }}',
      },
    },
  ],
};
