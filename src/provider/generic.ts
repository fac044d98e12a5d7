import { jsonSample, type Provider } from './provider.ts';

/** Anything else that posts a form or JSON. */
export const generic: Provider = {
  id: 'generic',
  name: 'Anything that posts a webhook',
  category: 'other',
  verify: null,
  event_type: ['body:type', 'body:event'],
  dedupe: [],
  samples: [
    {
      name: 'contact form',
      content_type: 'application/x-www-form-urlencoded',
      headers: {},
      body: 'type=contact&name=Ada+Lovelace&phone=%2B49+171+3920001&message=Do+you+deliver+to+Berlin%3F',
    },
    jsonSample('JSON event', {
      event: 'order.shipped',
      order: 1042,
      name: 'Ada Lovelace',
      phone: '+491713920001',
      tracking_url: 'https://track.example.com/1042',
    }),
  ],
  routes: [
    {
      name: 'form-received',
      when: 'event.type == "contact"',
      to: '{{ payload.phone }}',
      send: {
        kind: 'text',
        message: 'Thanks {{ payload.name | default: "you" | plain }}, we got your message.',
      },
    },
    {
      name: 'shipped',
      when: 'event.type == "order.shipped"',
      to: '{{ payload.phone }}',
      send: {
        kind: 'text',
        message: 'Your order {{ payload.order }} is on its way: {{ payload.tracking_url }}',
      },
    },
  ],
};
