import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { bindingNames } from '../conformance/senders/keys.ts';
import { type Webhook, withHeader } from '../conformance/senders/sender.ts';
import { sendersOf } from '../conformance/senders/senders.ts';
import { admin, event, publish, UNPACED } from './relay.ts';

/** The time of the event, as senders write it. */
const NOW = new Date().toISOString();

/** Numbers that no other test uses. */
const PHONE = '491713920221';

const FORM = 'application/x-www-form-urlencoded';

/** Of each provider that signs the body and nothing else that is new: what of a request is not signed, and a body. */
const CAPTURED = {
  github: [['X-GitHub-Delivery', 'X-GitHub-Event'], { action: 'opened', number: 1 }],
  gitea: [['X-Gitea-Delivery', 'X-Gitea-Event'], { action: 'opened', number: 1 }],
  forgejo: [['X-Forgejo-Delivery', 'X-Forgejo-Event'], { action: 'opened', number: 1 }],
  bitbucket: [['X-Request-UUID', 'X-Event-Key'], { pullrequest: { id: 1 } }],
  jira: [['X-Atlassian-Webhook-Identifier'], { timestamp: 1, webhookEvent: 'jira:issue_created' }],
  sentry: [['Request-ID', 'Sentry-Hook-Resource'], { action: 'created', data: { issue: { id: '1' } } }],
  linear: [['Linear-Delivery'], { action: 'create', type: 'Issue' }],
  netlify: [['X-Netlify-Event'], { id: 'd-1', state: 'ready', updated_at: NOW }],
  shopify: [['X-Shopify-Webhook-Id'], { id: 1, updated_at: NOW }],
  woocommerce: [['X-WC-Webhook-Delivery-ID'], { id: 1, status: 'processing' }],
  razorpay: [['x-razorpay-event-id'], { event: 'payment.captured', created_at: 1 }],
  airtable: [[], { webhook: { id: 'ach1' }, timestamp: NOW }],
} as const;

/**
 * The header and the values that give a request of these one of the provider's types, where the type is in a header.
 */
const TYPES: Readonly<Record<string, readonly [string, string, string]>> = {
  shopify: ['X-Shopify-Topic', 'orders/create', 'orders/paid'],
  woocommerce: ['X-WC-Webhook-Topic', 'order.created', 'order.updated'],
  patreon: ['X-Patreon-Event', 'members:create', 'members:pledge:create'],
};

const ROUTE = { name: 'all', to: PHONE, send: { kind: 'text', message: 'something happened' } };

const sourceOf = (provider: string, more: object = {}) => {
  const [sender] = sendersOf(provider);
  if (sender === undefined) throw new Error(provider);
  return { provider, secrets: bindingNames(sender.keys), routes: [ROUTE], ...more };
};

const PROVIDERS = [...Object.keys(CAPTURED), 'patreon', 'grafana', 'dropbox', 'acuity'];

const verify = { scheme: 'hmac', header: 'X-Signature' };
const own = (dedupe: object) => ({
  verify,
  secrets: sourceOf('github').secrets,
  routes: [ROUTE],
  dedupe: { key: '{{ headers["x-id"] }}', ...dedupe },
});

beforeAll(() =>
  publish({
    accounts: { default: UNPACED, sales: UNPACED },
    sources: {
      ...Object.fromEntries(PROVIDERS.map((provider) => [provider, sourceOf(provider)])),
      spread: sourceOf('github', { account: 'sales' }),
      willing: sourceOf('github', { dedupe: { body: false } }),
      own: own({}),
      bounded: own({ body: '1h' }),
    },
  }),
);

let made = 0;

/** A request as its provider signs it, for a source. */
async function signed(
  provider: string,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
  source = provider,
): Promise<Webhook> {
  const [sender] = sendersOf(provider);
  if (sender === undefined) throw new Error(provider);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const draft = {
    method: 'POST',
    url: `https://relay.example/hooks/${source}`,
    headers: { 'content-type': typeof body === 'string' ? FORM : 'application/json', ...headers },
    body: text,
  };
  const whole = sender.adapt?.(draft) ?? draft;
  return sender.send(whole, { keys: [sender.keys.signers[0]?.key ?? ''], now: Date.now() });
}

const post = ({ method, url, headers, body }: Webhook): Promise<Response> =>
  exports.default.fetch(url, { method, headers, body });

const idsOf = async (source: string): Promise<readonly string[]> =>
  (await admin<{ items: { id: string }[] }>('GET', `/events?source=${source}&limit=200`)).body.items.map(
    ({ id }) => id,
  );

/** The number of new events of a source after these requests, which are all answered as accepted. */
async function more(source: string, ...webhooks: readonly Webhook[]): Promise<number> {
  const before = (await idsOf(source)).length;
  for (const webhook of webhooks) expect((await post(webhook)).status).toBeLessThan(300);
  return (await idsOf(source)).length - before;
}

interface Receipt {
  readonly event: string;
  readonly duplicate: boolean;
  readonly messages: readonly string[];
  readonly reason?: string;
}

const receiptOf = async (webhook: Webhook): Promise<Receipt> => (await post(webhook)).json();

const push = (n: string) => ({ ref: 'refs/heads/main', after: n, repository: { pushed_at: 1 } });
const github = (body: object, delivery: string, source = 'github') =>
  signed('github', body, { 'X-GitHub-Event': 'push', 'X-GitHub-Delivery': delivery }, source);

const REASON = 'everything that its sender signed has arrived before';

describe('a captured request', () => {
  it('is tried of every provider whose bodies are claimed', () => {
    const claimed = [...providers.values()].filter(({ signed_body }) => signed_body !== undefined);
    const tried = new Set([...Object.keys(CAPTURED), ...Object.keys(TYPES)]);
    expect([...tried].toSorted()).toEqual(claimed.map(({ id }) => id).toSorted());
  });

  it.each(['github', 'spread'])(
    'of GitHub with another delivery id makes no second message (%s)',
    async (source) => {
      const genuine = await github(push('a1'), 'd-1', source);
      const first = await receiptOf(genuine);
      expect(first).toMatchObject({ duplicate: false, messages: [expect.any(String)] });
      expect(first).not.toHaveProperty('reason');
      const again = { ...first, duplicate: true };
      expect(await receiptOf(withHeader(genuine, 'X-GitHub-Delivery', 'd-2'))).toEqual({
        ...again,
        reason: REASON,
      });
      // Without an id, and as another type.
      expect(await receiptOf(withHeader(genuine, 'X-GitHub-Delivery', null))).toMatchObject(again);
      expect(await receiptOf(withHeader(genuine, 'X-GitHub-Event', 'release'))).toMatchObject(again);
      expect(await idsOf(source)).toEqual([first.event]);
      const kept = await event(first.event);
      expect([kept.duplicates, kept.messages.length]).toEqual([3, 1]);
    },
  );

  it.each(Object.entries(CAPTURED))(
    'of %s is no new event, whatever its unsigned headers say',
    async (provider, [names, body]) => {
      const [typeName, type] = TYPES[provider] ?? [];
      const headers = Object.fromEntries(names.map((name) => [name, 'genuine']));
      const genuine = await signed(provider, body, {
        ...headers,
        ...(typeName !== undefined && { [typeName]: type ?? '' }),
      });
      expect(await more(provider, genuine)).toBe(1);
      const forged = names.flatMap((name) => [
        withHeader(genuine, name, 'forged'),
        withHeader(genuine, name, null),
      ]);
      expect(await more(provider, genuine, ...forged)).toBe(0);
    },
  );

  it.each(Object.entries(TYPES))(
    'of %s, which posts one body under several types, is one event of each type and none of an invented one',
    async (provider, [name, one, other]) => {
      made += 1;
      const updated_at = NOW;
      const body = { id: 100 + made, status: 'active', updated_at, data: { id: `m-${made}` } };
      const [first, second] = await Promise.all(
        [one, other].map((type) => signed(provider, body, { [name]: type })),
      );
      if (first === undefined || second === undefined) throw new Error('nothing was signed');
      expect(await more(provider, first, second)).toBe(2);
      expect(await more(provider, first, second)).toBe(0);
      // Types that the provider does not have distinguish nothing.
      expect(
        await more(provider, ...['x1', 'x2', 'x3'].map((type) => withHeader(first, name, type))),
      ).toBeLessThan(2);
    },
  );
});

describe('what a sender really sends again', () => {
  it('is a duplicate as before, and says nothing more: a retry, or a delivery that GitHub redelivers', async () => {
    const genuine = await github(push('b1'), 'd-10');
    const first = await receiptOf(genuine);
    for (let n = 0; n < 2; n += 1) expect(await receiptOf(genuine)).toEqual({ ...first, duplicate: true });
  });

  it('is a new event when its body differs, though it has an id that was forged before', async () => {
    const genuine = await github(push('c1'), 'd-20');
    await post(genuine);
    await post(withHeader(genuine, 'X-GitHub-Delivery', 'd-21'));
    expect(await more('github', await github(push('c2'), 'd-21'))).toBe(1);
  });

  it.each<[string, object | string]>([
    ['grafana', { status: 'firing', alerts: [] }],
    ['dropbox', { list_folder: { accounts: ['dbid:1'] } }],
    ['acuity', 'action=rescheduled&id=1&calendarID=2&appointmentTypeID=3'],
  ])('of %s is an event each time: equal bodies of it are different events', async (provider, body) => {
    const webhook = await signed(provider, body);
    expect(await more(provider, webhook, webhook)).toBe(2);
  });

  it.each<[string, string, string, object]>([
    [
      'a workflow that a person starts twice',
      'github',
      'X-GitHub-Delivery',
      { ref: 'main', workflow: 'a.yml', inputs: null },
    ],
    [
      'a dispatch by a program',
      'github',
      'X-GitHub-Delivery',
      { action: 'go', branch: 'main', client_payload: {} },
    ],
    [
      'a member who joins, leaves and joins',
      'github',
      'X-GitHub-Delivery',
      { action: 'added', member: { id: 1 } },
    ],
    [
      'an issue that is resolved, opened and resolved',
      'sentry',
      'Request-ID',
      { action: 'resolved', data: { issue: { id: '1' } } },
    ],
    ['a page that is edited twice', 'gitea', 'X-Gitea-Delivery', { action: 'edited', page: 'Home' }],
    [
      'an action of a shop',
      'woocommerce',
      'X-WC-Webhook-Delivery-ID',
      { action: 'woocommerce_add_to_cart', arg: 'k' },
    ],
  ])('under another id is a new event: %s', async (_, provider, name, body) => {
    made += 1;
    const genuine = await signed(provider, body, { [name]: `first-${made}` });
    expect(await more(provider, genuine, withHeader(genuine, name, `second-${made}`))).toBe(2);
  });

  it('is distinguished by its JSON alone: read as a form, a captured body has what a stranger wrote into it', async () => {
    const title = '&client_payload=1&branch=x&member=1&';
    const genuine = await github({ action: 'opened', pull_request: { title } }, 'd-50');
    const forged = (type: string) =>
      withHeader(withHeader(genuine, 'content-type', type), 'X-GitHub-Delivery', type);
    expect(
      await more('github', genuine, ...[FORM, 'text/plain', 'application/json; charset=utf-16'].map(forged)),
    ).toBe(1);
  });

  it('is a new event where the source says that equal bodies are, and for a sender of one’s own by default', async () => {
    const genuine = await github(push('e1'), 'd-30', 'willing');
    expect(await more('willing', genuine, withHeader(genuine, 'X-GitHub-Delivery', 'd-31'))).toBe(2);
    for (const [source, events] of [
      ['own', 2],
      ['bounded', 1],
    ] as const) {
      const [sender] = sendersOf('gitea');
      const key = sendersOf('github')[0]?.keys.signers[0]?.key ?? '';
      const draft = {
        method: 'POST',
        url: `https://relay.example/hooks/${source}`,
        headers: { 'content-type': 'application/json', 'x-id': '1' },
        body: '{"a":1}',
      };
      const sent = await sender?.send(draft, { keys: [key], now: Date.now() });
      const webhook = withHeader(draft, 'X-Signature', sent?.headers['X-Gitea-Signature'] ?? '');
      expect([source, await more(source, webhook, withHeader(webhook, 'x-id', '2'))]).toEqual([
        source,
        events,
      ]);
    }
  });

  it('is a new event by hand: a replay renders the same body again', async () => {
    const { event: id } = await receiptOf(await github(push('f1'), 'd-40'));
    const replayed = await admin<Receipt>('POST', `/events/${id}/replay`);
    expect(replayed).toMatchObject({ status: 202, body: { messages: [expect.any(String)] } });
  });
});
