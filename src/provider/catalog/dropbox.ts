import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/**
 * Dropbox. A ping names the accounts with changes, but not the changes. Pings of different changes look the same, so
 * none is a duplicate.
 */
export const dropbox: Provider = {
  id: 'dropbox',
  name: 'Dropbox',
  category: 'devops',
  verify: hmac({ header: ['X-Dropbox-Signature'] }),
  event_type: [],
  dedupe: [],
  handshakes: [
    {
      match: { method: 'GET', where: [{ at: 'query:challenge' }] },
      proof: { by: 'nothing' },
      respond: { status: 200, body: { text: { echo: 'query:challenge' } } },
    },
  ],
  answers: [{ status: 200 }],
};
