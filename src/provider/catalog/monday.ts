import type { Provider } from '../provider.ts';

/** monday.com. Only webhooks of apps have a token. It does not cover the body, and has no id. */
export const monday: Provider = {
  id: 'monday',
  name: 'monday.com',
  subject:
    '{{ payload.event.pulseName }} {{ payload.event.columnTitle }} {{ payload.event.value.label.text }}',
  category: 'crm',
  verify: {
    scheme: 'jwt',
    header: ['Authorization'],
    prefix: 'Bearer ',
    prefix_optional: true,
    algorithm: 'HS256',
    audience: 'url',
    unsigned_body: true,
    require_exp: true,
    // Not its five minutes, but only the possible difference between clocks: in that time, anybody who sees a token can
    // post another body.
    tolerance: 60_000,
  },
  event_type: ['body:event.type'],
  dedupe: ['body:event.triggerUuid'],
  handshakes: [
    {
      match: {
        method: 'POST',
        where: [{ at: 'body:challenge' }, { at: 'body:event.type', absent: true }],
      },
      proof: { by: 'nothing' },
      respond: { status: 200, body: { json: { challenge: { echo: 'body:challenge' } } } },
    },
  ],
  answers: [{ status: 200 }],
};
