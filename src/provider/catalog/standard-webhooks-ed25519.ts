import type { Provider } from '../provider.ts';
import { FIVE_MINUTES } from '../schemes.ts';

/** Standard Webhooks signed with a key pair: the secret is the public key. */
export const standardWebhooksEd25519: Provider = {
  id: 'standard-webhooks-ed25519',
  name: 'Standard Webhooks (asymmetric)',
  subject:
    '{{ payload.data.id | default: payload.data.order }} {{ payload.data.customer.name | default: payload.data.name }}',
  category: 'other',
  verify: {
    scheme: 'ed25519',
    header: ['webhook-signature', 'svix-signature'],
    encoding: 'base64',
    list_separator: ' ',
    key_value_separator: ',',
    // `v1` in the same list is an HMAC.
    keys: ['v1a'],
    signed: '{header:webhook-id,svix-id}.{ts}.{raw_body}',
    secret_encoding: 'base64',
    strip_secret_prefixes: ['whpk_'],
    timestamp: { header: ['webhook-timestamp', 'svix-timestamp'], unit: 's', tolerance: FIVE_MINUTES },
  },
  event_type: ['body:type'],
  dedupe: ['header:webhook-id', 'header:svix-id'],
};
