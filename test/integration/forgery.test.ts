import { exports } from 'cloudflare:workers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { providers } from '../platform/providers.ts';
import { CERTIFICATES } from '../conformance/senders/certificate-senders.ts';
import { bindingNames } from '../conformance/senders/keys.ts';
import { asObject, editJson } from '../conformance/senders/json.ts';
import { type Webhook, withHeader, withQuery } from '../conformance/senders/sender.ts';
import { sendersOf } from '../conformance/senders/senders.ts';
import { RSA_CERTIFICATE } from '../signature/certificates.ts';
import { withChecksumOf } from './forge-crc.ts';
import { snsConfirmation } from './handshakes.ts';
import { problemIn } from './problems.ts';
import { event, listOf, publish, receiptOf, UNPACED, type ReceiptJson } from './relay.ts';
import { newPhone, text } from './sources.ts';

/** The time of the event, as senders write it. */
const NOW = new Date().toISOString();
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

/** The header and two of its values that give a request of these its type. */
const TYPES: Readonly<Record<string, readonly [string, string, string]>> = {
  shopify: ['X-Shopify-Topic', 'orders/create', 'orders/paid'],
  woocommerce: ['X-WC-Webhook-Topic', 'order.created', 'order.updated'],
};

const ROUTE = { name: 'all', to: newPhone(), send: text('something happened') };

const senderOf = (provider: string) => {
  const [sender] = sendersOf(provider);
  if (sender === undefined) throw new Error(`nobody signs like ${provider}`);
  return sender;
};
const sourceOf = (provider: string, more: object = {}) => {
  const secrets = bindingNames(senderOf(provider).keys);
  return { provider, secrets, limit: false, routes: [ROUTE], ...more };
};
const own = (dedupe: object) => ({
  ...sourceOf('github'),
  provider: undefined,
  verify: { scheme: 'hmac', header: 'X-Signature' },
  dedupe: { key: '{{ headers["x-id"] }}', ...dedupe },
});

const PROVIDERS = [
  ...Object.keys(CAPTURED),
  ...'patreon grafana dropbox acuity aws-sns twilio paypal mercadopago adyen-payments'.split(' '),
];

/** The requests to SNS's host beside those for certificates. */
const asked: string[] = [];

beforeAll(async () => {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url === CERTIFICATES.sns || url === CERTIFICATES.paypal)
      return Promise.resolve(new Response(RSA_CERTIFICATE));
    if (!url.startsWith('https://sns.')) return real(input, init);
    asked.push(url);
    return Promise.resolve(new Response('<ConfirmSubscriptionResponse/>'));
  });
  await publish({
    accounts: { default: UNPACED, sales: UNPACED },
    sources: {
      ...Object.fromEntries(PROVIDERS.map((provider) => [provider, sourceOf(provider)])),
      mailgun: sourceOf('mailgun', { dedupe: { key: '{{ payload["event-data"].id }}', window: '5m' } }),
      spread: sourceOf('github', { account: 'sales' }),
      willing: sourceOf('github', { dedupe: { body: false } }),
      own: own({}),
      bounded: own({ body: '1h' }),
    },
  });
});
beforeEach(() => void (asked.length = 0));
afterAll(() => vi.restoreAllMocks());

/** A request as its provider signs it, for a source. */
async function signed(
  provider: string,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
  source = provider,
): Promise<Webhook> {
  const sender = senderOf(provider);
  const draft = {
    method: 'POST',
    url: `https://relay.example/hooks/${source}`,
    headers: { 'content-type': typeof body === 'string' ? FORM : 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
  const whole = sender.adapt?.(draft) ?? draft;
  return sender.send(whole, { keys: [sender.keys.signers[0]?.key ?? ''], now: Date.now() });
}

/** Posts a request as it is, whatever bytes its body has. */
const send = ({ method, url, headers, body }: Webhook): Promise<Response> =>
  exports.default.fetch(url, { method, headers, body });
const receipt = (webhook: Webhook): Promise<ReceiptJson> => receiptOf(send(webhook));

const idsOf = async (source: string): Promise<readonly string[]> =>
  (await listOf<{ id: string }>(`/events?source=${source}&limit=200`)).map(({ id }) => id);

/** The number of new events of a source after these requests, which are all answered as accepted. */
async function more(source: string, ...webhooks: readonly Webhook[]): Promise<number> {
  const before = (await idsOf(source)).length;
  for (const webhook of webhooks) expect((await send(webhook)).status).toBeLessThan(300);
  return (await idsOf(source)).length - before;
}
const isRefused = async (webhook: Webhook) =>
  void (await problemIn(await send(webhook), 401, 'verification-failed'));

const push = (n: string) => ({ ref: 'refs/heads/main', after: n, repository: { pushed_at: 1 } });
const github = (body: object, delivery: string, source = 'github') =>
  signed('github', body, { 'X-GitHub-Event': 'push', 'X-GitHub-Delivery': delivery }, source);
const delivered = (webhook: Webhook, id: string | null) => withHeader(webhook, 'X-GitHub-Delivery', id);

describe('a captured request', () => {
  it('is tried of every provider whose bodies are claimed', () => {
    const claimed = [...providers.values()].filter((one) => one.signed_body && sendersOf(one.id).length > 0);
    const tried = new Set([...Object.keys(CAPTURED), ...Object.keys(TYPES)]);
    expect([...tried].toSorted()).toEqual(claimed.map(({ id }) => id).toSorted());
  });

  it.each(['github', 'spread'])('with another delivery id makes no second message (%s)', async (source) => {
    const genuine = await github(push('a1'), 'd-1', source);
    const first = await receipt(genuine);
    expect(first).toEqual({ event: first.event, duplicate: false, messages: [expect.any(String)] });
    const again = { ...first, duplicate: true };
    const reason = 'everything that its sender signed has arrived before';
    expect(await receipt(delivered(genuine, 'd-2'))).toEqual({ ...again, reason });
    // Without an id, and as another type.
    expect(await receipt(delivered(genuine, null))).toMatchObject(again);
    expect(await receipt(withHeader(genuine, 'X-GitHub-Event', 'release'))).toMatchObject(again);
    expect(await idsOf(source)).toEqual([first.event]);
    const kept = await event(first.event);
    expect([kept.duplicates, kept.messages.length]).toEqual([3, 1]);
  });

  it.each(Object.entries(CAPTURED))(
    'of %s is no new event, whatever its unsigned headers say',
    async (provider, [names, body]) => {
      const [typeName, type = ''] = TYPES[provider] ?? [];
      const headers = Object.fromEntries(names.map((name) => [name, 'genuine']));
      const typed = typeName === undefined ? headers : { ...headers, [typeName]: type };
      const genuine = await signed(provider, body, typed);
      expect(await more(provider, genuine)).toBe(1);
      const forged = names.flatMap((name) => ['forged', null].map((id) => withHeader(genuine, name, id)));
      expect(await more(provider, genuine, ...forged)).toBe(0);
    },
  );

  it.each(Object.entries(TYPES))(
    'of %s, which posts one body under several types, is one event of each type and none of an invented one',
    async (provider, [name, one, other]) => {
      const body = { id: 101, status: 'active', updated_at: NOW, data: { id: `m-${provider}` } };
      const first = await signed(provider, body, { [name]: one });
      const second = withHeader(first, name, other);
      expect([await more(provider, first, second), await more(provider, first, second)]).toEqual([2, 0]);
      // Types that the provider does not have distinguish nothing.
      const invented = ['x1', 'x2', 'x3'].map((type) => withHeader(first, name, type));
      expect(await more(provider, ...invented)).toBeLessThan(2);
    },
  );

  it('is distinguished by its JSON alone: read as a form, it has what a stranger wrote into it', async () => {
    const title = '&client_payload=1&branch=x&member=1&';
    const genuine = await github({ action: 'opened', pull_request: { title } }, 'd-50');
    const forged = [FORM, 'text/plain', 'application/json; charset=utf-16'].map((type) =>
      delivered(withHeader(genuine, 'content-type', type), type),
    );
    expect(await more('github', genuine, ...forged)).toBe(1);
  });
});

describe('what a sender really sends again', () => {
  it('is a duplicate as before, and says nothing more: a retry, or a delivery that GitHub redelivers', async () => {
    const genuine = await github(push('b1'), 'd-10');
    const first = await receipt(genuine);
    for (let n = 0; n < 2; n += 1) expect(await receipt(genuine)).toEqual({ ...first, duplicate: true });
  });

  it('is a new event when its body differs, though it has an id that was forged before', async () => {
    const genuine = await github(push('c1'), 'd-20');
    await more('github', genuine, delivered(genuine, 'd-21'));
    expect(await more('github', await github(push('c2'), 'd-21'))).toBe(1);
  });

  it('is an event each time where equal bodies are different events', async () => {
    for (const [provider, body] of [
      ['grafana', { status: 'firing', alerts: [] }],
      ['dropbox', { list_folder: { accounts: ['dbid:1'] } }],
      ['acuity', 'action=rescheduled&id=1&calendarID=2&appointmentTypeID=3'],
    ] as const) {
      const webhook = await signed(provider, body);
      expect([provider, await more(provider, webhook, webhook)]).toEqual([provider, 2]);
    }
  });

  it.each<[string, string, string, object]>([
    ['a user blocked again', 'github', 'X-GitHub-Delivery', { action: 'blocked', blocked_user: { id: 1 } }],
    ['a resolved issue', 'sentry', 'Request-ID', { action: 'resolved', data: { issue: { id: '1' } } }],
    ['a member who is back', 'patreon', 'X-Patreon-Event', { data: { id: 'm-1' } }],
  ])('under another id is a new event: %s', async (what, provider, name, body) => {
    const genuine = await signed(provider, body, { [name]: `first ${what}` });
    expect(await more(provider, genuine, withHeader(genuine, name, `second ${what}`))).toBe(2);
  });

  it('is a new event where the source says that equal bodies are, and for a sender of one’s own by default', async () => {
    const genuine = await github(push('e1'), 'd-30', 'willing');
    expect(await more('willing', genuine, delivered(genuine, 'd-31'))).toBe(2);
    const { headers } = await senderOf('gitea').send(
      { method: 'POST', url: 'https://relay.example/', headers: {}, body: '{"a":1}' },
      { keys: [senderOf('github').keys.signers[0]?.key ?? ''], now: Date.now() },
    );
    for (const [source, events] of [
      ['own', 2],
      ['bounded', 1],
    ] as const) {
      const draft = { ...genuine, url: `https://relay.example/hooks/${source}`, body: '{"a":1}' };
      const webhook = withHeader(draft, 'X-Signature', headers['X-Gitea-Signature'] ?? '');
      const two = [withHeader(webhook, 'x-id', '1'), withHeader(webhook, 'x-id', '2')];
      expect([source, await more(source, ...two)]).toEqual([source, events]);
    }
  });
});

describe('a confirmation that SNS signed', () => {
  it('with one more key, whose text is a whole notification, is only itself, sent as a form', async () => {
    const types = [FORM, `${FORM}; charset=utf-8`, ` ${FORM.toUpperCase()} `];
    for (const type of types) {
      const genuine = await snsConfirmation('SubscriptionConfirmation');
      const form = {
        Type: 'Notification',
        MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
        Message: 'Pay',
      };
      const body = `${genuine.body.slice(0, -1)},"note":"&${new URLSearchParams(form).toString()}&end="}`;
      expect((await send(withHeader({ ...genuine, body }, 'content-type', type))).status).toBe(200);
    }
    expect(await idsOf('aws-sns')).toEqual([]);
    expect(asked).toHaveLength(types.length);
  });

  it('is one as text or JSON', async () => {
    const types = [
      'text/plain; charset=UTF-8',
      'text/plain; charset=utf-16',
      'application/json',
      'text/plain',
    ];
    for (const type of types) {
      const genuine = await snsConfirmation('SubscriptionConfirmation');
      expect((await send(withHeader(genuine, 'content-type', type))).status).toBe(200);
    }
    expect(asked).toHaveLength(types.length);
  });
});

/** A status of a message, as Twilio posts it. */
const twilio = (fields: Readonly<Record<string, string>>) =>
  signed('twilio', new URLSearchParams(fields).toString(), { 'I-Twilio-Idempotency-Token': 'token-1' });

describe('a form that Twilio signed, sent again by somebody who saw it', () => {
  it.each<[string, (body: string) => string]>([
    ['a question mark before it', (body) => `?${body}`],
    ['a byte order mark before it', (body) => `\ufeff${body}`],
    ['an encoded byte order mark before it', (body) => `%EF%BB%BF${body}`],
    ['a field twice', (body) => `${body}&MessageStatus=sent`],
    ['all fields twice', (body) => `${body}&${body}`],
    ['the border of a field at another place', (body) => body.replace('MessageSid=SM', 'MessageSidS=M')],
    ['one field for two', (body) => body.replace(/=(SM\d+)&MessageStatus=/, '$1MessageStatus=')],
    ['nothing changed but the token', (body) => body],
  ])('with %s, makes no second event', async (what, change) => {
    const MessageSid = `SM${1_000 + what.length}`;
    const genuine = await twilio({ MessageSid, MessageStatus: 'sent', To: '+4915112345678' });
    expect((await send(genuine)).status).toBe(200);
    const before = await idsOf('twilio');
    const changed = { ...genuine, body: change(genuine.body) };
    await send(withHeader(changed, 'I-Twilio-Idempotency-Token', `other-${what}`.slice(0, 20)));
    expect(await idsOf('twilio')).toEqual(before);
  });

  it('and two steps that Twilio signed are two events, and a field of two values has both', async () => {
    const call = { CallSid: 'CA1', CallStatus: 'ringing' };
    const steps = [
      await twilio({ ...call, SequenceNumber: '0' }),
      await twilio({ ...call, SequenceNumber: '1' }),
    ];
    expect(await more('twilio', ...steps)).toBe(2);
    expect((await send(await signed('twilio', 'MessageSid=SM0002&Media=1&Media=2'))).status).toBe(200);
    const [newest = ''] = await idsOf('twilio');
    expect((await event(newest)).payload).toMatchObject({ Media: ['1', '2'] });
  });
});

const sale = (id: string) => ({ id, event_type: 'PAYMENT.SALE.COMPLETED' });

const paypal = (transmission: string, id: string) =>
  signed('paypal', sale(id), { 'PAYPAL-TRANSMISSION-ID': transmission });

const withSale = (genuine: Webhook, id: string): Webhook => ({
  ...genuine,
  body: withChecksumOf(JSON.stringify(sale(id)), genuine.body),
});

describe('a request that PayPal signed, sent again with a body that has its checksum', () => {
  it('is the duplicate of the event that came with it, whatever id it has', async () => {
    const genuine = await paypal('t-1', 'WH-1');
    const { event: id } = await receipt(genuine);
    for (const again of [withSale(genuine, 'WH-2'), withSale(genuine, 'WH-3'), genuine])
      expect(await receipt(again)).toMatchObject({ event: id, duplicate: true });
    expect(await idsOf('paypal')).toEqual([id]);
    expect(await event(id)).toMatchObject({ duplicates: 3, payload: { id: 'WH-1' } });
  });

  it('is one, too, when what it came with was signed anew for an event that was there already', async () => {
    const first = await receipt(await paypal('t-2', 'WH-4'));
    const anew = await paypal('t-3', 'WH-4');
    for (const again of [anew, withSale(anew, 'WH-5')])
      expect(await receipt(again)).toMatchObject({ event: first.event, duplicate: true });
    expect((await receipt(await paypal('t-5', 'WH-7'))).duplicate).toBe(false);
    expect((await receipt(await paypal('t-6', 'WH-8'))).duplicate).toBe(false);
  });
});

const payment = async (request: string) => {
  const sender = senderOf('mercadopago');
  const draft = {
    method: 'POST',
    url: 'https://relay.example/hooks/mercadopago?data.id=123456&type=payment',
    headers: { 'content-type': 'application/json', 'x-request-id': request },
    body: JSON.stringify({ action: 'payment.created', data: { id: '123456' } }),
  };
  const whole = sender.adapt?.(draft) ?? draft;
  return sender.send(whole, { keys: [sender.keys.signers[0]?.key ?? ''], now: Date.now() });
};

describe('a request that Mercado Pago signed', () => {
  it('is no other request with its id of the request in the id of the payment', async () => {
    const genuine = await payment('mp-1');
    const bare = withHeader(genuine, 'x-request-id', null);
    await isRefused(withQuery(bare, 'data.id', '123456;request-id:mp-1'));
    await isRefused(withQuery(withHeader(genuine, 'x-request-id', '1;request-id:mp-1'), 'data.id', null));
    expect(await idsOf('mercadopago')).toEqual([]);
  });

  it('is one event with any body', async () => {
    const genuine = await payment('mp-2');
    const forged = ['{"action":"payment.updated"}', '{}', genuine.body].map((body) => ({ ...genuine, body }));
    expect(await more('mercadopago', genuine, ...forged)).toBe(1);
    expect(await more('mercadopago', await payment('mp-3'))).toBe(1);
  });
});

const report = (id: string, over: object = {}) =>
  signed('mailgun', { 'event-data': { id, event: 'failed' }, ...over });

describe('a request that Mailgun signed', () => {
  it('is one event, though the key of its source stands in what nobody signed', async () => {
    const genuine = await report('e-1');
    const forged = ['e-2', 'e-3', ''].map((id) => ({
      ...genuine,
      body: editJson(genuine.body, 'event-data', () => ({ id, event: 'delivered' })),
    }));
    expect(await more('mailgun', genuine, ...forged)).toBe(1);
    // One that is signed anew is known by the key of its source.
    expect(await more('mailgun', await report('e-4'), await report('e-4', { try: 2 }))).toBe(1);
  });
});

const batch = (...items: readonly object[]) => signed('adyen-payments', { notificationItems: items });

const item = (pspReference: string, merchantReference = 'R1') => ({
  NotificationRequestItem: {
    pspReference,
    originalReference: '',
    merchantAccountCode: 'Shop',
    merchantReference,
    amount: { value: 1000, currency: 'EUR' },
    eventCode: 'AUTHORISATION',
    success: 'true',
  },
});

describe('items that Adyen signed one by one', () => {
  it('are no new event put together in another way, until there is a new one among them', async () => {
    const [one, two] = [await batch(item('P1')), await batch(item('P2'))];
    expect(await more('adyen-payments', one, two)).toBe(2);
    const [a, b] = [one, two].map(({ body }) => JSON.stringify(JSON.parse(body)).slice(22, -2));
    const together = [
      [a, a],
      [a, b],
      [b, a],
      [a, b, a],
    ].map((items) => ({ ...one, body: `{"notificationItems":[${items.join()}]}` }));
    expect(await more('adyen-payments', ...together)).toBe(0);
    expect(await more('adyen-payments', await batch(item('P1'), item('P3')))).toBe(1);
  });

  it('are no other items with the colon of a reference moved, and references may have one', async () => {
    const genuine = await batch(item('P4', 'order:7'));
    expect(await more('adyen-payments', genuine)).toBe(1);
    const before = await idsOf('adyen-payments');
    for (const fields of [
      { merchantAccountCode: 'Shop:order', merchantReference: '7' },
      {
        pspReference: 'P4:',
        originalReference: 'Shop',
        merchantAccountCode: 'order',
        merchantReference: '7',
      },
    ]) {
      const at = 'notificationItems.0.NotificationRequestItem';
      const body = editJson(genuine.body, at, (one) => ({ ...asObject(one), ...fields }));
      await isRefused({ ...genuine, body });
    }
    expect(await idsOf('adyen-payments')).toEqual(before);
  });
});
