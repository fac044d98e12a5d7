import type { Provider } from '../provider.ts';
import { FIVE_MINUTES, hmac } from '../schemes.ts';

/** Webflow. Webhooks from its dashboard are unsigned; webhooks from the API are signed. */
export const webflow: Provider = {
  id: 'webflow',
  name: 'Webflow',
  subject:
    '{{ payload.payload.orderId | default: payload.payload.name }} {{ payload.payload.customerInfo.fullName }} {{ payload.payload.customerPaid.string }}',
  category: 'forms',
  verify: hmac({
    header: ['x-webflow-signature'],
    signed: '{ts}:{raw_body}',
    timestamp: { header: ['x-webflow-timestamp'], unit: 'ms', tolerance: FIVE_MINUTES },
  }),
  event_type: ['body:triggerType'],
  // Only a submission happens once. Orders, pages and items change again and again under one id.
  dedupe: [
    ['body:payload.id', 'body:payload.submittedAt'],
    ['body:triggerType', 'body:payload.orderId', 'body:payload.status', 'header:x-webflow-timestamp'],
    ['body:triggerType', 'body:payload.id', 'header:x-webflow-timestamp'],
  ],
  answers: [{ status: 200 }],
};
