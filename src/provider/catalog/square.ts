import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Square. The address is signed exactly as the subscription has it; the key is text, though it looks like base64. */
export const square: Provider = {
  id: 'square',
  name: 'Square',
  category: 'commerce',
  verify: hmac({
    header: ['x-square-hmacsha256-signature'],
    encoding: 'base64',
    signed: '{url}{raw_body}',
  }),
  event_type: ['body:type'],
  dedupe: ['body:event_id'],
};
