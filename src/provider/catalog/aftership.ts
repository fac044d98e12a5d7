import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** AfterShip Tracking. */
export const aftership: Provider = {
  id: 'aftership',
  name: 'AfterShip',
  subject: '{{ payload.msg.order_number | default: payload.msg.title }} {{ payload.msg.tracking_number }}',
  category: 'commerce',
  verify: hmac({ header: ['aftership-hmac-sha256'], encoding: 'base64' }),
  event_type: ['body:event'],
  dedupe: ['body:event_id'],
};
