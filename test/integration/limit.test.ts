import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedHeaders } from '../conformance/senders/senders.ts';
import { eventually } from './outside.ts';
import { admin, event, postJson, post, publish } from './relay.ts';

const STRIPE = 'whsec_test_secret';
const MIB = 1_048_576;

const toOne = [{ name: 'one', to: '4915112345999', send: { kind: 'text', message: 'hello' } }];
const open = { verify: { scheme: 'none' }, routes: [] };
const eachToOne = [{ ...toOne[0], each: 'payload.items', to: '4915112345998' }];
const token = { verify: { scheme: 'token', in: 'query', name: 'key' }, secrets: ['HOOK_SECRET'] };
const sources = {
  list: { ...open, routes: eachToOne },
  page: { ...token, routes: eachToOne },
  alerts: { ...open, routes: [{ ...eachToOne[0], incident: { key: '{{ item }}' } }] },
  two: { ...open, routes: eachToOne },
  form: { ...open, routes: toOne },
  big: { ...open, limit: { per_minute: 10_000, mib_per_hour: 2 } },
  tight: { ...open, limit: { per_minute: 2 } },
  loose: { ...open, limit: false },
  signed: { provider: 'stripe', secrets: ['STRIPE_SECRET'], limit: { per_minute: 1 }, routes: [] },
  shop: { provider: 'stripe', secrets: ['STRIPE_SECRET'], routes: [] },
};

interface Rejection {
  readonly source: string;
  readonly status: number;
  readonly reason: string;
  readonly detail: string;
}

interface Stats {
  readonly sources: Record<string, { events: Record<string, number>; rejections: Record<string, number> }>;
}

const rejectionsOf = async (source: string): Promise<readonly Rejection[]> =>
  (await admin<{ items: Rejection[] }>('GET', '/rejections?limit=200')).body.items.filter(
    (one) => one.source === source,
  );

const statsOf = async (source: string) => (await admin<Stats>('GET', '/stats')).body.sources[source];

const isWholeSeconds = (text: string | null): boolean => text !== null && /^[1-9]\d*$/.test(text);

async function payment(): Promise<Response> {
  const body = JSON.stringify({ id: 'evt_paid', type: 'checkout.session.completed' });
  const signed = await signedHeaders('stripe', body, STRIPE, Math.floor(Date.now() / 1_000));
  return post('shop', body, { 'content-type': 'application/json', ...signed });
}

/** Body of one byte less than a MiB, as a form posts it. */
const mebibyte = (): Promise<Response> =>
  post('big', `text=${'x'.repeat(MIB - 6)}`, { 'content-type': 'application/x-www-form-urlencoded' });

beforeAll(() => publish({ accounts: {}, sources }));

describe('a flood at a public form', () => {
  it('has 60 taken and the rest refused with the seconds to wait, and a payment behind it is accepted', async () => {
    const statuses = new Map<number, number>();
    for (let batch = 0; batch < 10; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => postJson('form', { batch, n })));
      for (const answer of answers) {
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status !== 429) continue;
        expect(answer.headers.get('content-type')).toBe('application/problem+json');
        expect(answer.headers.get('retry-after')).toSatisfy(isWholeSeconds);
        expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
        expect(await answer.json()).toMatchObject({
          status: 429,
          type: 'urn:hookbell:problem:too-many-webhooks',
        });
      }
    }
    expect(Object.fromEntries(statuses)).toEqual({ 202: 60, 429: 240 });
    expect((await payment()).status).toBe(202);
  });

  it('is counted whole, and listed among the rejections once', async () => {
    await eventually(async () => expect((await statsOf('form'))?.rejections).toEqual({ limited: 240 }));
    expect((await statsOf('form'))?.events).toMatchObject({ routed: 60 });
    const listed = await rejectionsOf('form');
    const detail: unknown = expect.stringContaining('60 webhooks a minute');
    expect(listed).toMatchObject([{ status: 429, reason: 'limited', detail }]);
  });

  it('is not listened to again by publishing the same limit once more, and is by lifting it', async () => {
    await publish({ accounts: {}, sources });
    expect((await postJson('form', {})).status).toBe(429);
    await publish({ accounts: {}, sources: { ...sources, form: { ...sources.form, limit: false } } });
    expect((await postJson('form', {})).status).toBe(202);
    await publish({ accounts: {}, sources });
    expect((await postJson('form', {})).status).toBe(429);
    await publish({
      accounts: {},
      sources: { ...sources, form: { ...sources.form, limit: { per_minute: 62 } } },
    });
    expect((await postJson('form', {})).status).toBe(202);
  });
});

describe('large bodies at a public form', () => {
  it('stop at the MiB of an hour, while small ones still fit', async () => {
    expect((await mebibyte()).status).toBe(202);
    const small = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post('big', 'text=small', small)).status).toBe(202);
    const second = await mebibyte();
    expect(second.status).toBe(429);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(60);
    expect((await mebibyte()).status).toBe(429);
    expect((await post('big', 'text=small', small)).status).toBe(202);
  });
});

describe('a limit', () => {
  it('comes after the verification: an unknown sender gets 401, however many come', async () => {
    for (let n = 0; n < 5; n += 1) expect((await postJson('signed', {})).status).toBe(401);
    const body = '{"id":"evt_2"}';
    const headers = await signedHeaders('stripe', body, STRIPE, Math.floor(Date.now() / 1_000));
    const webhook = () => post('signed', body, { 'content-type': 'application/json', ...headers });
    expect((await webhook()).status).toBe(202);
    expect((await webhook()).status).toBe(429);
    expect((await postJson('signed', {})).status).toBe(401);
  });

  it('leaves nothing behind of what it refuses, and replays of a person are not held to it', async () => {
    const first = await (await postJson('tight', { n: 1 })).json<{ event: string }>();
    await postJson('tight', { n: 2 });
    expect((await postJson('tight', { n: 3 })).status).toBe(429);
    const events = await admin<{ items: object[] }>('GET', '/events?source=tight');
    expect(events.body.items).toHaveLength(2);
    expect((await admin('POST', `/events/${first.event}/replay`)).status).toBeLessThan(300);
  });

  it('is not there for a source that says false', async () => {
    const answers = await Promise.all(Array.from({ length: 70 }, (_, n) => postJson('loose', { n })));
    expect(answers.every(({ status }) => status === 202)).toBe(true);
  });
});

/** Twenty webhooks of a thousand elements, one after the other. */
async function postLists(path: string): Promise<readonly Response[]> {
  const items = Array.from({ length: 1_000 }, (_, n) => n);
  const answers: Response[] = [];
  for (let n = 0; n < 20; n += 1) answers.push(await postJson(path, { n, items }));
  return answers;
}

const queuedBy = (source: string): Promise<number> =>
  runInDurableObject(
    env.OUTBOX.getByName('default'),
    (_, { storage: { sql } }) =>
      sql.exec<{ n: number }>('SELECT count(*) AS n FROM messages WHERE source = ?', source).one().n,
  );

describe('lists from anybody', () => {
  it.each(['list', 'page?key=hook-secret'])(
    'at %s: twenty of a thousand elements make 120 messages, and the event says what was left out',
    async (path) => {
      const [source = ''] = path.split('?');
      const [first, ...further] = await postLists(path);
      expect(first?.status).toBe(202);
      const receipt = await first?.json<{ event: string; messages: string[] }>();
      expect(receipt?.messages).toHaveLength(120);
      expect((await event(receipt?.event ?? '')).reason).toBe(
        'route `one` left out elements 121 to 1000: its source may make 120 messages a minute (`limit.messages_per_minute`)',
      );
      for (const answer of further) {
        expect(answer.status).toBe(429);
        const wait = answer.headers.get('retry-after');
        expect(wait).toSatisfy(isWholeSeconds);
        expect(Number(wait)).toBeLessThanOrEqual(60);
      }
      expect(await queuedBy(source)).toBe(120);
      const detail: unknown = expect.stringContaining('120 messages a minute');
      await eventually(async () =>
        expect(await rejectionsOf(source)).toMatchObject([{ status: 429, reason: 'limited', detail }]),
      );
    },
  );

  it('leave room for nothing but webhooks that make no message, and keep no other source waiting', async () => {
    await postLists('two');
    expect((await postJson('two', { items: [] })).status).toBe(202);
    expect((await postJson('loose', { n: 1 })).status).toBe(202);
    expect((await payment()).status).toBe(202);
  });

  it('are held to it where alerts wait to be reported, too', async () => {
    const [first, ...further] = await postLists('alerts');
    expect(await first?.json()).toMatchObject({ messages: [], waiting: 120 });
    expect(further.map(({ status }) => status)).toEqual(further.map(() => 429));
  });

  it('are replayed whole by a person', async () => {
    const { body } = await admin<{ items: { id: string }[] }>('GET', '/events?source=list');
    const replayed = await admin<{ messages: string[] }>('POST', `/events/${body.items[0]?.id}/replay`);
    expect(replayed.body.messages).toHaveLength(1_000);
  });
});
