import { exports } from 'cloudflare:workers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CERTIFICATES } from '../conformance/senders/certificate-senders.ts';
import { bindingNames, HEX, PAYPAL_WEBHOOKS, SNS_TOPICS, TEXT } from '../conformance/senders/keys.ts';
import { asObject, editJson } from '../conformance/senders/json.ts';
import { headerOf, type Webhook, withHeader, withQuery } from '../conformance/senders/sender.ts';
import { sendersOf } from '../conformance/senders/senders.ts';
import { RSA_CERTIFICATE } from '../signature/certificates.ts';
import { withChecksumOf } from './forge-crc.ts';
import { snsConfirmation } from './handshakes.ts';
import { problemIn } from './problems.ts';
import { admin, event, publish } from './relay.ts';

const TEXT_SECRETS = { secrets: bindingNames(TEXT) };

const SOURCES = {
  'aws-sns': { provider: 'aws-sns', secrets: bindingNames(SNS_TOPICS) },
  twilio: { provider: 'twilio', ...TEXT_SECRETS },
  paypal: { provider: 'paypal', secrets: bindingNames(PAYPAL_WEBHOOKS) },
  mercadopago: { provider: 'mercadopago', ...TEXT_SECRETS },
  mailgun: {
    provider: 'mailgun',
    ...TEXT_SECRETS,
    dedupe: { key: '{{ payload["event-data"].id }}', window: '5m' },
  },
  'adyen-payments': { provider: 'adyen-payments', secrets: bindingNames(HEX) },
} as const;

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
  await publish({ sources: SOURCES });
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(() => vi.restoreAllMocks());

/** Posts a request as it is, whatever bytes its body has. */
const send = ({ method, url, headers, body }: Webhook): Promise<Response> =>
  exports.default.fetch(url, { method, headers, body });

const eventsOf = async (source: string) =>
  (await admin<{ items: { id: string }[] }>('GET', `/events?source=${source}&limit=200`)).body.items;

const idsOf = async (source: string) => (await eventsOf(source)).map(({ id }) => id);

/** A draft as the provider signs it now. */
async function signedBy(provider: keyof typeof SOURCES, draft: Partial<Webhook>): Promise<Webhook> {
  const [sender] = sendersOf(provider);
  if (sender === undefined) throw new Error(provider);
  const whole = {
    method: 'POST',
    url: `https://relay.example/hooks/${provider}`,
    headers: { 'content-type': 'application/json' },
    body: '{}',
    ...draft,
  };
  const adapted = sender.adapt?.(whole) ?? whole;
  return sender.send(adapted, { keys: [sender.keys.signers[0]?.key ?? ''], now: Date.now() });
}

/** The JSON with one more key, whose text is a whole form. */
const withForm = (webhook: Webhook, form: Readonly<Record<string, string>>): Webhook => ({
  ...webhook,
  body: `${webhook.body.slice(0, -1)},"note":"&${new URLSearchParams(form).toString()}&end="}`,
});

const FORM = 'application/x-www-form-urlencoded';

describe('a confirmation that SNS signed', () => {
  it.each([FORM, `${FORM}; charset=utf-8`, ` ${FORM.toUpperCase()} `])(
    'with one more key, sent as %j, is no notification',
    async (type) => {
      const genuine = await snsConfirmation('SubscriptionConfirmation');
      const forged = withForm(genuine, {
        Type: 'Notification',
        MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
        Message: 'Pay me',
      });
      await problemIn(await send(withHeader(forged, 'content-type', type)), 401, 'verification-failed');
      expect(await eventsOf('aws-sns')).toEqual([]);
      expect(asked).toEqual([]);
    },
  );

  it('sent in a form that has just the same fields is refused all the same: SNS sends none', async () => {
    const genuine = await snsConfirmation('SubscriptionConfirmation');
    const fields = asObject(JSON.parse(genuine.body));
    const body = new URLSearchParams(Object.entries(fields).map(([k, v]) => [k, String(v)]));
    const forged = { ...withHeader(genuine, 'content-type', FORM), body: body.toString() };
    await problemIn(await send(forged), 401, 'verification-failed');
    const inField = new URLSearchParams([['payload', genuine.body]]).toString();
    await problemIn(await send({ ...forged, body: inField }), 401, 'verification-failed');
    expect(asked).toEqual([]);
  });

  it.each(['text/plain; charset=UTF-8', 'text/plain; charset=utf-16', 'application/json', 'text/plain'])(
    'is one under %j',
    async (type) => {
      const genuine = await snsConfirmation('SubscriptionConfirmation');
      expect((await send(withHeader(genuine, 'content-type', type))).status).toBe(200);
      expect(asked).toHaveLength(1);
    },
  );
});

/** A status of a message, as Twilio posts it. */
const twilio = (fields: Readonly<Record<string, string>>, idempotency = 'token-1') =>
  signedBy('twilio', {
    headers: { 'content-type': FORM, 'I-Twilio-Idempotency-Token': idempotency },
    body: new URLSearchParams(fields).toString(),
  });

let made = 0;

const STATUS = { MessageStatus: 'sent', To: '+4915112345678' };

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
  ])('with %s, makes no second event', async (_, change) => {
    made += 1;
    const genuine = await twilio({ MessageSid: `SM${1_000 + made}`, ...STATUS });
    expect((await send(genuine)).status).toBe(200);
    const before = await idsOf('twilio');
    const forged = withHeader(
      { ...genuine, body: change(genuine.body) },
      'I-Twilio-Idempotency-Token',
      `other-${made}`,
    );
    await send(forged);
    expect(await idsOf('twilio')).toEqual(before);
  });

  it('and two steps that Twilio signed are two events', async () => {
    const before = (await eventsOf('twilio')).length;
    const call = { CallSid: 'CA1', CallStatus: 'ringing' };
    for (const SequenceNumber of ['0', '1']) await send(await twilio({ ...call, SequenceNumber }));
    expect((await eventsOf('twilio')).length).toBe(before + 2);
  });

  it('with a field of two values, the event has both', async () => {
    const genuine = await twilio({ MessageSid: 'SM0002', MessageStatus: 'read' });
    const [sender] = sendersOf('twilio');
    const draft = { ...genuine, body: `${genuine.body}&Media=1&Media=2` };
    const webhook = await sender?.send(draft, { keys: [TEXT.secrets[0] ?? ''], now: Date.now() });
    if (webhook === undefined) throw new Error('no sender');
    expect((await send(webhook)).status).toBe(200);
    const [newest] = await eventsOf('twilio');
    expect((await event(newest?.id ?? '')).payload).toMatchObject({ Media: ['1', '2'] });
    expect(headerOf(webhook, 'x-twilio-signature')).toBeDefined();
  });
});

/** The receipt that the sender gets: its event, and whether that event came before. */
async function receiptOf(webhook: Webhook): Promise<{ event: string; duplicate: boolean }> {
  const response = await send(webhook);
  expect(response.status).toBeLessThan(300);
  return response.json();
}

const transmission = (id: string) => ({ 'PAYPAL-TRANSMISSION-ID': id, 'content-type': 'application/json' });
const paypalEvent = (id: string) => JSON.stringify({ id, event_type: 'PAYMENT.SALE.COMPLETED' });

describe('a request that PayPal signed, sent again with a body that has its checksum', () => {
  it('is the duplicate of the event that came with it, whatever id it has', async () => {
    const genuine = await signedBy('paypal', { headers: transmission('t-1'), body: paypalEvent('WH-1') });
    const { event: id } = await receiptOf(genuine);
    for (const forged of [paypalEvent('WH-2'), paypalEvent('WH-3'), '{"event_type":"X"}']) {
      const again = await receiptOf({ ...genuine, body: withChecksumOf(forged, genuine.body) });
      expect(again).toMatchObject({ event: id, duplicate: true });
    }
    expect(await idsOf('paypal')).toEqual([id]);
    expect(await event(id)).toMatchObject({ duplicates: 3, payload: { id: 'WH-1' } });
  });

  it('is a duplicate, too, when what it came with was signed anew for an event that was there already', async () => {
    const first = await receiptOf(
      await signedBy('paypal', { headers: transmission('t-2'), body: paypalEvent('WH-4') }),
    );
    const anew = await signedBy('paypal', { headers: transmission('t-3'), body: paypalEvent('WH-4') });
    expect(await receiptOf(anew)).toMatchObject({ event: first.event, duplicate: true });
    const forged = { ...anew, body: withChecksumOf(paypalEvent('WH-5'), anew.body) };
    expect(await receiptOf(forged)).toMatchObject({ event: first.event, duplicate: true });
  });

  it('and the same request again is just the duplicate that it is', async () => {
    const genuine = await signedBy('paypal', { headers: transmission('t-4'), body: paypalEvent('WH-6') });
    const first = await receiptOf(genuine);
    expect(await receiptOf(genuine)).toMatchObject({ event: first.event, duplicate: true });
  });

  it('and two transmissions are two events', async () => {
    const [one, other] = [
      await receiptOf(await signedBy('paypal', { headers: transmission('t-5'), body: paypalEvent('WH-7') })),
      await receiptOf(await signedBy('paypal', { headers: transmission('t-6'), body: paypalEvent('WH-8') })),
    ];
    expect([one.duplicate, other.duplicate]).toEqual([false, false]);
  });
});

const payment = async (request: string) =>
  signedBy('mercadopago', {
    url: 'https://relay.example/hooks/mercadopago?data.id=123456&type=payment',
    headers: { 'content-type': 'application/json', 'x-request-id': request },
    body: JSON.stringify({ action: 'payment.created', data: { id: '123456' } }),
  });

describe('a request that Mercado Pago signed', () => {
  it('is no other request with its id of the request in the id of the payment', async () => {
    const genuine = await payment('mp-1');
    const before = await idsOf('mercadopago');
    const bare = withHeader(genuine, 'x-request-id', null);
    const forged = withQuery(bare, 'data.id', '123456;request-id:mp-1');
    await problemIn(await send(forged), 401, 'verification-failed');
    const moved = withQuery(withHeader(genuine, 'x-request-id', '1;request-id:mp-1'), 'data.id', null);
    await problemIn(await send(moved), 401, 'verification-failed');
    expect(await idsOf('mercadopago')).toEqual(before);
  });

  it('is one event with any body', async () => {
    const genuine = await payment('mp-2');
    expect((await send(genuine)).status).toBe(200);
    const before = await idsOf('mercadopago');
    for (const forged of ['{"action":"payment.updated"}', '{}', genuine.body])
      expect((await send({ ...genuine, body: forged })).status).toBe(200);
    expect(await idsOf('mercadopago')).toEqual(before);
    await send(await payment('mp-3'));
    expect((await idsOf('mercadopago')).length).toBe(before.length + 1);
  });
});

const report = (id: string) => JSON.stringify({ 'event-data': { id, event: 'failed' } });
const withReport = (webhook: Webhook, id: string): Webhook => ({
  ...webhook,
  body: editJson(webhook.body, 'event-data', () => ({ id, event: 'delivered' })),
});

describe('a request that Mailgun signed', () => {
  it('is one event, though the key of its source stands in what nobody signed', async () => {
    const genuine = await signedBy('mailgun', { body: report('e-1') });
    expect((await send(genuine)).status).toBe(200);
    const before = await idsOf('mailgun');
    for (const id of ['e-2', 'e-3', '']) expect((await send(withReport(genuine, id))).status).toBe(200);
    expect(await idsOf('mailgun')).toEqual(before);
    await send(await signedBy('mailgun', { body: report('e-4') }));
    expect((await idsOf('mailgun')).length).toBe(before.length + 1);
  });

  it('and a report that is signed anew is known by the key of its source', async () => {
    await send(await signedBy('mailgun', { body: report('e-5') }));
    const before = await idsOf('mailgun');
    const again = JSON.stringify({ ...asObject(JSON.parse(report('e-5'))), try: 2 });
    await send(await signedBy('mailgun', { body: again }));
    expect(await idsOf('mailgun')).toEqual(before);
  });
});

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
const batch = async (...items: readonly object[]) =>
  signedBy('adyen-payments', { body: JSON.stringify({ notificationItems: items }) });
const itemsOf = (webhook: Webhook): readonly unknown[] => {
  const items: unknown = Reflect.get(asObject(JSON.parse(webhook.body)), 'notificationItems');
  return Array.isArray(items) ? items : [];
};
const together = (webhook: Webhook, items: readonly unknown[]): Webhook => ({
  ...webhook,
  body: JSON.stringify({ notificationItems: items }),
});

describe('items that Adyen signed one by one', () => {
  it('are no new event put together in another way, until there is a new one among them', async () => {
    const one = await batch(item('P1'));
    const two = await batch(item('P2'));
    await send(one);
    await send(two);
    const before = await idsOf('adyen-payments');
    const [a] = itemsOf(one);
    const [b] = itemsOf(two);
    for (const items of [
      [a, a],
      [a, b],
      [b, a],
      [a, b, a],
    ])
      expect((await send(together(one, items))).status).toBe(200);
    expect(await idsOf('adyen-payments')).toEqual(before);
    await send(await batch(item('P1'), item('P3')));
    expect((await idsOf('adyen-payments')).length).toBe(before.length + 1);
  });

  it('are no other items with the colon of a reference moved, and references may have one', async () => {
    const genuine = await batch(item('P4', 'order:7'));
    expect((await send(genuine)).status).toBe(200);
    const before = await idsOf('adyen-payments');
    const at = 'notificationItems.0.NotificationRequestItem';
    const moved = [
      { merchantAccountCode: 'Shop:order', merchantReference: '7' },
      {
        pspReference: 'P4:',
        originalReference: 'Shop',
        merchantAccountCode: 'order',
        merchantReference: '7',
      },
    ];
    for (const fields of moved) {
      const body = editJson(genuine.body, at, (one) => ({ ...asObject(one), ...fields }));
      await problemIn(await send({ ...genuine, body }), 401, 'verification-failed');
    }
    expect(await idsOf('adyen-payments')).toEqual(before);
  });
});
