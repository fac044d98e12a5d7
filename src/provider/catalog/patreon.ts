import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Patreon, which signs with MD5 and nothing else. */
export const patreon: Provider = {
  id: 'patreon',
  name: 'Patreon',
  subject: '{{ payload.data.attributes.full_name }}',
  category: 'payments',
  verify: hmac({ header: ['X-Patreon-Signature'], algorithm: 'md5' }),
  event_type: ['header:X-Patreon-Event'],
  // Its events have no ids, and a member who pledges, leaves and pledges again has the same values.
  dedupe: [],
};
