import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { admin, postJson, publish } from '../../integration/relay.ts';
import { eventOf } from '../../outbox/bare-outbox.ts';

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

interface Message {
  readonly params: { message: string };
  readonly created_at: string;
}

const replay = (id: string) => admin<Replayed>('POST', `/events/${id}/replay`);

const route = (name: string, to: string) => ({
  name,
  to,
  delay: '1h',
  send: { kind: 'text', message: name },
});
const twoRoutes = {
  verify: { scheme: 'none' },
  routes: [route('a', '4915112345678'), route('b', '4915112345679')],
};

const cancelled = ({ messages }: Replayed, at: number) => admin('POST', `/messages/${messages[at]}/cancel`);

interface Refused {
  readonly errors?: readonly { readonly message: string }[];
}

const again = (id: string, body: unknown) => admin<Replayed & Refused>('POST', `/events/${id}/replay`, body);

const textsOf = async ({ messages }: Replayed): Promise<string[]> =>
  Promise.all(
    messages.map(async (id) => (await admin<Message>('GET', `/messages/${id}`)).body.params.message),
  );

async function newEvent(): Promise<string> {
  await publish({ sources: { shop: twoRoutes } });
  const event = eventOf(Date.now());
  await env.OUTBOX.getByName('default').accept({ event, messages: [] });
  return event.id;
}

describe('POST /events/{id}/replay', () => {
  beforeAll(() =>
    publish({ sources: { shop: source('{{ payload.n }} {{ event.type }} {{ headers.x }} {{ query.y }}') } }),
  );

  it('renders what was stored: payload, type, headers and query', async () => {
    const event = eventOf(Date.now(), { type: 'paid', headers: '{"x":"h"}', query: '{"y":"q"}' });
    await env.OUTBOX.getByName('default').accept({ event, messages: [] });
    const { body } = await replay(event.id);
    const message = await admin<Message>('GET', `/messages/${body.messages[0]}`);
    expect(message.body.params.message).toBe('1 paid h q');
  });

  it('counts `expires` from now: an old event would else be out of date at once', async () => {
    await publish({ sources: { shop: source('hi', { delay: '0s', expires: '1s' }) } });
    const event = eventOf(Date.now() - 60_000);
    await env.OUTBOX.getByName('default').pause('test', 'nothing is sent');
    await env.OUTBOX.getByName('default').accept({ event, messages: [] });
    const { body } = await replay(event.id);
    const message = await admin<{ state: string }>('GET', `/messages/${body.messages[0]}`);
    expect(message.body.state).toBe('queued');
    const replayed = await admin<{ received_at: string }>('GET', `/events/${body.event}`);
    expect(Date.parse(replayed.body.received_at)).toBeGreaterThan(event.receivedAt + 30_000);
  });

  it('does not resolve an incident that fired after the event was received', async () => {
    const incident = { key: '{{ payload.name }}', resolved: 'payload.is == "over"' };
    await publish({ sources: { shop: source('{{ item.name }}', { incident }) } });
    const over = eventOf(Date.now() - 60_000, { payload: '{"name":"disk","is":"over"}' });
    await env.OUTBOX.getByName('default').accept({ event: over, messages: [] });
    await postJson('shop', { name: 'disk', is: 'on' });
    expect((await replay(over.id)).status).toBe(202);
    const open = await admin<{ items: readonly { key: string }[] }>('GET', '/incidents?state=open');
    expect(open.body.items.map(({ key }) => key)).toEqual(['disk']);
  });

  it('sends to the account that the source has today', async () => {
    const event = eventOf(Date.now());
    await env.OUTBOX.getByName('default').accept({ event, messages: [] });
    await publish({ accounts: { sales: {} }, sources: { shop: { ...source('hi'), account: 'sales' } } });
    const { body } = await replay(event.id);
    const message = await admin<{ account: string }>('GET', `/messages/${body.messages[0]}`);
    expect(message.body.account).toBe('sales');
  });

  describe('with a body', () => {
    it('sends again what its routes send, and no other', async () => {
      const id = await newEvent();
      expect(await textsOf((await again(id, { routes: ['b'] })).body)).toEqual(['b']);
      expect(await textsOf((await again(id, {})).body)).toEqual(['a', 'b']);
    });

    it('sends again what failed, and once nothing failed it is a conflict', async () => {
      const first = (await again(await newEvent(), {})).body;
      expect((await again(first.event, { only: 'failed' })).status).toBe(409);
      await admin('POST', `/messages/${first.messages[1]}/cancel`);
      const { body } = await again(first.event, { only: 'failed' });
      expect(await textsOf(body)).toEqual(['b']);
      expect((await again(first.event, { only: 'failed', routes: ['a'] })).status).toBe(409);
    });

    it('sends what failed once: not again what a replay, or a replay of that, has sent since', async () => {
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

    it('is refused when it names no routes, or anything else', async () => {
      const id = await newEvent();
      for (const [body, error] of [
        [{ routes: ['c'] }, 'there is no route `c`; there are a, b'],
        [{ routes: [] }, 'must not be empty'],
        [{ only: 'sent' }, 'must be `failed` or absent'],
        [{ route: 'a' }, 'unknown key `route`; did you mean `routes`?'],
        ['all', 'must be an object of keys and values'],
      ]) {
        const { status, body: problem } = await again(id, body);
        expect([status, problem.errors?.map(({ message }) => message)]).toEqual([422, [error]]);
      }
    });
  });
});
