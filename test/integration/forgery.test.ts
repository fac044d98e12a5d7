import { exports } from 'cloudflare:workers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CERTIFICATES } from '../conformance/senders/certificate-senders.ts';
import { bindingNames, SNS_TOPICS, TEXT } from '../conformance/senders/keys.ts';
import { asObject } from '../conformance/senders/json.ts';
import { headerOf, type Webhook, withHeader } from '../conformance/senders/sender.ts';
import { sendersOf } from '../conformance/senders/senders.ts';
import { RSA_CERTIFICATE } from '../signature/certificates.ts';
import { snsConfirmation } from './handshakes.ts';
import { problemIn } from './problems.ts';
import { admin, event, publish } from './relay.ts';

const TEXT_SECRETS = { secrets: bindingNames(TEXT) };

const SOURCES = {
  'aws-sns': { provider: 'aws-sns', secrets: bindingNames(SNS_TOPICS) },
  twilio: { provider: 'twilio', ...TEXT_SECRETS },
};

/** What SNS's host was asked for beside certificates. */
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

describe('a form that Twilio signed, sent again by somebody who saw it', () => {
  const STATUS = { MessageStatus: 'sent', To: '+4915112345678' };

  it.each<[string, (body: string) => string]>([
    ['a question mark before it', (body) => `?${body}`],
    ['a byte order mark before it', (body) => `\ufeff${body}`],
    ['an encoded byte order mark before it', (body) => `%EF%BB%BF${body}`],
  ])('with %s, makes no second event', async (_, change) => {
    made += 1;
    const genuine = await twilio({ MessageSid: `SM${1_000 + made}`, ...STATUS });
    expect((await send(genuine)).status).toBe(200);
    const before = await idsOf('twilio');
    const forged = withHeader(
      { ...genuine, body: change(genuine.body) },
      'I-Twilio-Idempotency-Token',
      'other',
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
