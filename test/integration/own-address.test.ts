import { env, exports } from 'cloudflare:workers';
import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from './outside.ts';
import { admin, callsTo, postJson, publish, UNPACED } from './relay.ts';

/** Another address of the same relay than the one that the other calls use. */
const OTHER = 'https://other.example';
const ANNA = '4915112399001';
const BEN = '4915112399002';
const CANARY = '4915112399003';
const before: unknown = Reflect.get(env, 'PUBLIC_URL');

const outbox = () => env.OUTBOX.getByName('default');

async function restart(): Promise<void> {
  await evictDurableObject(outbox());
  await evictDurableObject(env.REGISTRY.getByName('registry'));
}

const set = (account: object = {}) => ({
  accounts: { default: { ...UNPACED, ...account } },
  recipients: { team: { people: { Anna: ANNA } } },
  sources: {
    shop: {
      verify: { scheme: 'none' },
      routes: [
        {
          name: 'ask',
          when: 'event.type == blank',
          to: ['team'],
          actions: { yes: { label: 'Yes' } },
          send: { kind: 'text', message: '{{ payload.n }} {{ actions.yes.url }}' },
        },
      ],
    },
    alerts: {
      verify: { scheme: 'none' },
      routes: [
        {
          name: 'open',
          to: ['team'],
          incident: { key: '{{ payload.key }}' },
          escalate: [{ after: '10s', to: BEN }],
          actions: { ack: {} },
          send: { kind: 'text', message: '{{ payload.key }} {{ actions.ack.url }}' },
        },
      ],
    },
  },
});

/** The addresses of the links that a phone got, newest last. */
const addresses = async (phone: string): Promise<readonly string[]> =>
  (await callsTo(phone)).flatMap(
    ({ params }) => /(https?:\/\/\S+)\/a\/[0-9a-z]{24}/.exec(params['message'] ?? '')?.[1] ?? [],
  );

const getsLinkAt = (phone: string, n: number, address: string) =>
  eventually(async () => expect((await addresses(phone))[n - 1]).toBe(address));

const publishAt = (address: string, body: object, query = '') =>
  exports.default.fetch(`${address}/admin/api/v1/config${query}`, {
    method: 'POST',
    headers: { authorization: 'Bearer admin-token-of-the-tests', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const real = Date.now.bind(Date);
let passed = 0;

beforeAll(() => {
  vi.spyOn(Date, 'now').mockImplementation(() => real() + passed);
  Reflect.deleteProperty(env, 'PUBLIC_URL');
});
afterAll(() => {
  vi.restoreAllMocks();
  Reflect.set(env, 'PUBLIC_URL', before);
});

describe('links of a relay without PUBLIC_URL', () => {
  it('begin with the address at which the set was published', async () => {
    await publish(set());
    await postJson('shop', { n: 1 });
    await getsLinkAt(ANNA, 1, 'https://relay.example');
  });

  it('do not begin with the one that a webhook came to, which its sender chooses', async () => {
    const hook = new Request('https://evil.example/hooks/shop', {
      method: 'POST',
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ n: 2 }),
    });
    expect((await exports.default.fetch(hook)).status).toBe(202);
    await getsLinkAt(ANNA, 2, 'https://relay.example');
  });

  it('nor with one at which somebody published in vain', async () => {
    const body = JSON.stringify(set());
    const refused = await exports.default.fetch('https://evil.example/admin/api/v1/config', {
      method: 'POST',
      headers: { authorization: 'Bearer of-nobody', 'content-type': 'application/json' },
      body,
    });
    expect(refused.status).toBe(401);
    expect((await publishAt(OTHER, { sources: { shop: {} } })).status).toBe(422);
    expect((await publishAt(OTHER, set(), '?dry_run=true')).status).toBe(200);
    await postJson('shop', { n: 3 });
    await getsLinkAt(ANNA, 3, 'https://relay.example');
  });

  it('begin so after a restart, in what an alarm sends, and a canary needs no more', async () => {
    await publish(set({ canary: { to: CANARY, at: '00:00' } }));
    await postJson('alerts', { key: 'disk' });
    await getsLinkAt(ANNA, 4, 'https://relay.example');
    await restart();
    passed = 11_000;
    await eventually(async () => {
      await runDurableObjectAlarm(outbox());
      expect(await addresses(BEN)).toEqual(['https://relay.example']);
    });
  });

  it('begin with the address of a later publish; one on this machine does not take its place', async () => {
    expect((await publishAt(OTHER, set())).status).toBe(200);
    await postJson('shop', { n: 5 });
    await getsLinkAt(ANNA, 5, OTHER);
    const local = await publishAt('http://localhost:8787', set());
    expect(local.status).toBe(200);
    expect(await local.text()).not.toContain('localhost');
    await postJson('shop', { n: 6 });
    await getsLinkAt(ANNA, 6, OTHER);
  });

  it('begin with the address of a rollback', async () => {
    const { body } = await admin<{ items: { version: number }[] }>('GET', '/config/versions');
    const version = body.items[1]?.version ?? 0;
    expect((await admin('POST', `/config/versions/${version}/activate`)).status).toBe(200);
    await postJson('shop', { n: 7 });
    await getsLinkAt(ANNA, 7, 'https://relay.example');
  });

  it('begin with PUBLIC_URL as soon as it is set', async () => {
    Reflect.set(env, 'PUBLIC_URL', 'https://hooks.example.net');
    await evictDurableObject(outbox());
    await postJson('shop', { n: 8 });
    await getsLinkAt(ANNA, 8, 'https://hooks.example.net');
  });
});
