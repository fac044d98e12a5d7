import type { Provider } from '../provider.ts';

/** SendGrid's event webhook: a list of events of any types. */
export const sendgrid: Provider = {
  id: 'sendgrid',
  name: 'SendGrid event webhook',
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
      // It goes on trying for a day, and nothing says that it signs anew; the ids of the events are signed.
      tolerance: 86_400_000,
    },
  },
  // Of the first: a list has no type of its own.
  event_type: ['body:0.event'],
  dedupe: [],
  items: { at: '', id: ['body:sg_event_id'] },
};
