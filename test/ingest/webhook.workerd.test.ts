import { env } from 'cloudflare:workers';
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useConfig } from '../../src/config/load.ts';
import { handleWebhook } from '../../src/ingest/webhook.ts';
import { logFor } from '../../src/lib/log.ts';
import { signedHeaders } from '../conformance/senders/senders.ts';
import { PHONE, problemOf } from './support.ts';
import { envWith } from '../platform/env.ts';
import { fetchWith } from '../platform/worker.ts';

const ROUTE = { name: 'all', to: PHONE, delay: '1d', send: { kind: 'text', message: 'hello' } };
const OPEN = { verify: { scheme: 'none' } };
const SET = {
  sources: {
    open: { ...OPEN, routes: [ROUTE] },
    shut: { verify: { scheme: 'token', in: 'header', name: 'X-Word' }, secrets: ['HOOK_SECRET'] },
    slack: { provider: 'slack', secrets: ['SLACK_SECRET'], limit: { per_minute: 1 } },
    tight: { ...OPEN, limit: { per_minute: 1 } },
  },
  templates: {},
  recipients: {},
  accounts: {},
  silences: {},
  providers: {},
};

beforeEach(() => {
  logFor(env);
  useConfig(env.CONFIG, { activation: 1, version: 3, set: SET }, Date.now());
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
  // The reports of a flood are two seconds apart.
  vi.spyOn(scheduler, 'wait').mockResolvedValue(undefined);
});
afterEach(() => vi.restoreAllMocks());

/** Posts to a source, and waits for what goes on after the answer. */
async function post(source: string, init: RequestInit = {}, bindings: Env = env): Promise<Response> {
  const ctx = createExecutionContext();
  const address = `https://relay.example/hooks/${source}`;
  const request = new Request(address, { method: 'POST', body: '{"a":1}', ...init });
  const response = await handleWebhook(request, { sourceId: source, pathToken: undefined }, bindings, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}
const typeOf = async (response: Response) => [
  response.status,
  response.headers.get('retry-after'),
  (await problemOf(response)).type.split(':').at(-1),
];

/** A namespace of objects that answer nothing. */
const gone = () => Promise.reject(new Error('gone'));
const BROKEN = { getByName: () => ({ accept: gone, recordRejection: gone }) };

const slack = async (body: string): Promise<Response> => {
  const at = Math.floor(Date.now() / 1_000);
  const signed = await signedHeaders('slack', body, '8f742231b10e8888abcd99yyyzzz85a5', at);
  return post('slack', { body, headers: { 'Content-Type': 'application/json', ...signed } });
};

it('the trip of a webhook ends with a receipt that nobody may keep, and is logged without what was in it', async () => {
  const write = vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  const response = await post('open', { body: '{"name":"Ada"}' });
  expect([response.status, response.headers.get('cache-control')]).toEqual([202, 'no-store']);
  const event: unknown = expect.stringMatching(/^evt_[0-9a-z]{26}$/);
  expect(await response.json()).toEqual({ event, duplicate: false, messages: [expect.any(String)] });
  const lines = write.mock.calls.flat().join('');
  expect(lines).toContain('"stage":"event.accepted"');
  for (const secret of ['Ada', PHONE, 'hello']) expect(lines).not.toContain(secret);
});

it('the trip of a webhook ends before its body is looked at while its source is known to be over its limit', async () => {
  expect((await post('tight')).status).toBe(202);
  const limited = [429, expect.stringMatching(/^\d+$/), 'too-many-webhooks'];
  expect(await typeOf(await post('tight'))).toEqual(limited);
  expect(await typeOf(await post('tight', { body: '{' }, envWith({ OUTBOX: BROKEN })))).toEqual(limited);
});

it('the trip of a webhook answers a signed handshake however far over its limit its source is', async () => {
  for (const status of [200, 429, 429])
    expect((await slack('{"type":"event_callback"}')).status).toBe(status);
  expect(await (await slack('{"type":"url_verification","challenge":"abc"}')).text()).toBe('abc');
});

it('the trip of a webhook says 503 when the event could not be stored, or when there is no space for it, and when to come again', async () => {
  const receipt = {
    event: 'evt_1',
    duplicate: false,
    messages: [],
    refused: { by: 'storage', waitMs: 60_000 },
  };
  const full = { getByName: () => ({ accept: () => Promise.resolve(receipt) }) };
  for (const [OUTBOX, seconds, type] of [
    [BROKEN, '5', 'not-accepted'],
    [full, '60', 'storage-full'],
  ] as const)
    expect(await typeOf(await post('open', {}, envWith({ OUTBOX })))).toEqual([503, seconds, type]);
  // It is not remembered: the next one is asked for again.
  expect((await post('open')).status).toBe(202);
});

it('the trip of a webhook turns nobody away differently while the registry is out of reach', async () => {
  const response = await post('shut', {}, envWith({ REGISTRY: BROKEN }));
  expect(await typeOf(response)).toEqual([401, null, 'verification-failed']);
});

const ask = (path: string, init: RequestInit = {}, bindings = env): Promise<Response> =>
  Promise.resolve(
    fetchWith(new Request(`https://relay.example${path}`, init), bindings, createExecutionContext()),
  );
const posting = { method: 'POST' };
const outOfReach = (what: string) => () => Promise.reject(new Error(`${what} is out of reach`));

it('the route table says that it is well to anybody, and nothing else', async () => {
  const response = await ask('/health');
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

it('the route table says where webhooks go where there is nothing, and repeats no path, since a token may stand in it', async () => {
  for (const path of ['/', '/hooks', '/hooks/', '/hooks/a/b/s3cret', '/health/x', '/admin', '/s3cret']) {
    const response = await ask(path, posting);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const { type, detail } = await problemOf(response);
    const words: unknown = expect.stringContaining('/hooks/{source}');
    expect([path, response.status, type, detail]).toEqual([
      path,
      404,
      'urn:hookbell:problem:not-found',
      words,
    ]);
    expect(detail).not.toContain('s3cret');
  }
  for (const path of ['/hooks/none', '/hooks/none/s3cret', '/hooks/s3cret', '/hooks/%E0%A4%A']) {
    const text = await (await ask(path, posting)).text();
    expect(text).toContain('urn:hookbell:problem:unknown-source');
    expect(text).not.toContain('/s3cret');
  }
  for (const path of ['/a', '/a/', '/A', '/A/', `/A/${'0'.repeat(24)}`]) {
    const response = await ask(path);
    const page: unknown = expect.stringContaining('<h1>This link does not work</h1>');
    expect([path, response.status, await response.text()]).toEqual([path, 404, page]);
  }
});

it('a fault of the platform is 503 with Retry-After, and logged with its cause, which the sender does not read', async () => {
  const write = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  // KV of its own, so that nothing read before is remembered for it.
  const unreadable = envWith({
    CONFIG: { get: outOfReach('KV') },
    REGISTRY: { getByName: () => ({ published: outOfReach('the registry') }) },
  });
  const response = await ask('/hooks/shop/s3cret-token', posting, unreadable);
  expect(await typeOf(response.clone())).toEqual([503, '5', 'unavailable']);
  expect(await response.text()).not.toContain('KV');
  const lines = write.mock.calls.flat().join('');
  for (const said of ['"path":"/hooks/shop"', 'KV is out of reach', 'the registry is out of reach'])
    expect(lines).toContain(said);
  expect(lines).not.toContain('s3cret-token');
});
