import type { SecretName } from './canary-values.ts';

const text = (message: string): object => ({ kind: 'text', message });

const TO_PHONE = {
  name: 'all',
  to: '{{ payload.phone }}',
  send: text('{{ payload.text }}'),
};

/** A source of the generic provider that sends each payload's `text` to its `phone`. */
const source = (secrets: readonly SecretName[], verify: object, more: object = {}): object => ({
  verify,
  secrets,
  dedupe: { key: '{{ payload.id }}' },
  routes: [TO_PHONE],
  ...more,
});

const HMAC = { scheme: 'hmac', header: 'X-Signature' };
const TIMED = { ...HMAC, signed: '{ts}.{raw_body}', timestamp: { header: 'X-Time' } };
const token = (more: object): object => ({ scheme: 'token', ...more });

/** As much as a moment allows: what is looked at here is not the pace. */
const ACCOUNT = { rate: false, per_recipient: false, timeout: '400ms', retry: ['100ms', '100ms'] };

/** Every kind of scheme, each with a secret of its own; `noticeUrl` is where owners are notified. */
export const canaryConfig = (noticeUrl: string): object => ({
  sources: {
    orders: source(['ORDERS_HMAC'], HMAC),
    leads: source(['LEADS_HMAC'], TIMED, { account: 'sales' }),
    odd: source(['ODD_HMAC'], HMAC, { account: 'odd' }),
    quiet: source(['QUIET_HMAC'], HMAC, { store: 'metadata' }),
    'by-hash': source(['HASH_SECRET'], {
      scheme: 'hash',
      header: 'X-Hash',
      signed: '{secret}{raw_body}',
    }),
    'by-header': source(['HEADER_TOKEN'], token({ in: 'header', name: 'X-Token' })),
    'by-bearer': source(['BEARER_TOKEN'], token({ in: 'header', name: 'Authorization', prefix: 'Bearer ' })),
    'by-query': source(['QUERY_TOKEN'], token({ in: 'query', name: 'k' })),
    'by-path': source(['PATH_TOKEN'], token({ in: 'path' })),
    'by-body': source(['BODY_TOKEN'], token({ in: 'body', name: 'auth.code' })),
    'by-form': source(['FORM_TOKEN'], token({ in: 'body', name: 'code' })),
    'by-basic': source(['BASIC_LOGIN'], { scheme: 'basic' }),
    'by-jwt': source(['JWT_SECRET'], {
      scheme: 'jwt',
      header: 'Authorization',
      prefix: 'Bearer ',
      unsigned_body: true,
    }),
    'by-either': source(['SPLIT_SECRETS'], {
      scheme: 'any',
      of: [{ ...HMAC, secret_separator: '|' }, token({ in: 'header', name: 'X-Either' })],
    }),
    standard: { provider: 'standard-webhooks', secrets: ['STANDARD_SECRET'], routes: [TO_PHONE] },
    broken: { provider: 'standard-webhooks', secrets: ['BROKEN_SECRET'], routes: [TO_PHONE] },
    slack: { provider: 'slack', secrets: ['SLACK_SECRET'], routes: [TO_PHONE] },
    meta: {
      provider: 'meta-whatsapp',
      secrets: ['META_APP_SECRET'],
      handshake: { secret: 'META_VERIFY_TOKEN' },
      routes: [TO_PHONE],
    },
    tasks: { provider: 'asana' },
  },
  templates: { greeting: text('Hello {{ payload.name }}') },
  recipients: { office: { numbers: ['4915187654321'] } },
  accounts: {
    default: {
      ...ACCOUNT,
      circuit: { failures: 1_000 },
      permanent_errors: ['never$'],
      notify: { url: `${noticeUrl}/default/{secret}`, secret: 'NOTIFY_PATH' },
    },
    sales: {
      ...ACCOUNT,
      circuit: { failures: 2, probe: '200ms' },
      notify: { url: `${noticeUrl}/sales?key={secret}`, secret: 'NOTIFY_PATH', format: 'slack' },
    },
    odd: { ...ACCOUNT, circuit: { failures: 1_000 } },
  },
});
