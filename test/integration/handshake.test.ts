import { exports } from 'cloudflare:workers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import page from '../../docs/api.md?raw';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { CERTIFICATES } from '../conformance/senders/certificate-senders.ts';
import type { Webhook } from '../conformance/senders/sender.ts';
import { RSA_CERTIFICATE } from '../signature/certificates.ts';
import {
  GREETINGS,
  greetingName,
  signed,
  snsConfirmation,
  SUBSCRIBE_URL,
  type Greeting,
} from './handshakes.ts';
import { eventually } from './outside.ts';
import { problemIn } from './problems.ts';
import { admin, publish } from './relay.ts';

/** Makes a request as it is, or to another source. */
function send({ method, url, headers, body }: Webhook, source?: string): Promise<Response> {
  const address = new URL(url);
  if (source !== undefined) address.pathname = `/hooks/${source}`;
  const bodiless = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  return exports.default.fetch(address.href, { method, headers, ...(!bodiless && { body }) });
}

/** The greeting of a provider, once something about its request is changed. */
async function sendChanged(provider: string, change: (webhook: Webhook) => Webhook): Promise<Response> {
  const greeting = GREETINGS.find((one) => one.provider === provider);
  if (greeting === undefined) throw new Error(`${provider} greets nobody`);
  return send(change(await greeting.request()));
}

const withQuery = (webhook: Webhook, query: string): Webhook => ({
  ...webhook,
  url: webhook.url.replace(/\?.*/, query),
});

/** The requests to SNS's host, and the status with which it answers a confirmation. */
const asked: string[] = [];
const sns = { status: 200 };

beforeAll(async () => {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith('https://sns.')) return real(input, init);
    if (url === CERTIFICATES.sns) return Promise.resolve(new Response(RSA_CERTIFICATE));
    asked.push(url);
    return Promise.resolve(new Response('<ConfirmSubscriptionResponse/>', { status: sns.status }));
  });
  const sources = GREETINGS.map(({ provider, source }) => [provider, { provider, ...source }] as const);
  const token = { scheme: 'token', in: 'header', name: 'X-Token' };
  await publish({
    sources: {
      ...Object.fromEntries<object>(sources),
      generic: { provider: 'generic', verify: token, secrets: ['HOOK_SECRET'] },
      'meta-without': { provider: 'meta-whatsapp', secrets: ['HOOK_SECRET'] },
    },
  });
});
beforeEach(() => {
  asked.length = 0;
  sns.status = 200;
});
afterAll(() => vi.restoreAllMocks());

const ALL = GREETINGS.map((greeting) => [greetingName(greeting), greeting] as const);

describe('the handshakes', () => {
  const withHandshake = [...providers.values()].filter(({ handshakes = [] }) => handshakes.length > 0);

  it('are tried for each provider that has one: test/integration/handshakes.ts', () => {
    const tried = new Set(GREETINGS.map(({ provider }) => provider));
    expect([...tried].toSorted()).toEqual(withHandshake.map(({ id }) => id).toSorted());
  });

  it.each(withHandshake.map(({ id }) => id))('have a row for %s in docs/api.md', (id) => {
    const [, table = ''] = page.split('### Handshakes');
    const cells = table.split('\n').map((line) => line.split('|')[1] ?? '');
    expect(cells.filter((cell) => cell.includes(`\`${id}\``))).toHaveLength(1);
  });
});

describe('the handshake of', () => {
  it.each(ALL)('%s is answered just as it wants', async (_, { request, answer }) => {
    const response = await send(await request());
    expect(response.status).toBe(answer.status);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      ...answer.headers,
    });
    expect(await response.text()).toBe(answer.body ?? '');
  });

  it.each(ALL)('%s is none to a source of another provider', async (_, { request }) => {
    const webhook = await request();
    const response = await send(webhook, 'generic');
    if (webhook.method === 'POST') await problemIn(response, 401, 'verification-failed');
    else {
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST, PUT');
    }
    expect(asked).toEqual([]);
  });

  it.each(ALL.filter(([, { signed }]) => signed))(
    '%s gets 401 when its signature is not right',
    async (_, { request, provider }: Greeting) => {
      const webhook = await request();
      const body = provider === 'aws-sns' ? webhook.body.replace('You', 'Who') : `${webhook.body} `;
      const refused = await send({ ...webhook, body });
      // Xero takes no answer with a body.
      if (provider === 'xero') expect([refused.status, await refused.text()]).toEqual([401, '']);
      else await problemIn(refused, 401, 'verification-failed');
      expect(asked).toEqual([]);
    },
  );

  it('none of them is an event', async () => {
    expect((await admin<{ items: unknown[] }>('GET', '/events')).body.items).toEqual([]);
  });
});

/** A text with the characters that HTML is made of. */
const MARKUP = `<script>alert("1")</script>&'`;
const CONTROL = 'script\u0001';
const inQuery = (name: string, text: string) => `?${new URLSearchParams([[name, text]]).toString()}`;
const META = '?hub.mode=subscribe&hub.verify_token=hook-secret&';

describe('a challenge is opaque, and sent back to the letter', () => {
  it.each<[string, (webhook: Webhook) => Webhook]>([
    ['dropbox', (webhook) => withQuery(webhook, inQuery('challenge', MARKUP))],
    ['microsoft-graph', (webhook) => withQuery(webhook, inQuery('validationToken', MARKUP))],
    ['meta-whatsapp', (webhook) => withQuery(webhook, META + inQuery('hub.challenge', MARKUP).slice(1))],
  ])('as text, which no browser takes for a page (%s)', async (provider, change) => {
    const response = await sendChanged(provider, change);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe(MARKUP);
  });

  it.each<[string, string, (webhook: Webhook) => Webhook]>([
    ['monday', 'challenge', (webhook) => ({ ...webhook, body: JSON.stringify({ challenge: MARKUP }) })],
    [
      'okta',
      'verification',
      (webhook) => ({ ...webhook, headers: { 'x-okta-verification-challenge': MARKUP } }),
    ],
  ])('in JSON (%s)', async (provider, name, change) => {
    const response = await sendChanged(provider, change);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toEqual({ [name]: MARKUP });
  });

  it('in a header (cloudevents-abuse-protection)', async () => {
    const response = await sendChanged('cloudevents-abuse-protection', (webhook) => ({
      ...webhook,
      headers: { 'WebHook-Request-Origin': MARKUP },
    }));
    expect(response.headers.get('webhook-allowed-origin')).toBe(MARKUP);
  });

  it('when it is signed (slack)', async () => {
    expect(await (await slack({ type: 'url_verification', challenge: MARKUP })).text()).toBe(MARKUP);
  });
});

describe('a challenge that is odd', () => {
  it.each<[string, (webhook: Webhook) => Webhook]>([
    ['dropbox', (webhook) => withQuery(webhook, inQuery('challenge', CONTROL))],
    ['dropbox', (webhook) => withQuery(webhook, `?challenge=${'a'.repeat(4_097)}`)],
    ['microsoft-graph', (webhook) => withQuery(webhook, inQuery('validationToken', CONTROL))],
    ['x', (webhook) => withQuery(webhook, '?crc_token=%7B%22tweet_create_events%22%3A%5B%5D%7D')],
    ['x', (webhook) => withQuery(webhook, '?crc_token=a%3Db')],
    ['monday', (webhook) => ({ ...webhook, body: JSON.stringify({ challenge: CONTROL }) })],
    ['monday', (webhook) => ({ ...webhook, body: '{"challenge":{"a":1}}' })],
    ['asana', (webhook) => ({ ...webhook, headers: { 'X-Hook-Secret': 'a\u0001' } })],
    ['notion', (webhook) => ({ ...webhook, body: '{"verification_token":["a"]}' })],
    ['meta-whatsapp', (webhook) => withQuery(webhook, META + inQuery('hub.challenge', CONTROL).slice(1))],
    [
      'cloudevents-abuse-protection',
      (webhook) => ({ ...webhook, headers: { 'WebHook-Request-Origin': 'ä' } }),
    ],
  ])('is refused, and not sent back (%s)', async (provider, change) => {
    const problem = await problemIn(await sendChanged(provider, change), 400, 'malformed-handshake');
    expect(JSON.stringify(problem)).not.toMatch(/script|tweet|aaaa|\u00e4/);
  });
});

const slack = async (payload: object) => send(await signed('slack', payload));

describe('a signed challenge of Slack', () => {
  it.each(['script\n', '', { a: 1 }, undefined])(
    'that could not be one (%j) is refused, and not sent back',
    async (challenge) => {
      const { detail } = await problemIn(
        await slack({ type: 'url_verification', challenge }),
        400,
        'malformed-handshake',
      );
      expect(detail).toContain('body:challenge');
      expect(detail).not.toContain('script');
    },
  );

  it('is distinguished from an event', async () => {
    const response = await slack({ type: 'event_callback', event_id: 'Ev1', challenge: 'a' });
    expect(response.ok).toBe(true);
    expect(await response.json()).toMatchObject({ duplicate: false, messages: [] });
  });
});

describe('a request that only looks like a handshake', () => {
  it.each<[string, (webhook: Webhook) => Webhook]>([
    ['monday', (webhook) => ({ ...webhook, body: '{"challenge":"a","event":{"type":"create_item"}}' })],
    ['notion', (webhook) => ({ ...webhook, body: '{"verification_token":"a","type":"page.created"}' })],
    ['monday', (webhook) => ({ ...webhook, body: '{"challenge":"a"' })],
    ['microsoft-graph', (webhook) => withQuery(webhook, '')],
    [
      'woocommerce',
      (webhook) => ({ ...webhook, headers: { ...webhook.headers, 'X-WC-Webhook-Signature': 'a' } }),
    ],
    ['woocommerce', (webhook) => ({ ...webhook, method: 'PUT' })],
  ])('is verified like any other (%s)', async (provider, change) => {
    await problemIn(await sendChanged(provider, change), 401, 'verification-failed');
  });

  it.each([
    ['dropbox', 'GET', '', 'POST, PUT'],
    ['dropbox', 'HEAD', '?challenge=a', 'POST, PUT, GET'],
    ['dropbox', 'DELETE', '?challenge=a', 'POST, PUT, GET'],
    ['meta-whatsapp', 'GET', '?hub.mode=unsubscribe', 'POST, PUT'],
    ['okta', 'GET', '', 'POST, PUT'],
    ['trello', 'GET', '', 'POST, PUT, HEAD'],
    ['cloudevents-abuse-protection', 'OPTIONS', '', 'POST, PUT'],
  ])('is refused when its method is for nothing else (%s, %s %s)', async (source, method, query, allow) => {
    const response = await exports.default.fetch(`https://relay.example/hooks/${source}${query}`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    if (method === 'HEAD') expect(await response.text()).toBe('');
  });

  it('but has a body that X has had signed for anybody is no event', async () => {
    const crc = await exports.default.fetch('https://relay.example/hooks/x?crc_token=12345');
    const { response_token } = await crc.json<{ response_token: string }>();
    const response = await exports.default.fetch('https://relay.example/hooks/x', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-twitter-webhooks-signature': response_token },
      body: '12345',
    });
    await problemIn(response, 401, 'verification-failed');
  });
});

interface Rejection {
  readonly source: string;
  readonly status: number;
  readonly reason: string;
  readonly detail: string;
}

const rejections = async () => (await admin<{ items: Rejection[] }>('GET', '/rejections')).body.items;

/** Sends until a rejection shows, since no more than N a second are kept. */
const expectRejection = (expected: Partial<Rejection>, send: () => Promise<Response>) =>
  eventually(async () => {
    await send();
    expect(await rejections()).toContainEqual(expect.objectContaining(expected));
  });

/** Meta's first request, with the word that was agreed on or another. */
const ask = (source: string, token: string) =>
  exports.default.fetch(
    `https://relay.example/hooks/${source}?hub.mode=subscribe&hub.challenge=42&hub.verify_token=${token}`,
  );

const guess = () => ask('meta-whatsapp', 'guessed-word');
const early = () => ask('meta-without', 'hook-secret');
const subscribe = async () => send(await snsConfirmation('SubscriptionConfirmation'));

describe('the word that was agreed on with Meta', () => {
  it('is refused when it is another, and the admin hears of it', async () => {
    const { detail } = await problemIn(await guess(), 403, 'handshake-refused');
    expect(detail).not.toContain('guessed-word');
    await expectRejection({ source: 'meta-whatsapp', status: 403, reason: 'mismatch' }, guess);
    expect(JSON.stringify(await rejections())).not.toMatch(/guessed-word|hook-secret/);
  });

  it('is waited for where the source names none yet', async () => {
    const response = await early();
    expect(response.headers.get('retry-after')).toBe('60');
    const { detail } = await problemIn(response, 503, 'source-not-configured');
    expect(detail).toContain('handshake: { secret: NAME }');
    await expectRejection({ source: 'meta-without', status: 503, reason: 'secret_missing' }, early);
  });
});

describe('a subscription of SNS', () => {
  it('is confirmed at its address, once', async () => {
    expect((await subscribe()).status).toBe(200);
    expect(asked).toEqual([SUBSCRIBE_URL]);
  });

  it('that has ended is not taken up again', async () => {
    expect((await send(await snsConfirmation('UnsubscribeConfirmation'))).status).toBe(200);
    expect(asked).toEqual([]);
  });

  it('is to be sent again when it could not be confirmed', async () => {
    sns.status = 500;
    const response = await subscribe();
    expect(response.headers.get('retry-after')).toBe('30');
    await problemIn(response, 503, 'handshake-unconfirmed');
    await expectRejection({ source: 'aws-sns', status: 503, reason: 'unconfirmed' }, subscribe);
  });

  it('is confirmed nowhere else', async () => {
    const elsewhere = 'https://sns.eu-central-1.amazonaws.com.example.com/?Action=ConfirmSubscription';
    const response = await send(await snsConfirmation('SubscriptionConfirmation', elsewhere));
    const problem = await problemIn(response, 503, 'handshake-unconfirmed');
    expect(JSON.stringify(problem)).not.toContain('example.com');
    expect(asked).toEqual([]);
  });
});
