import type { Provider } from '../provider.ts';
import { FIVE_MINUTES, hmac } from '../schemes.ts';

/** Zoom's meetings, recordings and phone. Zoom validates the address again every three days. */
export const zoom: Provider = {
  id: 'zoom',
  name: 'Zoom',
  subject:
    '{{ payload.payload.object.topic | default: payload.payload.object.caller_name | default: payload.payload.object.callee_name | default: payload.payload.object.host_email }}',
  category: 'messaging',
  verify: hmac({
    header: ['x-zm-signature'],
    prefix: 'v0=',
    signed: 'v0:{ts}:{raw_body}',
    timestamp: { header: ['x-zm-request-timestamp'], unit: 's', tolerance: FIVE_MINUTES },
  }),
  event_type: ['body:event'],
  // At the end of a meeting, all participants leave in the same millisecond.
  dedupe: [
    ['body:event', 'body:event_ts', 'body:payload.object.uuid', 'body:payload.object.participant.user_id'],
    ['body:event', 'body:event_ts', 'body:payload.object.uuid'],
    ['body:event', 'body:event_ts', 'body:payload.object.call_id'],
    ['body:event', 'body:event_ts', 'body:payload.object.id'],
  ],
  handshakes: [
    {
      match: { method: 'POST', where: [{ at: 'body:event', equals: 'endpoint.url_validation' }] },
      proof: { by: 'signature' },
      respond: {
        status: 200,
        body: {
          json: {
            plainToken: { echo: 'body:payload.plainToken' },
            encryptedToken: { hmac: 'body:payload.plainToken', encoding: 'hex' },
          },
        },
      },
    },
  ],
  answers: [{ status: 200 }],
};
