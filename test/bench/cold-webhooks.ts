import { join } from 'node:path';
import { readSet, DEMO_SECRETS, demoWebhooks } from '../../cli/dev/demo.ts';
import { KINDS as DOCUMENT_KINDS } from '../../src/config/documents/name.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A webhook as its sender posts it, with the documents of its source. */
export interface ColdWebhook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly documents: Documents;
}

/** A set of documents, by kind and name. */
type Documents = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const KINDS = ['JSON, token', 'JSON, HMAC', 'form', 'three alerts'] as const;
export type Kind = (typeof KINDS)[number];

const TOKEN = 'token-of-the-measurement';
export const SECRETS: Readonly<Record<string, string>> = { HOOK_SECRET: TOKEN, ...DEMO_SECRETS };

const SHOP = 'shop';

/**
 * The first webhooks that are measured. All but the first are those of the demo, from Stripe, from a page and from
 * Alertmanager; the alerts go to the recipe whose routes make incidents.
 */
export function coldWebhooks(now: Date): Readonly<Record<Kind, ColdWebhook>> {
  const demo = readSet(join(ROOT, 'examples/demo'));
  const [form, signed, alerts] = demoWebhooks(now, DEMO_SECRETS, 'http://localhost:8788/contact');
  if (form === undefined || signed === undefined || alerts === undefined)
    throw new Error('the demo has three webhooks');
  return {
    'JSON, token': order(),
    'JSON, HMAC': { ...signed, documents: only(demo, 'shop-payments') },
    form: {
      ...form,
      // The platform adds it.
      headers: { ...form.headers, 'cf-connecting-ip': '192.0.2.1' },
      documents: only(demo, 'contact-form'),
    },
    'three alerts': {
      ...alerts,
      path: '/hooks/alertmanager',
      documents: only(readSet(join(ROOT, 'examples/recipes/on-call')), 'alertmanager'),
    },
  };
}

/** The documents of a folder, with one of its sources. */
const only = (documents: Documents, source: string): Documents => ({
  ...documents,
  sources: { [source]: documents['sources']?.[source] },
});

/** The published text of a set that has N sources: the webhook's own, and shops. */
export function publishedText({ documents }: ColdWebhook, sources: number): string {
  const shops = Array.from({ length: sources - 1 }, (_, index) => `shop-${index}`);
  const sets = [...shops.slice(0, sources / 2).map(shop), documents, ...shops.slice(sources / 2).map(shop)];
  const set = Object.fromEntries(
    DOCUMENT_KINDS.map((kind) => [kind, Object.assign({}, ...sets.map((one) => one[kind] ?? {}))] as const),
  );
  return JSON.stringify({ activation: 1, version: 1, set });
}

const order = (): ColdWebhook => ({
  path: `/hooks/${SHOP}`,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
  body: JSON.stringify({
    id: 'order_1',
    state: 'paid',
    amount: 1_999,
    currency: 'EUR',
    customer: { name: 'Ada', phone: '0151 12345678' },
    items: [{ name: 'tea' }, { name: 'cups' }],
  }),
  documents: {
    ...shop(SHOP),
    recipients: { owners: { numbers: ['4915112345678', '4915187654321'] } },
    accounts: { default: { rate: { per_minute: 30, burst: 5 } }, sales: { rate: false } },
  },
});

const OWNERS = ['owners', '4930123456'];
const CUSTOMER = '{{ payload.customer.phone }}';
const PAID = 'payload.state == "paid"';

/** A source as shops have it: a token, three routes, two templates of its own and one of all. */
const shop = (id: string): Documents => ({
  sources: {
    [id]: {
      verify: { scheme: 'token', in: 'header', name: 'Authorization', prefix: 'Bearer ' },
      secrets: ['HOOK_SECRET'],
      country: 'DE',
      locale: 'de-DE',
      timezone: 'Europe/Berlin',
      dedupe: { key: '{{ payload.id }}-{{ payload.state }}', window: '3d' },
      routes: [
        { name: 'paid', when: `${PAID} and payload.amount > 0`, to: CUSTOMER, template: `${id}-paid` },
        { name: 'sent', when: 'payload.state == "sent"', to: CUSTOMER, template: `${id}-sent` },
        { name: 'owners', to: OWNERS, template: 'for-all', priority: 'high', expires: '1d' },
      ],
    },
  },
  templates: {
    [`${id}-paid`]: {
      kind: 'text',
      message:
        'Thanks {{ payload.customer.name | default: "you" }}!\nWe got *{{ payload.amount | money: payload.currency }}* for {% for item in payload.items %}{{ item.name }}{% unless forloop.last %}, {% endunless %}{% endfor %}.\n',
    },
    [`${id}-sent`]: {
      kind: 'text',
      message: 'Order {{ payload.id | upcase }} left on {{ event.received_at | datetime: "long" }}.',
    },
    'for-all': {
      kind: 'text',
      message: 'New order {{ payload.id }}: {{ payload.amount | money: payload.currency }}',
    },
  },
});
