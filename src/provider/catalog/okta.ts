import type { Provider } from '../provider.ts';
import { bearerToken } from '../schemes.ts';

/** Okta's event hooks. A hook may use another header; the source then needs its own `verify`. */
export const okta: Provider = {
  id: 'okta',
  name: 'Okta event hooks',
  subject:
    '{{ payload.data.events[0].displayMessage }} {{ payload.data.events[0].target[0].displayName | default: payload.data.events[0].actor.displayName }}{% if payload.data.events.size > 1 %} +{{ payload.data.events.size | minus: 1 }}{% endif %}',
  category: 'other',
  verify: bearerToken,
  event_type: ['body:data.events.0.eventType'],
  dedupe: ['body:eventId'],
  items: { at: 'data.events', id: ['body:uuid'] },
  handshakes: [
    {
      match: { method: 'GET', where: [{ at: 'header:x-okta-verification-challenge' }] },
      proof: { by: 'nothing' },
      respond: {
        status: 200,
        body: { json: { verification: { echo: 'header:x-okta-verification-challenge' } } },
      },
    },
  ],
  answers: [{ status: 204 }],
};
