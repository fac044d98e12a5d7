import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Xero. It names the changed object only by its id, and accepts no answer with a body. */
export const xero: Provider = {
  id: 'xero',
  name: 'Xero',
  subject:
    '{{ payload.events[0].eventCategory }} {{ payload.events[0].resourceId }}{% if payload.events.size > 1 %} +{{ payload.events.size | minus: 1 }}{% endif %}',
  category: 'payments',
  verify: hmac({ header: ['x-xero-signature'], encoding: 'base64' }),
  event_type: [['body:events.0.eventCategory', 'body:events.0.eventType']],
  dedupe: [],
  items: { at: 'events', id: [['body:resourceId', 'body:eventType', 'body:eventDateUtc']] },
  handshakes: [
    {
      // "Intent to receive": an empty list, sometimes signed correctly and sometimes not.
      match: { method: 'POST', where: [{ at: 'body:entropy' }, { at: 'body:events.0', absent: true }] },
      proof: { by: 'signature' },
      respond: { status: 200 },
    },
  ],
  answers: [{ status: 200, body: '' }],
  bare_refusals: true,
};
