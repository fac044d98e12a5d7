import { env } from 'cloudflare:workers';
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { app } from '../../src/app.ts';
import { signedHeaders } from '../conformance/senders/senders.ts';
import { envWith } from '../platform/env.ts';
import { problemIn } from './problems.ts';
import { admin, event, post, postJson, publish } from './relay.ts';

/** As vitest.config.ts binds them. */
const WORD = 'hook-secret';
const OLD = 'whsec_test_secret';
const NEW = 'whsec_test_secret_next';
const BASIC = 'user:pass:word';
const ALL_SECRETS = [WORD, OLD, NEW, BASIC, 'gateway-key-of-the-tests', 'admin-token-of-the-tests'];

const ROUTES: readonly object[] = [];
const SET = {
  sources: {
    stripe: { provider: 'stripe', secrets: ['STRIPE_SECRET', 'STRIPE_SECRET_NEXT'], routes: ROUTES },
    header: {
      verify: { scheme: 'token', in: 'header', name: 'Authorization', prefix: 'Bearer ' },
      secrets: ['HOOK_SECRET'],
      routes: ROUTES,
    },
    query: { verify: { scheme: 'token', in: 'query', name: 'k' }, secrets: ['HOOK_SECRET'], routes: ROUTES },
    path: { verify: { scheme: 'token', in: 'path' }, secrets: ['HOOK_SECRET'], routes: ROUTES },
    basic: { verify: { scheme: 'basic' }, secrets: ['BASIC_SECRET'], routes: ROUTES },
  },
};

beforeAll(() => publish(SET));

const BODY = '{"id":"evt_1","type":"paid"}';
const seconds = () => Math.floor(Date.now() / 1_000);

async function postStripe(secret: string, at = seconds(), body = BODY): Promise<Response> {
  const signature = await signedHeaders('stripe', BODY, secret, at);
  return post('stripe', body, { 'content-type': 'application/json', ...signature });
}

const basic = (credentials: string) => ({ authorization: `Basic ${btoa(credentials)}` });

describe('a request that shows the secret', () => {
  it.each([
    ['as a bearer token', () => postJson('header', {}, { authorization: `Bearer ${WORD}` })],
    ['in the query', () => postJson(`query?k=${WORD}`, {})],
    ['in the path', () => postJson(`path/${WORD}`, {})],
    ['as user and password with a colon in it', () => postJson('basic', {}, basic(BASIC))],
    ['by a signature of the old secret', () => postStripe(OLD)],
    ['by a signature of the new secret', () => postStripe(NEW)],
  ])('%s is taken, and nothing secret is kept', async (_, send) => {
    const response = await send();
    expect(response.status).toBe(202);
    const { event: id } = await response.json<{ event: string }>();
    const kept = JSON.stringify(await event(id));
    for (const secret of ALL_SECRETS) {
      expect(kept).not.toContain(secret);
      expect(kept).not.toContain(btoa(secret));
    }
    expect(kept).not.toMatch(/v1=|authorization|signature/);
  });
});

const events = async () => (await admin<{ items: unknown[] }>('GET', '/events?limit=200')).body.items;

describe('a request that does not', () => {
  const refused: readonly [string, () => Promise<Response>][] = [
    ['no signature', () => postJson('stripe', {})],
    ['a signature that is none', () => postJson('stripe', {}, { 'stripe-signature': 'rubbish' })],
    ['a signature by another secret', () => postStripe('whsec_other')],
    ['a signature for another body', () => postStripe(OLD, seconds(), `${BODY} `)],
    ['a stale signature', () => postStripe(OLD, seconds() - 301)],
    ['a signature of the future', () => postStripe(OLD, seconds() + 400)],
    ['no token', () => postJson('header', {})],
    ['a wrong token', () => postJson('header', {}, { authorization: 'Bearer wrong' })],
    ['a token without its prefix', () => postJson('header', {}, { authorization: WORD })],
    ['a wrong token in the query', () => postJson('query?k=wrong', {})],
    ['the token twice in the query', () => postJson(`query?k=${WORD}&k=wrong`, {})],
    ['a wrong token in the path', () => postJson('path/wrong', {})],
    ['no token in the path', () => postJson('path', {})],
    ['another password', () => postJson('basic', {}, basic('user:pass'))],
    ['basic that is no base64', () => postJson('basic', {}, { authorization: 'Basic %%%' })],
  ];

  it.each(refused)('but %s, is 401', async (_, send) => {
    await problemIn(await send(), 401, 'verification-failed');
  });

  it('gets one and the same body, byte for byte, whatever was wrong', async () => {
    const bodies = await Promise.all(refused.map(async ([, send]) => (await send()).text()));
    expect(new Set(bodies).size).toBe(1);
  });

  it('makes no event', async () => {
    const before = await events();
    for (const [, send] of refused) await send();
    expect(await events()).toEqual(before);
  });
});

/** Posts to the app of a deployment that lost secrets after the publish. */
async function postWithout(names: readonly string[], path: string, headers: Record<string, string>) {
  const ctx = createExecutionContext();
  const bindings = envWith(Object.fromEntries(names.map((name) => [name, undefined])));
  const request = new Request(`https://relay.example/hooks/${path}`, {
    method: 'POST',
    headers,
    body: BODY,
  });
  const response = await app.fetch(request, bindings, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

describe('a source whose secret is missing', () => {
  it('cannot be published: the error names the secret', async () => {
    const document = { verify: { scheme: 'basic' }, secrets: ['LATE_SECRET'] };
    const { status, body } = await admin<{ errors: { path: string; message: string }[] }>(
      'PUT',
      '/sources/late',
      document,
    );
    expect([status, body.errors.map(({ path }) => path)]).toEqual([422, ['sources.late.secrets[0]']]);
    expect(body.errors[0]?.message).toContain('wrangler secret put LATE_SECRET');
    await problemIn(await postJson('late', {}), 404, 'unknown-source');
  });

  it.each([
    ['header', { authorization: `Bearer ${WORD}` }],
    ['header', { authorization: 'Bearer undefined' }],
    ['header', {}],
    [`path/${WORD}`, {}],
  ])('takes nothing when it is lost later: %s with %j is 503, to be sent again', async (path, headers) => {
    const response = await postWithout(['HOOK_SECRET'], path, headers);
    expect(response.headers.get('retry-after')).toBe('60');
    const { detail } = await problemIn(response, 503, 'source-not-configured');
    expect(detail).not.toContain('HOOK_SECRET');
  });

  it('goes on with the secret that is left', async () => {
    const signature = await signedHeaders('stripe', BODY, NEW, seconds());
    const response = await postWithout(['STRIPE_SECRET'], 'stripe', { ...signature });
    expect(response.status).toBe(202);
  });

  it('the binding of something else is no secret', async () => {
    expect(env.CONFIG).toBeDefined();
    const { status } = await admin('PUT', '/sources/odd', {
      verify: { scheme: 'basic' },
      secrets: ['CONFIG'],
    });
    expect(status).toBe(422);
  });
});
