import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Cal.com. Without a secret it sends `no-secret-provided` as the signature, which is not hex and so never passes. */
export const calcom: Provider = {
  id: 'calcom',
  name: 'Cal.com',
  subject:
    '{{ payload.payload.eventTitle | default: payload.payload.type }} {{ payload.payload.attendees[0].name | default: payload.payload.responses.name.value }}',
  category: 'forms',
  verify: hmac({ header: ['X-Cal-Signature-256'] }),
  event_type: ['body:triggerEvent'],
  // A test names no booking.
  dedupe: [
    ['body:triggerEvent', 'body:payload.uid', 'body:createdAt'],
    ['body:triggerEvent', 'body:createdAt'],
  ],
};
