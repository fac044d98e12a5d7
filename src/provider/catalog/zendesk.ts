import type { Provider } from '../provider.ts';
import { FIVE_MINUTES, hmac } from '../schemes.ts';

/** Zendesk: its own events, and whatever body an admin gave the webhook of a trigger. */
export const zendesk: Provider = {
  id: 'zendesk',
  name: 'Zendesk',
  subject: '#{{ payload.detail.id }} {{ payload.detail.subject }}',
  category: 'crm',
  verify: hmac({
    header: ['X-Zendesk-Webhook-Signature'],
    encoding: 'base64',
    signed: '{ts}{raw_body}',
    timestamp: {
      header: ['X-Zendesk-Webhook-Signature-Timestamp'],
      unit: 'iso8601',
      tolerance: FIVE_MINUTES,
    },
  }),
  event_type: ['body:type'],
  // In a trigger's body `id` may be the ticket's, not an event's: only Zendesk's own events have a version.
  dedupe: [['body:zendesk_event_version', 'body:id'], 'header:X-Zendesk-Webhook-Invocation-Id'],
};
