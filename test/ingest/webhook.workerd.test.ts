import { env } from 'cloudflare:workers';
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useConfig } from '../../src/config/load.ts';
import { handleWebhook } from '../../src/ingest/webhook.ts';
import { admin } from '../integration/relay.ts';
import { signedHeaders } from '../conformance/senders/senders.ts';
import { PHONE, problemOf } from './support.ts';
import { envWith } from '../platform/env.ts';

const EVENT_ROUTE = { name: 'all', to: PHONE, delay: '1d', send: { kind: 'text', message: 'hello' } };

const SET = {
  sources: {
    open: { verify: { scheme: 'none' }, routes: [EVENT_ROUTE] },
    shut: {
      verify: { scheme: 'token', in: 'header', name: 'X-Word' },
      secrets: ['HOOK_SECRET'],
      routes: [EVENT_ROUTE],
    },
    slack: { provider: 'slack', secrets: ['SLACK_SECRET'], limit: { per_minute: 1 } },
    tight: { verify: { scheme: 'none' }, limit: { per_minute: 1 }, routes: [] },
  },
  templates: {},
  recipients: {},
  accounts: {},
  silences: {},
};

beforeEach(() => {
  useConfig(env.CONFIG, { activation: 1, version: 3, set: SET }, Date.now());
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  // The reports of a flood are two seconds apart.
  vi.spyOn(scheduler, 'wait').mockResolvedValue(undefined);
});
afterEach(() => vi.restoreAllMocks());

/** Posts to a source, and waits for what goes on after the answer. */
async function post(source: string, init: RequestInit = {}, bindings: Env = env): Promise<Response> {
  const ctx = createExecutionContext();
  const request = new Request(`https://relay.example/hooks/${source}`, {
    method: 'POST',
    body: '{"a":1}',
    ...init,
  });
  const response = await handleWebhook(request, { sourceId: source, pathToken: undefined }, bindings, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

const typeOf = async (response: Response) => [
  response.status,
  (await problemOf(response)).type.split(':').at(-1),
];

/** A namespace of objects that answer nothing. */
const gone = () => Promise.reject(new Error('gone'));
const BROKEN = { getByName: () => ({ accept: gone, recordRejection: gone }) };

const rejections = async () => {
  const { body } = await admin<{ items: { detail: string }[] }>('GET', '/rejections');
  return body.items;
};

const KNOWN = { 'X-Word': 'hook-secret', 'Content-Type': 'application/json' };

/** Posts what Slack would, as it signs it. */
async function slack(body: string): Promise<Response> {
  const at = Math.floor(Date.now() / 1_000);
  const signed = await signedHeaders('slack', body, '8f742231b10e8888abcd99yyyzzz85a5', at);
  return post('slack', { body, headers: { 'Content-Type': 'application/json', ...signed } });
}

describe('the trip of a webhook', () => {
  it('ends with a receipt that nobody may keep', async () => {
    const response = await post('open');
    expect(response.status).toBe(202);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const receipt = await response.json<{ event: string; messages: string[] }>();
    expect(receipt).toMatchObject({ duplicate: false });
    expect(receipt.event).toMatch(/^evt_[0-9a-z]{26}$/);
    expect(receipt.messages).toHaveLength(1);
  });

  it('is logged without what was in it', async () => {
    const write = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    await post('open', { body: '{"name":"Ada"}' });
    const lines = write.mock.calls.flat().join('');
    expect(lines).toContain('"stage":"event.accepted"');
    for (const secret of ['Ada', PHONE, 'hello']) expect(lines).not.toContain(secret);
  });

  it('asks who sends before it looks at the body: rubbish from a stranger is 401', async () => {
    expect(await typeOf(await post('shut', { body: '{' }))).toEqual([401, 'verification-failed']);
  });

  it('shows a known sender what is wrong with its body, and the admin too, without showing it', async () => {
    const body = '{"name":"Ada';
    expect(await typeOf(await post('shut', { headers: KNOWN, body }))).toEqual([400, 'malformed-body']);
    expect(await typeOf(await post('shut', { headers: { ...KNOWN, 'Content-Type': 'image/png' } }))).toEqual([
      415,
      'unsupported-type',
    ]);
    const [newest, older] = await rejections();
    expect(newest).toMatchObject({ source: 'shut', status: 415, reason: 'unsupported-type' });
    expect(older).toMatchObject({ source: 'shut', status: 400, reason: 'malformed-body' });
    expect(older?.detail).toMatch(/not valid JSON: at line 1/);
    expect(JSON.stringify([newest, older])).not.toContain('Ada');
  });

  it('answers no handshake of a stranger where handshakes are signed', async () => {
    const body = '{"type":"url_verification","challenge":"abc"}';
    const response = await post('slack', { body, headers: { 'Content-Type': 'application/json' } });
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain('abc');
  });

  it('ends before its body is looked at while its source is known to be over its limit', async () => {
    expect((await post('tight')).status).toBe(202);
    expect(await typeOf(await post('tight'))).toEqual([429, 'too-many-webhooks']);
    const withoutOutbox = envWith({ OUTBOX: BROKEN });
    expect(await typeOf(await post('tight', { body: '{' }, withoutOutbox))).toEqual([
      429,
      'too-many-webhooks',
    ]);
  });

  it('answers a signed handshake however far over its limit its source is', async () => {
    const event = '{"type":"event_callback"}';
    for (const status of [200, 429, 429]) expect((await slack(event)).status).toBe(status);
    const greeting = await slack('{"type":"url_verification","challenge":"abc"}');
    expect(await greeting.text()).toBe('abc');
  });

  it('is over before a secret is asked for where there is no such source', async () => {
    expect(await typeOf(await post('none'))).toEqual([404, 'unknown-source']);
  });

  it('says 503 when the event could not be stored, so that the sender comes again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const response = await post('open', {}, envWith({ OUTBOX: BROKEN }));
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await typeOf(response)).toEqual([503, 'not-accepted']);
  });

  it('says 503 when there is no space for it, and when to come again', async () => {
    const refused = { by: 'storage', waitMs: 60_000 };
    const receipt = { event: 'evt_1', duplicate: false, messages: [], refused };
    const full = { getByName: () => ({ accept: () => Promise.resolve(receipt) }) };
    const response = await post('open', {}, envWith({ OUTBOX: full }));
    expect(response.headers.get('retry-after')).toBe('60');
    expect(await typeOf(response)).toEqual([503, 'storage-full']);
    // It is not remembered: the next one is asked for again.
    expect((await post('open')).status).toBe(202);
  });

  it('a registry that is out of reach turns nobody away differently', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const response = await post('shut', {}, envWith({ REGISTRY: BROKEN }));
    expect(await typeOf(response)).toEqual([401, 'verification-failed']);
  });
});
