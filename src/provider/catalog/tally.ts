import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Tally. It does not sign until a signing secret is set there. */
export const tally: Provider = {
  id: 'tally',
  name: 'Tally',
  subject: '{{ payload.data.formName }} {{ payload.data.fields[0].value }}',
  category: 'forms',
  verify: hmac({ header: ['Tally-Signature'], encoding: 'base64' }),
  event_type: ['body:eventType'],
  dedupe: ['body:eventId', 'body:data.responseId'],
};
