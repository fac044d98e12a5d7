import { MINUTE } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Linear. The signed body contains the time of sending. */
export const linear: Provider = {
  id: 'linear',
  name: 'Linear',
  subject:
    '{{ payload.data.identifier | default: payload.data.issue.identifier }} {{ payload.data.title | default: payload.data.issue.title }}',
  category: 'devops',
  verify: hmac({
    header: ['Linear-Signature'],
    timestamp: { body: 'webhookTimestamp', unit: 'ms', tolerance: 60_000 },
  }),
  event_type: [['body:type', 'body:action'], 'body:type'],
  dedupe: ['header:Linear-Delivery'],
  // As long as the time in the body is accepted.
  signed_body: { window: 2 * MINUTE, changing: [[{ at: 'body:webhookTimestamp' }]] },
  answers: [{ status: 200 }],
};
