import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Square. It signs the address exactly as the subscription has it. The key is text, though it looks like base64. */
export const square: Provider = {
  id: 'square',
  name: 'Square',
  subject:
    '{% assign one = payload.data.object.payment | default: payload.data.object.refund | default: payload.data.object.dispute | default: payload.data.object.invoice | default: payload.data.object.payout %}{% assign sum = one.total_money | default: one.amount_money | default: one.payment_requests[0].computed_amount_money %}{{ one.invoice_number | default: one.receipt_number | default: payload.data.id }} {% if sum %}{{ sum.amount | money: sum.currency }}{% endif %}',
  category: 'commerce',
  verify: hmac({
    header: ['x-square-hmacsha256-signature'],
    encoding: 'base64',
    signed: '{url}{raw_body}',
  }),
  event_type: ['body:type'],
  dedupe: ['body:event_id'],
};
