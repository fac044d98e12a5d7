import type { Provider } from '../provider.ts';

/** SendGrid's event webhook: a list of events of mixed types. */
export const sendgrid: Provider = {
  id: 'sendgrid',
  name: 'SendGrid event webhook',
  subject:
    '{{ payload[0].email }} {{ payload[0].event }}{% if payload.size > 1 %} +{{ payload.size | minus: 1 }}{% endif %}',
  category: 'email',
  verify: {
    scheme: 'ecdsa',
    encoding: 'base64',
    signature_format: 'der',
    header: ['X-Twilio-Email-Event-Webhook-Signature'],
    signed: '{ts}{raw_body}',
    timestamp: {
      header: ['X-Twilio-Email-Event-Webhook-Timestamp'],
      unit: 's',
      // It retries for a day, and no document says that it signs again. The ids of the events are signed.
      tolerance: 86_400_000,
    },
  },
  // The first event's type, since a list has none.
  event_type: ['body:0.event'],
  dedupe: [],
  items: { at: '', id: ['body:sg_event_id'] },
};
