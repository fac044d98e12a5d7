import { exports } from 'cloudflare:workers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import page from '../../docs/api.md?raw';
import { providers } from '../platform/providers.ts';
import { CERTIFICATES } from '../conformance/senders/certificate-senders.ts';
import type { Webhook } from '../conformance/senders/sender.ts';
import { RSA_CERTIFICATE } from '../signature/certificates.ts';
import { GREETINGS, greetingName, signed, snsConfirmation, SUBSCRIBE_URL } from './handshakes.ts';
import { eventually } from './outside.ts';
import { problemIn } from './problems.ts';
import { listOf, publish } from './relay.ts';

/** Makes a request as it is, or to another source. */
function send({ method, url, headers, body }: Webhook, source?: string): Promise<Response> {
  const address = new URL(url);
  if (source !== undefined) address.pathname = `/hooks/${source}`;
  const bodiless = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  return exports.default.fetch(address.href, { method, headers, ...(!bodiless && { body }) });
}

/** Another query, body, headers or method than a provider's greeting has. */
interface Change extends Partial<Webhook> {
  readonly query?: string;
}

/** The greeting of a provider, once something about its request is changed. */
async function sendChanged(provider: string, { query, ...change }: Change): Promise<Response> {
  const greeting = GREETINGS.find((one) => one.provider === provider);
  if (greeting === undefined) throw new Error(`${provider} greets nobody`);
  const webhook = { ...(await greeting.request()), ...change };
  return send(query === undefined ? webhook : { ...webhook, url: webhook.url.replace(/\?.*/, query) });
}

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

it('each provider that has a handshake is tried here, and has a row in docs/api.md', () => {
  const tried = new Set(GREETINGS.map(({ provider }) => provider));
  const all = [...providers.values()].filter(({ handshakes = [] }) => handshakes.length > 0);
  expect([...tried].toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  const [, table = ''] = page.split('### Handshakes');
  const cells = table.split('\n').map((line) => line.split('|')[1] ?? '');
  for (const id of tried)
    expect([id, cells.filter((cell) => cell.includes(`\`${id}\``)).length]).toEqual([id, 1]);
});

describe('the handshake', () => {
  it.each(GREETINGS.map((greeting) => [greetingName(greeting), greeting] as const))(
    'of %s is answered just as it wants, to no other source, and not without its signature',
    async (_, { provider, request, answer, signed: isSigned }) => {
      const webhook = await request();
      const response = await send(webhook);
      const headers = { 'cache-control': 'no-store', ...answer.headers };
      expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([answer.status, headers]);
      expect(await response.text()).toBe(answer.body ?? '');
      asked.length = 0;
      const elsewhere = await send(webhook, 'generic');
      if (webhook.method === 'POST') await problemIn(elsewhere, 401, 'verification-failed');
      else expect([elsewhere.status, elsewhere.headers.get('allow')]).toEqual([405, 'POST, PUT']);
      if (isSigned) {
        const body = provider === 'aws-sns' ? webhook.body.replace('You', 'Who') : `${webhook.body} `;
        const refused = await send({ ...webhook, body });
        // Xero takes no answer with a body.
        if (provider === 'xero') expect([refused.status, await refused.text()]).toEqual([401, '']);
        else await problemIn(refused, 401, 'verification-failed');
      }
      expect(asked).toEqual([]);
    },
  );

  it('is no event', async () => expect(await listOf('/events')).toEqual([]));
});

/** A text with the characters that HTML is made of. */
const MARKUP = `<script>alert("1")</script>&'`;
const CONTROL = 'script\u0001';
const inQuery = (name: string, words: string) => `?${new URLSearchParams([[name, words]]).toString()}`;
const META = '?hub.mode=subscribe&hub.verify_token=hook-secret&';
const inMeta = (words: string) => ({ query: META + inQuery('hub.challenge', words).slice(1) });
const slack = async (payload: object) => send(await signed('slack', payload));

describe('a challenge', () => {
  it('is sent back to the letter, as text, JSON or a header that no browser takes for a page', async () => {
    const json = (name: string) => JSON.stringify({ [name]: MARKUP });
    for (const [provider, change, type, said] of [
      ['dropbox', { query: inQuery('challenge', MARKUP) }, 'text/plain; charset=utf-8', MARKUP],
      ['microsoft-graph', { query: inQuery('validationToken', MARKUP) }, 'text/plain; charset=utf-8', MARKUP],
      ['meta-whatsapp', inMeta(MARKUP), 'text/plain; charset=utf-8', MARKUP],
      ['monday', { body: json('challenge') }, 'application/json', json('challenge')],
      [
        'okta',
        { headers: { 'x-okta-verification-challenge': MARKUP } },
        'application/json',
        json('verification'),
      ],
    ] as const) {
      const response = await sendChanged(provider, change);
      const { headers } = response;
      const shown = [response.status, headers.get('content-type'), headers.get('x-content-type-options')];
      expect([provider, ...shown]).toEqual([provider, 200, type, 'nosniff']);
      expect(await response.text()).toBe(said);
    }
    const headers = { 'WebHook-Request-Origin': MARKUP };
    const allowed = await sendChanged('cloudevents-abuse-protection', { headers });
    expect(allowed.headers.get('webhook-allowed-origin')).toBe(MARKUP);
    expect(await (await slack({ type: 'url_verification', challenge: MARKUP })).text()).toBe(MARKUP);
  });

  it('that is odd is refused, and not sent back', async () => {
    const changes: readonly (readonly [string, Change])[] = [
      ['dropbox', { query: inQuery('challenge', CONTROL) }],
      ['dropbox', { query: `?challenge=${'a'.repeat(4_097)}` }],
      ['microsoft-graph', { query: inQuery('validationToken', CONTROL) }],
      ['x', { query: '?crc_token=%7B%22tweet_create_events%22%3A%5B%5D%7D' }],
      ['x', { query: '?crc_token=a%3Db' }],
      ['monday', { body: JSON.stringify({ challenge: CONTROL }) }],
      ['monday', { body: '{"challenge":{"a":1}}' }],
      ['asana', { headers: { 'X-Hook-Secret': 'a\u0001' } }],
      ['notion', { body: '{"verification_token":["a"]}' }],
      ['meta-whatsapp', inMeta(CONTROL)],
      ['cloudevents-abuse-protection', { headers: { 'WebHook-Request-Origin': 'ä' } }],
    ];
    const odd = changes.map(([provider, change]) => sendChanged(provider, change));
    const signedOnes = ['script\n', '', { a: 1 }, undefined].map((challenge) =>
      slack({ type: 'url_verification', challenge }),
    );
    for (const response of [...odd, ...signedOnes]) {
      const problem = await problemIn(await response, 400, 'malformed-handshake');
      expect(JSON.stringify(problem)).not.toMatch(/script|tweet|aaaa|\u00e4/);
    }
  });
});

describe('a request that only looks like a handshake', () => {
  it('is verified like any other', async () => {
    const signature = { 'content-type': 'application/x-www-form-urlencoded', 'X-WC-Webhook-Signature': 'a' };
    const changes: readonly (readonly [string, Change])[] = [
      ['monday', { body: '{"challenge":"a","event":{"type":"create_item"}}' }],
      ['notion', { body: '{"verification_token":"a","type":"page.created"}' }],
      ['monday', { body: '{"challenge":"a"' }],
      ['microsoft-graph', { query: '' }],
      ['woocommerce', { headers: signature }],
      ['woocommerce', { method: 'PUT' }],
    ];
    for (const [provider, change] of changes)
      await problemIn(await sendChanged(provider, change), 401, 'verification-failed');
    const event = await slack({ type: 'event_callback', event_id: 'Ev1', challenge: 'a' });
    expect(await event.json()).toMatchObject({ duplicate: false, messages: [] });
  });

  it('is refused when its method is for nothing else', async () => {
    for (const [source, method, query, allow] of [
      ['dropbox', 'GET', '', 'POST, PUT'],
      ['dropbox', 'HEAD', '?challenge=a', 'POST, PUT, GET'],
      ['dropbox', 'DELETE', '?challenge=a', 'POST, PUT, GET'],
      ['meta-whatsapp', 'GET', '?hub.mode=unsubscribe', 'POST, PUT'],
      ['okta', 'GET', '', 'POST, PUT'],
      ['trello', 'GET', '', 'POST, PUT, HEAD'],
      ['cloudevents-abuse-protection', 'OPTIONS', '', 'POST, PUT'],
    ] as const) {
      const response = await exports.default.fetch(`https://relay.example/hooks/${source}${query}`, {
        method,
      });
      const shown = [source, response.status, response.headers.get('allow')];
      expect(shown).toEqual([source, 405, allow]);
      if (method === 'HEAD') expect(await response.text()).toBe('');
    }
  });

  it('but has a body that X has had signed for anybody is no event', async () => {
    const crc = await exports.default.fetch('https://relay.example/hooks/x?crc_token=12345');
    const { response_token } = await crc.json<{ response_token: string }>();
    const headers = { 'content-type': 'application/json', 'x-twitter-webhooks-signature': response_token };
    const init = { method: 'POST', headers, body: '12345' };
    const response = await exports.default.fetch('https://relay.example/hooks/x', init);
    await problemIn(response, 401, 'verification-failed');
  });
});

/** Sends until a rejection shows, since no more than N a second are kept. */
const isListed = (source: string, status: number, code: string, again: () => Promise<Response>) =>
  eventually(async () => {
    await again();
    const like: unknown = expect.objectContaining({ source, status, code });
    expect(await listOf('/rejections')).toContainEqual(like);
  });

const ask = (source: string, token: string) => () =>
  exports.default.fetch(
    `https://relay.example/hooks/${source}?hub.mode=subscribe&hub.challenge=42&hub.verify_token=${token}`,
  );

describe('the word that was agreed on with Meta', () => {
  it('is refused when it is another, and the admin hears of it', async () => {
    const guess = ask('meta-whatsapp', 'guessed-word');
    const { detail } = await problemIn(await guess(), 403, 'handshake-refused');
    expect(detail).not.toContain('guessed-word');
    await isListed('meta-whatsapp', 403, 'mismatch', guess);
    expect(JSON.stringify(await listOf('/rejections'))).not.toMatch(/guessed-word|hook-secret/);
  });

  it('is waited for where the source names none yet', async () => {
    const early = ask('meta-without', 'hook-secret');
    const response = await early();
    expect(response.headers.get('retry-after')).toBe('60');
    const { detail } = await problemIn(response, 503, 'source-not-configured');
    expect(detail).toContain('handshake: { secret: NAME }');
    await isListed('meta-without', 503, 'secret_missing', early);
  });
});

const subscribe = async () => send(await snsConfirmation('SubscriptionConfirmation'));

describe('a subscription of SNS', () => {
  it('is confirmed at its address, once, and not taken up again when it has ended', async () => {
    expect((await subscribe()).status).toBe(200);
    expect((await send(await snsConfirmation('UnsubscribeConfirmation'))).status).toBe(200);
    expect(asked).toEqual([SUBSCRIBE_URL]);
  });

  it('is to be sent again when it could not be confirmed', async () => {
    sns.status = 500;
    const response = await subscribe();
    expect(response.headers.get('retry-after')).toBe('30');
    await problemIn(response, 503, 'handshake-unconfirmed');
    await isListed('aws-sns', 503, 'unconfirmed', subscribe);
  });

  it('is confirmed nowhere else', async () => {
    const elsewhere = 'https://sns.eu-central-1.amazonaws.com.example.com/?Action=ConfirmSubscription';
    const response = await send(await snsConfirmation('SubscriptionConfirmation', elsewhere));
    const problem = await problemIn(response, 503, 'handshake-unconfirmed');
    expect(JSON.stringify(problem)).not.toContain('example.com');
    expect(asked).toEqual([]);
  });
});
