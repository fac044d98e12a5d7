import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { admin, messageNow, postJson, publish } from '../../integration/relay.ts';
import { eventOf } from '../../outbox/bare-outbox.ts';
import { refusal } from '../support.ts';

const source = (words: string, extra: object = {}) => ({
  verify: { scheme: 'none' },
  routes: [
    { name: 'all', delay: '1h', to: '4915112345678', send: { kind: 'text', message: words }, ...extra },
  ],
});

interface Replayed {
  readonly event: string;
  readonly messages: readonly string[];
}

const twoRoutes = {
  verify: { scheme: 'none' },
  routes: [
    { name: 'a', delay: '1h', to: '4915112345678', send: { kind: 'text', message: 'a' } },
    { name: 'b', delay: '1h', to: '4915112345679', send: { kind: 'text', message: 'b' } },
  ],
};

const replay = (id: string) => admin<Replayed>('POST', `/events/${id}/replay`);

const cancelled = ({ messages }: Replayed, at: number) => admin('POST', `/messages/${messages[at]}/cancel`);

const again = (id: string, body: unknown) => admin<Replayed>('POST', `/events/${id}/replay`, body);

const textsOf = ({ messages }: Replayed) =>
  Promise.all(messages.map(async (id) => (await messageNow(id)).params['message']));

/** The only message of the replay of an event. */
const replayed = async (id: string) => messageNow((await replay(id)).body.messages[0] ?? '');

/** An event that was received without a message. */
async function received(...given: Parameters<typeof eventOf>) {
  const event = eventOf(...given);
  await env.OUTBOX.getByName('default').accept({ event, messages: [] });
  return event;
}

async function newEvent(): Promise<string> {
  await publish({ sources: { shop: twoRoutes } });
  return (await received(Date.now())).id;
}

beforeAll(() =>
  publish({ sources: { shop: source('{{ payload.n }} {{ event.type }} {{ headers.x }} {{ query.y }}') } }),
);

it('POST /events/{id}/replay renders what was stored: payload, type, headers and query', async () => {
  const { id } = await received(Date.now(), { type: 'paid', headers: '{"x":"h"}', query: '{"y":"q"}' });
  expect((await replayed(id)).params['message']).toBe('1 paid h q');
});

it('POST /events/{id}/replay counts `expires` from now: an old event would else be out of date at once', async () => {
  await publish({ sources: { shop: source('hi', { delay: '0s', expires: '1s' }) } });
  await env.OUTBOX.getByName('default').pause('test');
  const { id, receivedAt } = await received(Date.now() - 60_000);
  const message = await replayed(id);
  expect(message.state).toBe('queued');
  const { body } = await admin<{ received_at: string }>('GET', `/events/${message.event}`);
  expect(Date.parse(body.received_at)).toBeGreaterThan(receivedAt + 30_000);
});

it('POST /events/{id}/replay does not resolve an incident that fired after the event was received', async () => {
  const incident = { key: '{{ payload.name }}', resolved: 'payload.is == "over"' };
  await publish({ sources: { shop: source('{{ item.name }}', { incident }) } });
  const over = await received(Date.now() - 60_000, { payload: '{"name":"disk","is":"over"}' });
  await postJson('shop', { name: 'disk', is: 'on' });
  expect((await replay(over.id)).status).toBe(202);
  const open = await admin<{ items: readonly { key: string }[] }>('GET', '/incidents?state=open');
  expect(open.body.items.map(({ key }) => key)).toEqual(['disk']);
});

it('POST /events/{id}/replay sends to the account that the source has today', async () => {
  const { id } = await received(Date.now());
  await publish({ accounts: { sales: {} }, sources: { shop: { ...source('hi'), account: 'sales' } } });
  expect((await replayed(id)).account).toBe('sales');
});

it('POST /events/{id}/replay with a body sends again what its routes send, and no other', async () => {
  const id = await newEvent();
  expect(await textsOf((await again(id, { routes: ['b'] })).body)).toEqual(['b']);
  expect(await textsOf((await again(id, {})).body)).toEqual(['a', 'b']);
});

it('POST /events/{id}/replay with a body sends what failed once: not again what a replay, or a replay of that, has sent since', async () => {
  const first = (await again(await newEvent(), {})).body;
  await cancelled(first, 0);
  await cancelled(first, 1);
  const second = (await again(first.event, { only: 'failed' })).body;
  expect(await textsOf(second)).toEqual(['a', 'b']);
  expect((await again(first.event, { only: 'failed' })).status).toBe(409);
  await cancelled(second, 0);
  await cancelled(second, 1);
  expect(await textsOf((await again(second.event, { routes: ['a'] })).body)).toEqual(['a']);
  expect(await textsOf((await again(first.event, { only: 'failed' })).body)).toEqual(['b']);
});

it('POST /events/{id}/replay with a body is refused when it names no routes, or anything else', async () => {
  const id = await newEvent();
  for (const [body, error] of [
    [{ routes: ['c'] }, 'there is no route `c`; there are a, b'],
    [{ routes: [] }, 'must not be empty'],
    [{ only: 'sent' }, 'must be `failed` or absent'],
    [{ route: 'a' }, 'unknown key `route`; did you mean `routes`?'],
    ['all', 'must be an object of keys and values'],
  ] as const)
    expect(await refusal('POST', `/events/${id}/replay`, body)).toEqual([expect.stringContaining(error)]);
});
