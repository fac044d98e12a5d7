import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

const CHARGED = 'body:data.attributes.last_charge_date';
const MEMBER = ['header:X-Patreon-Event', 'body:data.id'] as const;
const AMOUNT = 'body:data.attributes.currently_entitled_amount_cents';

/**
 * Patreon, which signs with MD5 and nothing else. Its events have no ids. The same values for a member count as the
 * same event.
 */
export const patreon: Provider = {
  id: 'patreon',
  name: 'Patreon',
  subject: '{{ payload.data.attributes.full_name }}',
  category: 'payments',
  verify: hmac({ header: ['X-Patreon-Signature'], algorithm: 'md5' }),
  event_type: ['header:X-Patreon-Event'],
  dedupe: [[...MEMBER, AMOUNT, CHARGED], [...MEMBER, AMOUNT], MEMBER],
  signed_body: {
    window: DAY,
    types: ['create', 'update', 'delete'].flatMap((what) => [`members:${what}`, `members:pledge:${what}`]),
  },
};
