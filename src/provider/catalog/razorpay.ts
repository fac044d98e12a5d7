import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Razorpay. The event's id is only in a header. */
export const razorpay: Provider = {
  id: 'razorpay',
  name: 'Razorpay',
  subject:
    '{% assign one = payload.payload.payment.entity | default: payload.payload.refund.entity %}{{ one.description | default: one.id }} {{ one.amount | money: one.currency }} {% unless one.email contains "@razorpay.com" %}{{ one.email }}{% endunless %}',
  category: 'payments',
  verify: hmac({ header: ['X-Razorpay-Signature'] }),
  event_type: ['body:event'],
  dedupe: ['header:x-razorpay-event-id'],
  signed_body: { window: DAY, changing: [[{ at: 'body:created_at' }]] },
};
