import { jsonSample, type Provider } from './provider.ts';

/** Everything that signs by Standard Webhooks, and Svix, whose bytes are the same under `svix-*` headers. */
export const standardWebhooks: Provider = {
  id: 'standard-webhooks',
  name: 'Standard Webhooks',
  category: 'other',
  docs_url: 'https://www.standardwebhooks.com',
  verify: {
    scheme: 'hmac',
    header: ['webhook-signature', 'svix-signature'],
    algorithm: 'sha256',
    encoding: 'base64',
    list_separator: ' ',
    key_value_separator: ',',
    // `v1a` is Ed25519; other versions are for later.
    keys: ['v1'],
    // The id that is signed is the id that dedupe finds: both look at the same names in the same order.
    signed: '{header:webhook-id,svix-id}.{ts}.{raw_body}',
    secret_encoding: 'base64',
    strip_secret_prefixes: ['whsec_'],
    timestamp: { header: ['webhook-timestamp', 'svix-timestamp'], unit: 's', tolerance: 300_000 },
  },
  event_type: ['body:type'],
  dedupe: ['header:webhook-id', 'header:svix-id'],
  samples: [
    jsonSample(
      'user.created',
      {
        type: 'user.created',
        timestamp: '2026-01-05T08:30:00.000Z',
        data: { id: 'usr_1042', name: 'Ada Lovelace', email: 'ada@example.com', phone: '+491713920001' },
      },
      { 'webhook-id': 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W', 'webhook-timestamp': '1767601800' },
    ),
  ],
  routes: [
    {
      name: 'user-created',
      when: 'event.type == "user.created"',
      to: '{{ payload.data.phone }}',
      send: { kind: 'text', message: 'Welcome, {{ payload.data.name | default: "friend" | plain }}!' },
    },
  ],
};
