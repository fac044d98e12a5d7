import type { Provider } from '../provider.ts';
import { bearerToken } from '../schemes.ts';

/**
 * Brevo's mails, of transactions and of campaigns. Requests are not signed, and `id` is that of the webhook, not of the
 * event.
 */
export const brevo: Provider = {
  id: 'brevo',
  name: 'Brevo',
  subject: '{{ payload.email }} {{ payload.subject | default: payload["campaign name"] }}',
  category: 'email',
  verify: bearerToken,
  event_type: ['body:event'],
  dedupe: [
    ['body:event', 'body:email', 'body:message-id', 'body:ts_event'],
    ['body:event', 'body:email', 'body:ts_event'],
  ],
  answers: [{ status: 200 }],
};
