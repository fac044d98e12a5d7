import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import pkg from '../../../package.json';
import { admin, config, isSent, message, postJson, publish, script } from '../../integration/relay.ts';
import { callWith, form } from '../support.ts';

interface Check {
  readonly id: string;
  readonly status: string;
  readonly detail: string;
  readonly remedy?: string;
}
interface Report {
  readonly version: string;
  readonly now: string;
  readonly checks: readonly Check[];
}

const examine = async (): Promise<Report> => (await admin<Report>('POST', '/doctor')).body;

/** The same without a call of the gateway. */
const look = async (): Promise<Report> => (await admin<Report>('GET', '/doctor')).body;
const find = ({ checks }: Report, id: string): Check | undefined => checks.find((check) => check.id === id);
const statusOf = (report: Report, id: string): string | undefined => find(report, id)?.status;

const overloaded = () => Promise.reject(new Error('overloaded'));

describe('/doctor', () => {
  beforeAll(() =>
    publish({
      sources: {
        shop: { provider: 'stripe', secrets: ['STRIPE_SECRET'], routes: [] },
        open: form(),
      },
    }),
  );

  it('says which hookbell this is and what time it has', async () => {
    const before = Date.now();
    const { version, now } = await examine();
    expect(version).toBe(pkg.version);
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now());
  });

  it('goes from what everything needs to what needs everything', async () => {
    const ids = (await examine()).checks.map(({ id }) => id);
    expect(ids).toEqual([
      'secrets',
      'config',
      'config-copy',
      'gateway-url:default',
      'gateway:default',
      'clock',
      'accounts',
      'source:open:open',
      'source:shop:silent',
      'source:open:silent',
      'account:default:tonight',
      'rejections',
    ]);
  });

  it('sends nothing to anyone, and does not claim to know what it cannot', async () => {
    expect(statusOf(await examine(), 'gateway:default')).toBe('unknown');
    const { body } = await admin<{ items: unknown[] }>('GET', '/messages');
    expect(body.items).toEqual([]);
  });

  it('knows that the login is right once a message was sent, and that the source is heard of', async () => {
    const { messages } = await (
      await postJson('open', { phone: '4915112345678', text: 'hello' })
    ).json<{ messages: string[] }>();
    await message(messages[0] ?? '', isSent);
    const report = await examine();
    expect(find(report, 'gateway:default')).toMatchObject({ status: 'ok' });
    expect(find(report, 'source:open:silent')).toBeUndefined();
    expect(find(report, 'sources')).toMatchObject({
      status: 'ok',
      detail: '1 source sending as expected',
    });
  });

  it('does not call the gateway when it is asked not to', async () => {
    const { checks } = await look();
    expect(checks.filter(({ id }) => id.startsWith('gateway:'))).toEqual([]);
    expect((await admin('GET', '/doctor?prob=false')).status).toBe(422);
  });

  it('names a paused account, and a message that was given up', async () => {
    await admin('POST', '/accounts/default/pause');
    expect(statusOf(await examine(), 'account:default:paused')).toBe('warn');
    await admin('POST', '/accounts/default/resume');
    const phone = '4915187654321';
    await script(phone, { failure: 'status', status: 422 });
    const { messages } = await (await postJson('open', { phone, text: 'x' })).json<{ messages: string[] }>();
    await message(messages[0] ?? '', ({ state }) => state === 'dead');
    expect(statusOf(await examine(), 'account:default:dead')).toBe('warn');
  });

  it('groups refused requests, and says what to do', async () => {
    for (let n = 0; n < 2; n += 1)
      expect((await postJson('shop', { n }, { 'stripe-signature': 't=1,v1=00' })).status).toBe(401);
    const check = (await examine()).checks.find(({ id }) => id.startsWith('rejections:shop:'));
    expect(check).toMatchObject({ status: 'warn' });
    expect(check?.detail).toMatch(/^source shop: 2 ×, /);
    expect(check?.remedy).toBeDefined();
  });

  it('names the secrets that are missing, and shows no value of any', async () => {
    const set = { ADMIN_TOKEN: 'admin-token-of-the-tests', STRIPE_SECRET: undefined };
    const text = await (await callWith(set, '/doctor', 'Bearer admin-token-of-the-tests')).text();
    expect(text).toContain('secret:STRIPE_SECRET');
    for (const value of [
      'admin-token-of-the-tests',
      'gateway-key-of-the-tests',
      'relay@example.com',
      'whsec',
    ])
      expect(text).not.toContain(value);
  });

  it('finds a lost copy in KV, and its remedy brings it back', async () => {
    await config.delete('config/current');
    const lost = find(await look(), 'config-copy');
    expect(lost).toMatchObject({ status: 'fail' });
    const version = /rollback (\d+)/.exec(lost?.remedy ?? '')?.[1] ?? '';
    expect((await admin('POST', `/config/versions/${version}/activate`)).status).toBe(200);
    expect(statusOf(await look(), 'config-copy')).toBe('ok');
  });

  it('still answers when an outbox does not', async () => {
    const outbox = { metrics: overloaded, status: overloaded, listMessages: overloaded };
    // Calls that are made at the same moment go by way of the registry.
    const registryOf = (name: string) =>
      new Proxy(env.REGISTRY.getByName(name), {
        get: (stub, key): unknown => {
          const method: unknown = Reflect.get(stub, key);
          if (key === 'callOutboxes' || typeof method !== 'function') return overloaded;
          return (...args: readonly unknown[]): unknown => Reflect.apply(method, stub, args);
        },
      });
    const set = {
      ADMIN_TOKEN: 'admin-token-of-the-tests',
      OUTBOX: { getByName: () => outbox },
      REGISTRY: { getByName: registryOf },
    };
    const response = await callWith(set, '/doctor', 'Bearer admin-token-of-the-tests');
    const { checks } = await response.json<Report>();
    expect(checks.find(({ id }) => id === 'accounts')).toMatchObject({
      status: 'unknown',
      detail: 'could not be checked: Error: Error: overloaded',
    });
    // The error is whatever was thrown: no viewer sees it.
    const viewer = { ...set, VIEWER_TOKEN: 'viewer-token-of-the-tests' };
    const seen = await (await callWith(viewer, '/doctor', 'Bearer viewer-token-of-the-tests')).json<Report>();
    expect(seen.checks.find(({ id }) => id === 'accounts')).toMatchObject({
      status: 'unknown',
      detail: 'hidden',
    });
    expect(JSON.stringify(seen)).not.toContain('overloaded');
    expect(checks.find(({ id }) => id === 'secrets')).toMatchObject({ status: 'ok' });
  });
});
