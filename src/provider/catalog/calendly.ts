import type { Provider } from '../provider.ts';
import { timedHmac } from '../schemes.ts';

/** The three minutes of Calendly's own sample code, in milliseconds. */
const TOLERANCE = 180_000;

/**
 * Calendly, webhooks of API v2. An invitee is created and cancelled under one URI, so the event and its time count too.
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
