import { env } from 'cloudflare:workers';
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { signedHeaders } from '../conformance/senders/senders.ts';
import { envWith } from '../platform/env.ts';
import { fetchWith } from '../platform/worker.ts';
import { eventually } from '../eventually.ts';
import { problemIn } from './problems.ts';
import { admin, event, listOf, post, postJson, publish, receiptOf } from './relay.ts';

/** As test/bindings.ts binds them. */
const [WORD, OLD, NEW, BASIC] = [
  'hook-secret',
  'whsec_test_secret',
  'whsec_test_secret_next',
  'user:pass:word',
];
const ALL_SECRETS = [WORD, OLD, NEW, BASIC, 'gateway-key-of-the-tests', 'admin-token-of-the-tests'];

const byToken = (place: object) => ({ verify: { scheme: 'token', ...place }, secrets: ['HOOK_SECRET'] });
const BY_BASIC = { verify: { scheme: 'basic' } };

beforeAll(() =>
  publish({
    sources: {
      stripe: { provider: 'stripe', secrets: ['STRIPE_SECRET', 'STRIPE_SECRET_NEXT'] },
      header: byToken({ in: 'header', name: 'Authorization', prefix: 'Bearer ' }),
      query: byToken({ in: 'query', name: 'k' }),
      path: byToken({ in: 'path' }),
      basic: { ...BY_BASIC, secrets: ['BASIC_SECRET'] },
    },
  }),
);

const BODY = '{"id":"evt_1","type":"paid","name":"Ada"}';
const seconds = () => Math.floor(Date.now() / 1_000);
const JSON_TYPE = { 'content-type': 'application/json' };

async function postStripe(secret: string, at = seconds(), body = BODY, signed = BODY): Promise<Response> {
  return post('stripe', body, { ...JSON_TYPE, ...(await signedHeaders('stripe', signed, secret, at)) });
}
const bearer = (word: string) => ({ authorization: `Bearer ${word}` });
const basic = (credentials: string) => ({ authorization: `Basic ${btoa(credentials)}` });

it('a request that shows the secret is taken, and nothing secret is kept', async () => {
  for (const send of [
    () => postJson('header', {}, bearer(WORD)),
    () => postJson(`query?k=${WORD}`, {}),
    () => postJson(`path/${WORD}`, {}),
    () => postJson('basic', {}, basic(BASIC)),
    () => postStripe(OLD),
    () => postStripe(NEW),
  ]) {
    const kept = JSON.stringify(await event((await receiptOf(send())).event));
    for (const secret of ALL_SECRETS)
      for (const form of [secret, btoa(secret)]) expect(kept).not.toContain(form);
    expect(kept).not.toMatch(/v1=|authorization|signature/);
  }
});

const REFUSED: readonly (readonly [string, () => Promise<Response>])[] = [
  ['no signature', () => postJson('stripe', {})],
  ['a signature that is none', () => postJson('stripe', {}, { 'stripe-signature': 'rubbish-of-a-header' })],
  [
    'a signature under a key that proves nothing',
    () => post('stripe', BODY, { 'stripe-signature': `t=${seconds()},v0=${'a'.repeat(64)}` }),
  ],
  ['a signature by another secret', () => postStripe('whsec_other')],
  ['a signature for another body', () => postStripe(OLD, seconds(), `${BODY} `)],
  ['a stale signature', () => postStripe(OLD, seconds() - 301)],
  ['a signature of the future', () => postStripe(OLD, seconds() + 400)],
  ['no token', () => postJson('header', {})],
  ['a wrong token', () => postJson('header', {}, bearer('wrong'))],
  ['a token without its prefix', () => postJson('header', {}, { authorization: WORD })],
  ['a wrong token in the query', () => postJson('query?k=wrong', {})],
  ['the token twice in the query', () => postJson(`query?k=${WORD}&k=wrong`, {})],
  ['a wrong token in the path', () => postJson('path/guessed-token', {})],
  ['no token in the path', () => postJson('path', {})],
  ['another password', () => postJson('basic', {}, basic('user:pass'))],
  ['basic that is no base64', () => postJson('basic', {}, { authorization: 'Basic %%%' })],
];

it('a request that does not is 401 with one and the same body, whatever was wrong, and no event', async () => {
  const before = await listOf('/events?limit=200');
  const bodies = new Set<string>();
  for (const [what, send] of REFUSED) {
    const response = await send();
    bodies.add(await response.clone().text());
    expect([what, await problemIn(response, 401, 'verification-failed')]).toHaveLength(2);
  }
  expect(bodies.size).toBe(1);
  expect(await listOf('/events?limit=200')).toEqual(before);
});

it('the admin sees for what precise reason each was refused, and nothing of bodies, secrets or what was given for one', async () => {
  // Ten in a second are kept: each of these has a minute of its own.
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  const body = '{"name":"Ada';
  const malformed = () => postStripe(OLD, seconds(), body, body);
  for (const send of [malformed, ...REFUSED.map(([, one]) => one)]) {
    now += 60_000;
    expect((await send()).ok).toBe(false);
  }
  clock.mockRestore();
  interface Rejection {
    readonly at: string;
    readonly source: string;
    readonly code: string;
    readonly detail: string;
  }
  for (const [source, code, detail] of [
    ['stripe', 'missing_header', /header Stripe-Signature is missing/i],
    ['stripe', 'stale', /\d+ s/],
    ['stripe', 'mismatch', /2 key/],
    ['stripe', 'unknown_key', /./],
    ['stripe', 'malformed', /Stripe-Signature/i],
    ['path', 'mismatch', /the path/],
    ['stripe', 'malformed-body', /line 1, column/],
  ] as const)
    await eventually(async () => {
      const all = await listOf<Rejection>('/rejections?limit=200');
      const found = all.find((one) => one.source === source && one.code === code);
      expect([code, found?.detail]).toEqual([code, expect.stringMatching(detail)]);
      expect(Date.parse(found?.at ?? '')).not.toBeNaN();
    });
  const shown = JSON.stringify(await listOf('/rejections?limit=200'));
  for (const secret of ['Ada', 'evt_1', WORD, OLD, 'guessed-token', 'rubbish', 'aaaa', 'whsec'])
    expect(shown).not.toContain(secret);
});

/** Posts to the app of a deployment that lost a secret after the publish. */
async function postWithout(name: string, path: string, headers: Record<string, string>) {
  const ctx = createExecutionContext();
  const request = new Request(`https://relay.example/hooks/${path}`, { method: 'POST', headers, body: BODY });
  const response = await fetchWith(request, envWith({ [name]: undefined }), ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

describe('a source whose secret is missing', () => {
  it('cannot be published: the error names the secret; the binding of something else is none', async () => {
    for (const name of ['LATE_SECRET', 'CONFIG']) {
      const document = { ...BY_BASIC, secrets: [name] };
      const { status, body } = await admin<{ errors: object[] }>('PUT', '/sources/late', document);
      const said: unknown = expect.stringContaining(`wrangler secret put ${name}`);
      expect([status, body.errors]).toMatchObject([
        422,
        [{ path: 'sources.late.secrets[0]', message: said }],
      ]);
    }
    expect(env.CONFIG).toBeDefined();
    await problemIn(await postJson('late', {}), 404, 'unknown-source');
  });

  it('takes nothing when it is lost later: 503, to be sent again', async () => {
    for (const [path, headers] of [
      ['header', bearer(WORD)],
      ['header', bearer('undefined')],
      ['header', {}],
      [`path/${WORD}`, {}],
    ] as const) {
      const response = await postWithout('HOOK_SECRET', path, { ...headers });
      expect(response.headers.get('retry-after')).toBe('60');
      const { detail } = await problemIn(response, 503, 'source-not-configured');
      expect(detail).not.toContain('HOOK_SECRET');
    }
  });

  it('goes on with the secret that is left', async () => {
    const signature = await signedHeaders('stripe', BODY, NEW, seconds());
    expect((await postWithout('STRIPE_SECRET', 'stripe', { ...signature })).status).toBe(202);
  });
});
