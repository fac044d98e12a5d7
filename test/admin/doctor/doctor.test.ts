import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { ShownCheck } from '../../../src/admin/doctor/api-check.ts';
import { admin, config, isSent, message, postJson, publish } from '../../integration/relay.ts';
import { asViewer, callWith, form } from '../support.ts';

interface Report {
  readonly checks: readonly ShownCheck[];
}

const examine = async (): Promise<Report> => (await admin<Report>('POST', '/doctor')).body;

/** The same without a call of the gateway. */
const look = async (): Promise<Report> => (await admin<Report>('GET', '/doctor')).body;
const find = ({ checks }: Report, id: string): ShownCheck | undefined =>
  checks.find((check) => check.id === id);
const statusOf = (report: Report, id: string): string | undefined => find(report, id)?.status;

const overloaded = () => Promise.reject(new Error('overloaded'));

beforeAll(() =>
  publish({
    sources: { shop: { provider: 'stripe', secrets: ['STRIPE_SECRET'], routes: [] }, open: form() },
  }),
);

it('/doctor goes from what everything needs to what needs everything', async () => {
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
    'account:default:no-escape',
    'rejections',
  ]);
});

it('/doctor sends nothing to anyone, and does not claim to know what it cannot', async () => {
  expect(statusOf(await examine(), 'gateway:default')).toBe('unknown');
  const { body } = await admin<{ items: unknown[] }>('GET', '/messages');
  expect(body.items).toEqual([]);
});

it('/doctor knows that the login is right once a message was sent, and that the source is heard of', async () => {
  const accepted = await postJson('open', { phone: '4915112345678', text: 'hello' });
  const { messages } = await accepted.json<{ messages: string[] }>();
  await message(messages[0] ?? '', isSent);
  const report = await examine();
  expect(find(report, 'gateway:default')).toMatchObject({ status: 'ok' });
  expect(find(report, 'source:open:silent')).toBeUndefined();
  const detail = '1 source sending as expected';
  expect(find(report, 'sources')).toMatchObject({ status: 'ok', detail });
});

it('/doctor does not call the gateway when it is asked not to', async () => {
  const { checks } = await look();
  expect(checks.filter(({ id }) => id.startsWith('gateway:'))).toEqual([]);
  expect((await admin('GET', '/doctor?prob=false')).status).toBe(422);
});

it('/doctor finds a lost copy in KV, and its remedy brings it back', async () => {
  await config.delete('config/current');
  const lost = find(await look(), 'config-copy');
  expect(lost).toMatchObject({ status: 'fail' });
  const version = /rollback (\d+)/.exec(lost?.remedy ?? '')?.[1] ?? '';
  expect((await admin('POST', `/config/versions/${version}/activate`)).status).toBe(200);
  expect(statusOf(await look(), 'config-copy')).toBe('ok');
});

it('/doctor still answers when an outbox does not', async () => {
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
  const set = { OUTBOX: { getByName: () => outbox }, REGISTRY: { getByName: registryOf } };
  const report = await (await callWith(set, '/doctor')).json<Report>();
  const detail = 'could not be checked: Error: Error: overloaded';
  expect(find(report, 'accounts')).toMatchObject({ status: 'unknown', detail });
  expect(statusOf(report, 'secrets')).toBe('ok');
  // The error is whatever was thrown: no viewer sees it.
  const seen = await (await asViewer('/doctor', 'GET', set)).json<Report>();
  expect(find(seen, 'accounts')).toMatchObject({ status: 'unknown', detail: 'hidden' });
  expect(JSON.stringify(seen)).not.toContain('overloaded');
  expect(find(seen, 'account:default:no-escape')?.detail).toContain('urgent');
});
