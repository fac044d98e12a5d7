import { utf8 } from './bytes.ts';
import { hmacSender, type HmacFacts, keyBytes, namedHash, renamed } from './hmac-sender.ts';
import { BASE64, HEX, SUPABASE, TEXT, WHSEC } from './keys.ts';
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
    otherAlgorithms: [
      renamed(header, 'v1=', 'v0=', 'unknown_key'),
      renamed(header, 'v1=', 'v2=', 'unknown_key'),
      renamed(header, 'v1=', '=', 'unknown_key'),
    ],
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
    otherAlgorithms: [
      renamed(header, 'v1,', 'v1a,', 'unknown_key'),
      renamed(header, 'v1,', 'v2,', 'unknown_key'),
    ],
    ...facts,
  });
};

/** The time in a header and the body, with a text around them. */
const stamped = (
  provider: string,
  header: string,
  time: { readonly header: string; readonly unit: 's' | 'ms' | 'iso8601' },
  facts: Partial<HmacFacts>,
): Sender =>
  hmacSender(provider, {
    header,
    time: { in: 'header', name: time.header, unit: time.unit, late: 300 },
    ...facts,
  });

const standards: readonly Sender[] = [
  standard('standard-webhooks', 'webhook'),
  standard('standard-webhooks', 'svix', { variant: 'svix headers' }),
  standard('svix', 'svix'),
  standard('svix', 'webhook', { variant: 'webhook headers' }),
  standard('resend', 'svix'),
  standard('resend', 'webhook', { variant: 'webhook headers' }),
  standard('clerk', 'svix'),
  standard('clerk', 'webhook', { variant: 'webhook headers' }),
  standard('supabase-auth-hooks', 'webhook', { keys: SUPABASE }),
  standard('gitlab-signing-token', 'webhook'),
  // Its secret is not base64: the client secret's own bytes are the key.
  standard('bigcommerce', 'webhook', { keys: TEXT, decodeKey: utf8 }),
];

const overTheBody: readonly Sender[] = [
  plain('lemonsqueezy', 'X-Signature'),
  plain('razorpay', 'X-Razorpay-Signature'),
  plain('adyen-platform', 'HmacSignature', { keys: HEX, decodeKey: keyBytes.hex, encoding: 'base64' }),
  // Its header may come several times, which HTTP makes a list.
  prefixed('mollie-next-gen', 'X-Mollie-Signature', {
    write: (signatures) => signatures.map((one) => `sha256=${one}`).join(', '),
    lists: true,
    reasons: { doubled: null },
  }),
  plain('mollie-next-gen', 'X-Mollie-Signature', {
    variant: 'no prefix',
    write: (signatures) => signatures.join(', '),
    lists: true,
    reasons: { doubled: null },
  }),
  plain('paystack', 'x-paystack-signature', { algorithm: 'sha512' }),
  plain('coinbase-commerce', 'X-CC-Webhook-Signature'),
  plain('sendcloud', 'Sendcloud-Signature'),
  plain('aftership', 'aftership-hmac-sha256', { encoding: 'base64' }),
  plain('shopify', 'X-Shopify-Hmac-Sha256', { encoding: 'base64' }),
  plain('woocommerce', 'X-WC-Webhook-Signature', { encoding: 'base64' }),
  prefixed('typeform', 'Typeform-Signature', { encoding: 'base64' }),
  plain('tally', 'Tally-Signature', { encoding: 'base64' }),
  plain('calcom', 'X-Cal-Signature-256', {
    otherAlgorithms: [
      {
        name: 'its word for "no secret"',
        change: (sent) => ({
          ...sent,
          headers: { ...sent.headers, 'X-Cal-Signature-256': 'no-secret-provided' },
        }),
        reason: 'malformed',
      },
    ],
  }),
  prefixed('meta-whatsapp', 'X-Hub-Signature-256'),
  prefixed('instagram', 'X-Hub-Signature-256'),
  prefixed('github', 'X-Hub-Signature-256'),
  prefixed('bitbucket', 'X-Hub-Signature'),
  plain('intercom', 'X-Hub-Signature', {
    prefix: 'sha1=',
    algorithm: 'sha1',
    otherAlgorithms: [namedHash('X-Hub-Signature', 'sha256')],
  }),
  plain('asana', 'X-Hook-Signature'),
  prefixed('notion', 'X-Notion-Signature'),
  plain('airtable', 'X-Airtable-Content-MAC', {
    prefix: 'hmac-sha256=',
    keys: BASE64,
    decodeKey: keyBytes.base64,
    otherAlgorithms: [renamed('X-Airtable-Content-MAC', 'hmac-sha256=', 'hmac-sha1=', 'malformed')],
  }),
  plain('sentry', 'Sentry-Hook-Signature'),
  plain('vercel', 'x-vercel-signature', { algorithm: 'sha1' }),
  plain('dropbox', 'X-Dropbox-Signature'),
  plain('microsoft-teams-outgoing', 'Authorization', {
    prefix: 'HMAC ',
    encoding: 'base64',
    keys: BASE64,
    decodeKey: keyBytes.base64,
    otherAlgorithms: [renamed('Authorization', 'HMAC ', 'Bearer ', 'malformed')],
  }),
  prefixed('x', 'x-twitter-webhooks-signature', { encoding: 'base64' }),
  plain('grafana', 'X-Grafana-Alerting-Signature'),
  plain('pagerduty', 'X-PagerDuty-Signature', {
    write: (signatures) => signatures.map((one) => `v1=${one}`).join(),
    lists: true,
    otherAlgorithms: [
      renamed('X-PagerDuty-Signature', 'v1=', 'v0=', 'unknown_key'),
      renamed('X-PagerDuty-Signature', 'v1=', 'v2=', 'unknown_key'),
    ],
    reasons: { doubled: null },
  }),
];

const withTime: readonly Sender[] = [
  timed('stripe', 'Stripe-Signature', 300),
  timed('calendly', 'Calendly-Webhook-Signature', 180),
  timed('formspree', 'Formspree-Signature', 300),
  hmacSender('paddle', {
    header: 'Paddle-Signature',
    content: ({ draft, time }) => `${time}:${draft.body}`,
    write: (signatures, time) => [`ts=${time}`, ...signatures.map((one) => `h1=${one}`)].join(';'),
    lists: true,
    time: { in: 'signature', name: 'ts', unit: 's', late: 5 },
    otherAlgorithms: [renamed('Paddle-Signature', 'h1=', 'h2=', 'unknown_key')],
  }),
  stamped(
    'slack',
    'X-Slack-Signature',
    { header: 'X-Slack-Request-Timestamp', unit: 's' },
    {
      prefix: 'v0=',
      content: ({ draft, time }) => `v0:${time}:${draft.body}`,
      otherAlgorithms: [renamed('X-Slack-Signature', 'v0=', 'v1=', 'malformed')],
    },
  ),
  stamped(
    'zoom',
    'x-zm-signature',
    { header: 'x-zm-request-timestamp', unit: 's' },
    {
      prefix: 'v0=',
      content: ({ draft, time }) => `v0:${time}:${draft.body}`,
      otherAlgorithms: [renamed('x-zm-signature', 'v0=', 'v1=', 'malformed')],
    },
  ),
  stamped(
    'webflow',
    'x-webflow-signature',
    { header: 'x-webflow-timestamp', unit: 'ms' },
    { content: ({ draft, time }) => `${time}:${draft.body}` },
  ),
  stamped(
    'zendesk',
    'X-Zendesk-Webhook-Signature',
    { header: 'X-Zendesk-Webhook-Signature-Timestamp', unit: 'iso8601' },
    { encoding: 'base64', content: ({ draft, time }) => `${time}${draft.body}` },
  ),
  hmacSender('linear', {
    header: 'Linear-Signature',
    time: { in: 'body', name: 'webhookTimestamp', unit: 'ms', late: 60 },
  }),
];

/** Senders of an HMAC that is about the body, the time and ids beside them. */
export const hmacSenders: readonly Sender[] = [...standards, ...overTheBody, ...withTime];
