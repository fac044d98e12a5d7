import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Twilio's messages and calls. A form is signed field by field. JSON is signed by its hash in the address. */
export const twilio: Provider = {
  id: 'twilio',
  name: 'Twilio',
  subject: '{{ payload.ProfileName | default: payload.From }} {{ payload.Body }}',
  category: 'messaging',
  verify: hmac({
    header: ['X-Twilio-Signature'],
    algorithm: 'sha1',
    encoding: 'base64',
    signed: '{url}{form_sorted}',
    url_form: 'any_port',
    // Names and values are signed without separators.
    signed_once: true,
    body_hash_query: 'bodySHA256',
  }),
  event_type: ['body:MessageStatus', 'body:SmsStatus', 'body:CallStatus', 'body:RecordingStatus'],
  // The token is not signed, so it comes last. The steps of a call need it, since they have no number.
  dedupe: [
    ['body:MessageSid', 'body:MessageStatus'],
    ['body:MessageSid', 'body:SmsStatus'],
    ['body:RecordingSid', 'body:RecordingStatus'],
    ['body:CallSid', 'body:CallStatus', 'body:SequenceNumber'],
    'header:I-Twilio-Idempotency-Token',
  ],
  chat_ids: ['WaId'],
  answers: [{ status: 200, body: '<Response/>', content_type: 'text/xml' }],
};
