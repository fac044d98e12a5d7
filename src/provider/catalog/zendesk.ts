import type { Provider } from '../provider.ts';
import { FIVE_MINUTES, hmac } from '../schemes.ts';

/** Zendesk: its own events, and the body that an admin has written for a trigger's webhook. */
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
  // In a trigger's body `id` may be that of the ticket. Only Zendesk's own events have a version.
  dedupe: [['body:zendesk_event_version', 'body:id'], 'header:X-Zendesk-Webhook-Invocation-Id'],
};
