import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/**
 * Acuity Scheduling. Its forms name the appointment, but have none of its details. No event has an id: an appointment
 * that is moved twice posts the same form twice.
 */
export const acuity: Provider = {
  id: 'acuity',
  name: 'Acuity Scheduling',
  subject: '{{ payload.id | default: payload.data.id }}',
  category: 'forms',
  verify: hmac({ header: ['X-Acuity-Signature'], encoding: 'base64' }),
  event_type: ['body:action'],
  dedupe: [],
};
