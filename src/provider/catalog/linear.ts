import { MINUTE } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Linear. The time of sending is in the signed body. */
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
  // For as long as the time in the body is taken.
  signed_body: { window: 2 * MINUTE },
  answers: [{ status: 200 }],
};
