import type { Provider } from '../provider.ts';
import { FIVE_MINUTES } from '../schemes.ts';

/** monday.com. Only the webhooks of apps bring a token, and it does not cover the body. */
export const monday: Provider = {
  id: 'monday',
  name: 'monday.com',
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
    tolerance: FIVE_MINUTES,
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
