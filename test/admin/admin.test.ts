import { env } from 'cloudflare:workers';
import { listDurableObjectIds } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { UNPACED, admin, message, post, postJson, publish, receiptOf, script } from '../integration/relay.ts';
import { PROMISED } from '../config/support.ts';
import { type ProblemJson, form, raw } from './support.ts';

const LOGINS = [
  'GATEWAY_EMAIL',
  'GATEWAY_API_KEY',
  'GATEWAY_SALES_EMAIL',
  'GATEWAY_SALES_API_KEY',
  'ADMIN_TOKEN',
];
const OF_SOURCES = ['STRIPE_SECRET', 'STRIPE_SECRET_NEXT', 'HOOK_SECRET', 'BASIC_SECRET', 'SLACK_SECRET'];
/** Every secret of these tests' bindings. */
const SECRETS = [...LOGINS, ...OF_SOURCES].map((name) => String(Reflect.get(env, name)));

const signed = { verify: { scheme: 'token', in: 'header', name: 'X-Key' }, secrets: ['HOOK_SECRET'] };

const IN_QUERY = { scheme: 'token', in: 'query', name: 'key' };

describe('no answer of the admin API', () => {
  const ids = { event: '', message: '' };

  beforeAll(async () => {
    await publish({
      ...PROMISED,
      sources: { ...PROMISED.sources, form: form(signed), query: form({ ...signed, verify: IN_QUERY }) },
      accounts: { default: { ...UNPACED, retry: [] }, sales: UNPACED },
    });
    const echo = `sent for ${String(Reflect.get(env, 'GATEWAY_EMAIL'))} with ${String(Reflect.get(env, 'GATEWAY_API_KEY'))}`;
    await script('4915112345990', { failure: 'status', status: 400, body: echo });
    const payload = { phone: '015112345990', text: 'x' };
    const key = String(Reflect.get(env, 'HOOK_SECRET'));
    const headers = { 'x-key': key, authorization: `Bearer ${key}`, cookie: key };
    const receipt = await receiptOf(postJson('form', payload, headers));
    Object.assign(ids, { event: receipt.event, message: receipt.messages[0] });
    const dead = await message(ids.message, ({ state }) => state === 'dead');
    expect(dead.attempts[0]?.response).toContain('sent for [redacted] with [redacted]');
    await postJson(`query?key=${encodeURIComponent(key)}`, payload);
    await post('basic', 'x', { authorization: `Basic ${btoa('user:wrong')}` });
    await postJson('form', payload, { 'x-key': 'wrong' });
  });

  it('has the value of a secret in it', async () => {
    const documents = [
      '/config',
      '/config/versions',
      '/sources',
      '/sources/form',
      '/templates',
      '/recipients',
    ];
    const accounts = ['/accounts', '/accounts/default/status', '/accounts/sales/status'];
    const records = [
      '/events',
      `/events/${ids.event}`,
      '/messages',
      `/messages/${ids.message}`,
      '/rejections',
    ];
    const paths = [...documents, ...accounts, ...records, '/providers', '/providers/stripe', '/nothing'];
    const answers = await Promise.all(paths.map(async (path) => (await raw('GET', path)).text()));
    const calls: readonly (readonly [string, string, object?])[] = [
      ['PUT', '/sources/x', { ...signed, secrets: SECRETS.slice(0, 8) }],
      ['PUT', '/sources/x', { provider: 'stripe', secrets: ['NOT_THERE'] }],
      ['POST', '/messages', { kind: 'text', to: '1', message: 'x', account: 'nothing' }],
      ['POST', `/sources/form/preview`, { payload: {}, headers: { 'x-key': 'hook-secret' } }],
      ['POST', `/messages/${ids.message}/cancel`],
      ['POST', `/accounts/default/pause`],
      ['POST', `/accounts/default/resume`],
      ['POST', `/events/${ids.event}/replay`],
    ];
    const refused = await Promise.all(calls.map(async (call) => JSON.stringify((await admin(...call)).body)));
    for (const answer of [...answers, ...refused]) {
      expect(answer.length).toBeGreaterThan(2);
      for (const secret of SECRETS) expect(answer).not.toContain(secret);
    }
  });

  it('may be kept by a cache', async () => {
    const put = await raw('PUT', '/templates/t', { body: '{"kind":"text","message":"x"}' });
    expect(put.headers.get('cache-control')).toBe('no-store');
    for (const path of ['config', 'sources', 'events', `messages/${ids.message}`, 'providers', 'nothing'])
      expect((await raw('GET', `/${path}`)).headers.get('cache-control')).toBe('no-store');
  });
});

it('what there is not is 404, as a problem, and gets no object', async () => {
  const before = await listDurableObjectIds(env.OUTBOX);
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['GET', ''],
    ['PATCH', '/sources/form'],
    ['DELETE', '/config'],
    ['GET', '/accounts/nothing/status'],
    ['POST', '/accounts/nothing/pause'],
    ['POST', '/accounts/constructor/resume'],
    ['GET', '/sources/%E0%A4%A'],
    ['GET', '/events/%00'],
  ] as const) {
    const response = await raw(method, path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json<ProblemJson>()).toMatchObject({ status: 404, title: 'Not found' });
  }
  expect(await listDurableObjectIds(env.OUTBOX)).toHaveLength(before.length);
});

it('an account is paused and resumed, and shows how it stands', async () => {
  await publish({ sources: { form: form() }, accounts: { default: UNPACED, sales: UNPACED } });
  const paused = { by: 'token', reason: 'paused through the admin API' };
  expect((await admin('POST', '/accounts/sales/pause')).body).toMatchObject({ account: 'sales', paused });
  expect((await env.OUTBOX.getByName('sales').status()).paused).not.toBeNull();
  const other = { account: 'default', paused: null };
  const all = await admin('GET', '/status');
  expect(all.body).toMatchObject({ items: [other, { account: 'sales', paused }], next_cursor: null });
  const status = { ...other, circuit: { state: 'closed' }, rate: null };
  expect((await admin('GET', '/accounts/default/status')).body).toMatchObject(status);
  expect((await admin('POST', '/accounts/sales/resume')).body).toMatchObject({ paused: null });
});

it('the value of a secret where a name should be is not repeated by what is said to be wrong', async () => {
  const message = { to: '4915112345678', kind: 'text', message: 'x' };
  for (const value of SECRETS) {
    const encoded = encodeURIComponent(value);
    const calls: readonly (readonly [string, string, string?])[] = [
      ['GET', `/events/${encoded}`],
      ['DELETE', `/sources/${encoded}`],
      ['GET', `/messages?${encoded}=1`],
      ['POST', '/messages', JSON.stringify({ ...message, account: value })],
      ['PUT', '/sources/shop', JSON.stringify({ provider: value, [value]: 1 })],
      ['POST', '/config', `{"sources": "${value}`],
    ];
    for (const [method, path, body] of calls) {
      const response = await raw(method, path, body === undefined ? {} : { body });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).not.toContain(value);
    }
  }
});
