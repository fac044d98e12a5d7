import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Airtable. A ping says that something changed, but not what it is. Airtable accepts only an answer without a body. */
export const airtable: Provider = {
  id: 'airtable',
  name: 'Airtable',
  category: 'crm',
  verify: hmac({
    header: ['X-Airtable-Content-MAC'],
    prefix: 'hmac-sha256=',
    secret_encoding: 'base64',
  }),
  event_type: [],
  // Pings have no id.
  dedupe: [],
  // Their time distinguishes two changes. Without a time, the two would look the same.
  signed_body: { window: DAY, changing: [[{ at: 'body:timestamp' }]] },
  answers: [{ status: 200, body: '' }],
};
