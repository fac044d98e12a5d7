import { createHmac } from 'node:crypto';
import { utf8 } from './bytes.ts';
import { hmacSender, type HmacFacts, keyBytes, namedHash, renamed } from './hmac-sender.ts';
import { BASE64, HEX, POLAR, SUPABASE, TEXT, WHSEC } from './keys.ts';
import { headerOf, type Sender, type Webhook, withHeader } from './sender.ts';

/** Over the body and nothing else. */
const plain = (provider: string, header: string, facts: Omit<HmacFacts, 'header'> = {}): Sender =>
  hmacSender(provider, { header, ...facts });

/** `sha256=` and the signature: also tried with another hash, honestly named. */
const prefixed = (provider: string, header: string, facts: Omit<HmacFacts, 'header'> = {}): Sender =>
  plain(provider, header, {
    prefix: 'sha256=',
    otherAlgorithms: [
      namedHash(header, 'sha1', facts.encoding),
      namedHash(header, 'sha512', facts.encoding),
      renamed(header, 'sha256=', 'sha1=', 'malformed'),
    ],
    ...facts,
  });

/** `t=…,v1=…`, as Stripe writes it. */
const timed = (provider: string, header: string, late: number): Sender =>
  hmacSender(provider, {
    header,
    content: ({ draft, time }) => `${time}.${draft.body}`,
    write: (signatures, time) => [`t=${time}`, ...signatures.map((one) => `v1=${one}`)].join(),
    lists: true,
    time: { in: 'signature', name: 't', unit: 's', late },
    otherAlgorithms: ['v0=', 'v2=', '='].map((other) => renamed(header, 'v1=', other, 'unknown_key')),
  });

/** The headers of one family for those of the other, which a sample may have. */
function inFamily(draft: Webhook, family: 'webhook' | 'svix'): Webhook {
  const other = family === 'svix' ? 'webhook' : 'svix';
  const id = headerOf(draft, `${family}-id`) ?? headerOf(draft, `${other}-id`);
  const bare = withHeader(withHeader(draft, `${other}-id`, null), `${other}-timestamp`, null);
  return id === undefined ? bare : withHeader(bare, `${family}-id`, id);
}

/** Standard Webhooks with either family of headers. */
const standard = (provider: string, family: 'webhook' | 'svix', facts: Partial<HmacFacts> = {}): Sender => {
  const header = `${family}-signature`;
  return hmacSender(provider, {
    header,
    keys: WHSEC,
    decodeKey: (key) => keyBytes.base64(key.replace(/^(v1,)?(whsec_)?/, '')),
    encoding: 'base64',
    content: ({ draft, time }) => `${headerOf(draft, `${family}-id`)}.${time}.${draft.body}`,
    beside: { [`${family}-id`]: 'msg_2Lml7bxRGqPRHTJz4kOHmjQnlTf' },
    adapt: (draft) => inFamily(draft, family),
    write: (signatures) => signatures.map((one) => `v1,${one}`).join(' '),
    lists: true,
    time: { in: 'header', name: `${family}-timestamp`, unit: 's', late: 300 },
    covers: { headers: [`${family}-id`] },
    otherAlgorithms: ['v1a,', 'v2,'].map((other) => renamed(header, 'v1,', other, 'unknown_key')),
    ...facts,
  });
};

/** `v1=…` once for each key: all of them in one header, and other versions are passed over. */
const versioned = (provider: string, header: string, facts: Partial<HmacFacts> = {}): Sender =>
  hmacSender(provider, {
    header,
    write: (signatures) => signatures.map((one) => `v1=${one}`).join(),
    lists: true,
    otherAlgorithms: ['v0=', 'v2='].map((other) => renamed(header, 'v1=', other, 'unknown_key')),
    reasons: { doubled: null },
    ...facts,
  });

/** `v0=` and the signature of version, time and body. */
const v0 = (provider: string, header: string, time: string): Sender =>
  hmacSender(provider, {
    header,
    prefix: 'v0=',
    time: inHeader(time),
    content: ({ draft, time: moment }) => `v0:${moment}:${draft.body}`,
    otherAlgorithms: [renamed(header, 'v0=', 'v1=', 'malformed')],
  });

const inHeader = (name: string, unit: 's' | 'ms' | 'iso8601' = 's') =>
  ({ in: 'header', name, unit, late: 300 }) as const;

const BASE64_TEXT = { encoding: 'base64' } as const;
const BASE64_KEY = { keys: BASE64, decodeKey: keyBytes.base64 };
const HEX_KEY = { keys: HEX, decodeKey: keyBytes.hex };

const standards: readonly Sender[] = [
  standard('standard-webhooks', 'webhook'),
  standard('standard-webhooks', 'svix', { variant: 'svix headers' }),
  ...['svix', 'resend', 'clerk'].flatMap((provider) => [
    standard(provider, 'svix'),
    standard(provider, 'webhook', { variant: 'webhook headers' }),
  ]),
  standard('supabase-auth-hooks', 'webhook', { keys: SUPABASE }),
  standard('gitlab-signing-token', 'webhook'),
  // Its secret is not base64: the client secret's own bytes are the key.
  standard('bigcommerce', 'webhook', { keys: TEXT, decodeKey: utf8 }),
  standard('polar', 'webhook', { keys: POLAR, decodeKey: utf8, variant: 'secrets before September 2026' }),
  standard('polar', 'webhook', {
    keys: POLAR,
    decodeKey: (key) => keyBytes.base64(key.replace(/^(polar_whs_|whsec_)/, '')),
  }),
];

/** Its header may come several times, which HTTP makes a list. */
const mollie = (prefix: string): Partial<HmacFacts> => ({
  write: (signatures) => signatures.map((one) => `${prefix}${one}`).join(', '),
  lists: true,
  reasons: { doubled: null },
});

const overTheBody: readonly Sender[] = [
  plain('lemonsqueezy', 'X-Signature'),
  plain('razorpay', 'X-Razorpay-Signature'),
  plain('adyen-platform', 'HmacSignature', { ...HEX_KEY, encoding: 'base64' }),
  prefixed('mollie-next-gen', 'X-Mollie-Signature', mollie('sha256=')),
  plain('mollie-next-gen', 'X-Mollie-Signature', { variant: 'no prefix', ...mollie('') }),
  plain('paystack', 'x-paystack-signature', { algorithm: 'sha512' }),
  plain('coinbase-commerce', 'X-CC-Webhook-Signature'),
  plain('sendcloud', 'Sendcloud-Signature'),
  plain('aftership', 'aftership-hmac-sha256', BASE64_TEXT),
  plain('shopify', 'X-Shopify-Hmac-Sha256', BASE64_TEXT),
  plain('woocommerce', 'X-WC-Webhook-Signature', BASE64_TEXT),
  prefixed('typeform', 'Typeform-Signature', BASE64_TEXT),
  plain('tally', 'Tally-Signature', BASE64_TEXT),
  plain('calcom', 'X-Cal-Signature-256', {
    otherAlgorithms: [
      {
        name: 'its word for "no secret"',
        change: (sent) => withHeader(sent, 'X-Cal-Signature-256', 'no-secret-provided'),
        reason: 'malformed',
      },
    ],
  }),
  prefixed('meta-whatsapp', 'X-Hub-Signature-256'),
  prefixed('meta-lead-ads', 'X-Hub-Signature-256'),
  prefixed('instagram', 'X-Hub-Signature-256'),
  prefixed('messenger', 'X-Hub-Signature-256'),
  prefixed('github', 'X-Hub-Signature-256'),
  prefixed('bitbucket', 'X-Hub-Signature'),
  prefixed('jira', 'X-Hub-Signature'),
  plain('gitea', 'X-Gitea-Signature'),
  plain('forgejo', 'X-Forgejo-Signature'),
  plain('intercom', 'X-Hub-Signature', {
    prefix: 'sha1=',
    algorithm: 'sha1',
    otherAlgorithms: [namedHash('X-Hub-Signature', 'sha256')],
  }),
  plain('asana', 'X-Hook-Signature'),
  prefixed('notion', 'X-Notion-Signature'),
  plain('airtable', 'X-Airtable-Content-MAC', {
    prefix: 'hmac-sha256=',
    ...BASE64_KEY,
    otherAlgorithms: [renamed('X-Airtable-Content-MAC', 'hmac-sha256=', 'hmac-sha1=', 'malformed')],
  }),
  plain('sentry', 'Sentry-Hook-Signature'),
  plain('vercel', 'x-vercel-signature', { algorithm: 'sha1' }),
  plain('dropbox', 'X-Dropbox-Signature'),
  plain('microsoft-teams-outgoing', 'Authorization', {
    prefix: 'HMAC ',
    encoding: 'base64',
    ...BASE64_KEY,
    otherAlgorithms: [renamed('Authorization', 'HMAC ', 'Bearer ', 'malformed')],
  }),
  prefixed('x', 'x-twitter-webhooks-signature', BASE64_TEXT),
  plain('grafana', 'X-Grafana-Alerting-Signature'),
  versioned('pagerduty', 'X-PagerDuty-Signature'),
  versioned('circleci', 'circleci-signature'),
  plain('gocardless', 'Webhook-Signature'),
  plain('squarespace', 'Squarespace-Signature', HEX_KEY),
  plain('acuity', 'X-Acuity-Signature', BASE64_TEXT),
  plain('docusign', 'X-DocuSign-Signature-1', BASE64_TEXT),
  // It signs with each key of the account and sends every signature, one header a key.
  plain('docusign', 'X-DocuSign-Signature-2', {
    variant: 'second key',
    encoding: 'base64',
    adapt: (draft) => {
      const first = createHmac('sha256', TEXT.stranger).update(draft.body).digest('base64');
      return withHeader(draft, 'X-DocuSign-Signature-1', first);
    },
    otherHash: 'mismatch',
    // The first header has a signature, though not by a key of this source.
    reasons: { missing: 'mismatch', empty: 'mismatch', doubled: 'mismatch', 'too long': 'mismatch' },
  }),
  plain('flutterwave', 'flutterwave-signature', {
    variant: 'v4',
    encoding: 'base64',
    // The same header may hold the secret itself, which whatever stands there is not.
    otherHash: 'mismatch',
    reasons: { doubled: 'mismatch' },
  }),
  plain('patreon', 'X-Patreon-Signature', { algorithm: 'md5' }),
  plain('xero', 'x-xero-signature', BASE64_TEXT),
  plain('quickbooks', 'intuit-signature', BASE64_TEXT),
];

const withTime: readonly Sender[] = [
  timed('stripe', 'Stripe-Signature', 300),
  timed('calendly', 'Calendly-Webhook-Signature', 180),
  timed('formspree', 'Formspree-Signature', 300),
  plain('paddle', 'Paddle-Signature', {
    content: ({ draft, time }) => `${time}:${draft.body}`,
    write: (signatures, time) => [`ts=${time}`, ...signatures.map((one) => `h1=${one}`)].join(';'),
    lists: true,
    time: { in: 'signature', name: 'ts', unit: 's', late: 5 },
    otherAlgorithms: [renamed('Paddle-Signature', 'h1=', 'h2=', 'unknown_key')],
  }),
  plain('buildkite', 'X-Buildkite-Signature', {
    content: ({ draft, time }) => `${time}.${draft.body}`,
    write: (signatures, time) => [`timestamp=${time}`, ...signatures.map((one) => `signature=${one}`)].join(),
    lists: true,
    time: { in: 'signature', name: 'timestamp', unit: 's', late: 300 },
  }),
  versioned('revolut', 'Revolut-Signature', {
    content: ({ draft, time }) => `v1.${time}.${draft.body}`,
    time: inHeader('Revolut-Request-Timestamp', 'ms'),
  }),
  v0('slack', 'X-Slack-Signature', 'X-Slack-Request-Timestamp'),
  v0('zoom', 'x-zm-signature', 'x-zm-request-timestamp'),
  plain('webflow', 'x-webflow-signature', {
    time: inHeader('x-webflow-timestamp', 'ms'),
    content: ({ draft, time }) => `${time}:${draft.body}`,
  }),
  plain('zendesk', 'X-Zendesk-Webhook-Signature', {
    time: inHeader('X-Zendesk-Webhook-Signature-Timestamp', 'iso8601'),
    encoding: 'base64',
    content: ({ draft, time }) => `${time}${draft.body}`,
  }),
  plain('linear', 'Linear-Signature', {
    time: { in: 'body', name: 'webhookTimestamp', unit: 'ms', late: 60 },
  }),
];

/** Senders of an HMAC that is about the body, the time and ids beside them. */
export const hmacSenders: readonly Sender[] = [...standards, ...overTheBody, ...withTime];
