import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** WooCommerce. It tests the address with an unsigned request when a webhook is saved. */
export const woocommerce: Provider = {
  id: 'woocommerce',
  name: 'WooCommerce',
  subject:
    '#{{ payload.number }} {{ payload.billing.first_name }} {{ payload.billing.last_name }} {{ payload.total | money_major: payload.currency }}',
  category: 'commerce',
  verify: hmac({ header: ['X-WC-Webhook-Signature'], encoding: 'base64' }),
  event_type: ['header:X-WC-Webhook-Topic'],
  // The delivery's id is the same for a whole second, in which a shop may sell twice.
  dedupe: [
    ['header:X-WC-Webhook-Delivery-ID', 'body:id', 'body:status'],
    ['header:X-WC-Webhook-Delivery-ID', 'body:id'],
  ],
  signed_body: {
    window: DAY,
    // These are posted together, with the object's state at the time of posting.
    types: ['order', 'product', 'customer', 'coupon', 'subscription'].flatMap((of) =>
      ['created', 'updated', 'restored'].map((what) => `${of}.${what}`),
    ),
    // What has a state has the time of its last change. What is deleted has only its id, and may be restored.
    changing: [[{ at: 'body:id' }, { at: 'body:status' }]],
  },
  handshakes: [
    {
      match: {
        method: 'POST',
        where: [
          { at: 'body:webhook_id' },
          { at: 'header:X-WC-Webhook-Topic', absent: true },
          { at: 'header:X-WC-Webhook-Signature', absent: true },
        ],
      },
      proof: { by: 'nothing' },
      respond: { status: 200 },
    },
  ],
};
