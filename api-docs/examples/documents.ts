import type { DocumentKind } from '../../src/config/documents/name.ts';
import { providerExamples } from './providers.ts';
import type { Examples } from '../spec.ts';

const shop = {
  provider: 'stripe',
  secrets: ['STRIPE_WEBHOOK_SECRET'],
  country: 'DE',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  routes: [
    {
      name: 'paid',
      when: 'event.type == "checkout.session.completed"',
      to: '{{ payload.data.object.customer_details.phone }}',
      template: 'order-paid',
    },
    {
      name: 'notify-the-owners',
      when: 'event.type == "checkout.session.completed"',
      to: ['owners', '4930123456'],
      send: { kind: 'text', message: 'New order {{ payload.data.object.id }}' },
    },
  ],
};

const own = {
  verify: {
    scheme: 'hmac',
    header: 'X-Signature',
    prefix: 'sha256=',
    signed: '{ts}.{raw_body}',
    timestamp: { header: 'X-Timestamp', tolerance: '5m' },
  },
  secrets: ['SHOP_WEBHOOK_SECRET'],
  dedupe: { key: '{{ payload.order.id }}', window: '7d' },
  routes: [
    {
      name: 'paid',
      to: '4915112345678',
      send: { kind: 'text', message: 'Order {{ payload.order.id }}' },
      expires: '2h',
    },
  ],
};

const orderPaid = {
  kind: 'text',
  message:
    'Thanks {{ payload.data.object.customer_details.name | default: "a lot" | plain }}!\nWe got *{{ payload.data.object.amount_total | money: payload.data.object.currency }}*.',
};

const poll = {
  kind: 'poll',
  question: 'How was your stay, {{ payload.guest.name }}?',
  options: ['Lovely', 'All right', 'Not so good'],
};

const owners = { numbers: ['4915112345678', '4915187654321'] };

const account = {
  rate: { per_minute: 60, burst: 10 },
  per_recipient: { per_hour: 20 },
  retry: ['5s', '30s', '5m', '1h'],
  notify: { url: 'https://hooks.slack.com/services/{secret}', secret: 'NOTIFY_SLACK_PATH' },
};

export const maintenance = {
  when: 'event.source == "alerts" and item.labels.env == "staging"',
  every: { days: ['sun'], from: '02:00', to: '04:00', timezone: 'Europe/Berlin' },
  reason: 'updates of the staging servers',
};

const page = (...items: readonly object[]): Examples => ({ all: { value: { items, next_cursor: null } } });

const ghost = {
  name: 'Ghost',
  verify: {
    scheme: 'hmac',
    header: 'X-Ghost-Signature',
    list_separator: ',',
    key_value_separator: '=',
    keys: ['sha256'],
    signed: '{raw_body}{ts}',
    timestamp: { key: 't', unit: 'ms' },
  },
  event: { type: '{{ payload.type }}', subject: '{{ payload.post.current.title }}' },
  setup: ['Open **Settings** → **Integrations**, and add a webhook with the address of the source.'],
  samples: {
    published: { body: { type: 'post.published', post: { current: { title: 'Ten years of us' } } } },
  },
};

/** Documents, alone and in a list. */
export const documentExamples = {
  sources: {
    one: {
      provider: { summary: 'A source of a provider that hookbell knows', value: shop },
      own: { summary: 'A system that signs its webhooks in its own way', value: own },
    },
    page: page({ id: 'shop', ...shop }),
  },
  templates: {
    one: { text: { summary: 'A text', value: orderPaid }, poll: { summary: 'A poll', value: poll } },
    page: page({ name: 'order-paid', ...orderPaid }, { name: 'how-was-it', ...poll }),
  },
  recipients: { one: { owners: { value: owners } }, page: page({ name: 'owners', ...owners }) },
  accounts: {
    one: { faster: { summary: 'Only what differs from the defaults', value: account } },
    page: page({ name: 'default', ...account }),
  },
  silences: {
    one: { maintenance: { value: maintenance } },
    page: page({ id: 'maintenance', origin: 'document', state: 'pending', ...maintenance }),
  },
  providers: { one: { ghost: { value: ghost } }, page: providerExamples.page },
} as const satisfies Record<DocumentKind, { readonly one: Examples; readonly page: Examples }>;

/** The documents above as a set. */
export const exampleSet = {
  sources: { shop },
  templates: { 'order-paid': orderPaid },
  recipients: { owners },
  accounts: { default: account },
  silences: { maintenance },
  providers: { ghost },
};
