import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

// Mailgun retries for 8 hours, and no document says that it signs again. The token makes such a long time safe.
const DAY = 86_400_000;

/** Mailgun signs a time and a token, but nothing of the event. A copy is refused because each token counts once. */
const signedFields = (prefix: '' | 'signature.') =>
  hmac({
    field: `${prefix}signature`,
    signed: `{body:${prefix}timestamp}{body:${prefix}token}`,
    signed_once: true,
    timestamp: { body: `${prefix}timestamp`, unit: 's', tolerance: DAY },
  });

/** Mailgun: webhooks in JSON; routes and older webhooks as forms. */
export const mailgun: Provider = {
  id: 'mailgun',
  name: 'Mailgun',
  subject:
    '{{ payload.event-data.recipient | default: payload.recipient }} {{ payload.event-data.message.headers.subject | default: payload.subject }}',
  category: 'email',
  verify: { scheme: 'any', of: [signedFields('signature.'), signedFields('')] },
  event_type: ['body:event-data.event', 'body:event'],
  dedupe: ['body:signature.token', 'body:token'],
  answers: [{ status: 200 }],
};
