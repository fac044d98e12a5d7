import { jsonSample, type Provider } from './provider.ts';

/** Shopify. The secret is the app's client secret: one for all of an app's webhooks. */
export const shopify: Provider = {
  id: 'shopify',
  name: 'Shopify',
  category: 'commerce',
  docs_url: 'https://shopify.dev/docs/apps/build/webhooks',
  verify: {
    scheme: 'hmac',
    header: ['X-Shopify-Hmac-Sha256'],
    algorithm: 'sha256',
    encoding: 'base64',
    signed: '{raw_body}',
    secret_encoding: 'utf8',
  },
  event_type: ['header:X-Shopify-Topic'],
  dedupe: ['header:X-Shopify-Webhook-Id'],
  samples: [
    jsonSample(
      'orders/create',
      {
        id: 820982911946154500,
        admin_graphql_api_id: 'gid://shopify/Order/820982911946154508',
        name: '#1042',
        order_number: 1042,
        created_at: '2026-01-05T09:30:00+01:00',
        currency: 'EUR',
        email: 'ada@example.com',
        phone: '+491713920001',
        financial_status: 'paid',
        subtotal_price: '44.90',
        total_price: '49.00',
        order_status_url: 'https://shop.example.com/orders/1042',
        customer: { id: 115310627314723950, first_name: 'Ada', last_name: 'Lovelace', phone: null },
        shipping_address: { name: 'Ada Lovelace', city: 'Berlin', country_code: 'DE', phone: '0171 3920001' },
        line_items: [{ id: 866550311766439000, title: 'Tea cup', quantity: 2, price: '22.45', sku: 'CUP-2' }],
      },
      {
        'X-Shopify-Topic': 'orders/create',
        'X-Shopify-Webhook-Id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
        'X-Shopify-Shop-Domain': 'example.myshopify.com',
        'X-Shopify-API-Version': '2026-01',
      },
    ),
  ],
  routes: [
    {
      name: 'order-created',
      when: 'event.type == "orders/create"',
      to: '{{ payload.phone | default: payload.shipping_address.phone | default: payload.customer.phone }}',
      send: {
        kind: 'text',
        message:
          'Thanks {{ payload.customer.first_name | default: "you" | plain }}! Your order {{ payload.name | bold }} over {{ payload.total_price | money_major: payload.currency }} is on its way to us.\n{{ payload.order_status_url }}',
      },
    },
  ],
};
