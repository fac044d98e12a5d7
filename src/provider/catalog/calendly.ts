import type { Provider } from '../provider.ts';
import { timedHmac } from '../schemes.ts';

/** The three minutes of Calendly's own sample code, in milliseconds. */
const TOLERANCE = 180_000;

/**
 * Calendly's webhooks of API v2. An invitee has the same URI when it is created and when it is cancelled, so the event
 * and its time count, too.
 */
export const calendly: Provider = {
  id: 'calendly',
  name: 'Calendly',
  subject: '{{ payload.payload.scheduled_event.name }} {{ payload.payload.name }}',
  category: 'forms',
  verify: timedHmac('Calendly-Webhook-Signature', TOLERANCE),
  event_type: ['body:event'],
  dedupe: [['body:event', 'body:payload.uri', 'body:created_at']],
};
