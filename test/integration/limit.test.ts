import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { SMALL_BODY_BYTES } from '../../src/ingest/request/receive.ts';
import { signedHeaders } from '../conformance/senders/senders.ts';
import { eventually } from './outside.ts';
import { outbox } from './posted.ts';
import { admin, event, listOf, post, postJson, publish, receiptOf } from './relay.ts';
import { newPhone, open, text } from './sources.ts';

const PHONE = newPhone();
const each = { name: 'one', each: 'payload.items', to: PHONE, send: text('hello') };
const token = { verify: { scheme: 'token', in: 'query', name: 'key' }, secrets: ['HOOK_SECRET'] };
const lists = (more: object = {}) => open([each], { limit: { messages_per_minute: 12 }, ...more });
const form = { per_minute: 6 };

const sources = {
  form: open([{ ...each, each: undefined }], { limit: form }),
  list: lists(),
  page: lists(token),
  alerts: lists({ routes: [{ ...each, incident: { key: '{{ item }}' } }] }),
  two: lists(),
  big: open([], { limit: { per_minute: 10_000, mib_per_hour: 2 } }),
  tight: open([], { limit: { per_minute: 2 } }),
  loose: open(),
  signed: { provider: 'stripe', secrets: ['STRIPE_SECRET'], limit: { per_minute: 1 } },
  shop: { provider: 'stripe', secrets: ['STRIPE_SECRET'] },
  huge: open([], { dedupe: { key: '{{ payload.n }}' } }),
};

interface Stats {
  readonly sources: Record<string, { events: Record<string, number>; rejections: Record<string, number> }>;
}
const statsOf = async (source: string) => (await admin<Stats>('GET', '/stats')).body.sources[source];
const isListedOnce = (source: string, said: string) =>
  eventually(async () => {
    const all = await listOf<{ source: string }>('/rejections?limit=200');
    const detail: unknown = expect.stringContaining(said);
    const limited = { status: 429, code: 'limited', detail };
    expect(all.filter((one) => one.source === source)).toMatchObject([limited]);
  });

/** Expects a refusal that says in how many seconds to come again. */
async function isRefused(answer: Response): Promise<void> {
  const type = 'urn:hookbell:problem:too-many-webhooks';
  expect([answer.status, await answer.json()]).toMatchObject([429, { status: 429, type }]);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
}

async function postStripe(source: string, id: string): Promise<Response> {
  const body = JSON.stringify({ id, type: 'checkout.session.completed' });
  const signed = await signedHeaders('stripe', body, 'whsec_test_secret', Math.floor(Date.now() / 1_000));
  return post(source, body, { 'content-type': 'application/json', ...signed });
}

beforeAll(() => {
  // The reports of a flood are two seconds apart.
  vi.spyOn(scheduler, 'wait').mockResolvedValue(undefined);
  return publish({ accounts: {}, sources });
});

describe('a flood at a public form', () => {
  it('has some taken and the rest refused, counted whole and listed once, and a payment behind it is accepted', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => postJson('form', { n })));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(6);
    for (const answer of answers) if (answer.status !== 202) await isRefused(answer);
    expect((await postStripe('shop', 'evt_paid')).status).toBe(202);
    const counted = { events: { routed: 6 }, rejections: { limited: 24 } };
    await eventually(async () => expect(await statsOf('form')).toMatchObject(counted));
    await isListedOnce('form', '6 webhooks a minute');
  });

  it('is not listened to again by publishing the same limit once more, and is by lifting it', async () => {
    for (const [limit, status] of [
      [form, 429],
      [false, 202],
      [form, 429],
      [{ per_minute: 9 }, 202],
    ] as const) {
      await publish({ accounts: {}, sources: { ...sources, form: { ...sources.form, limit } } });
      expect([limit, (await postJson('form', {})).status]).toEqual([limit, status]);
    }
  });
});

describe('a limit', () => {
  it('comes after the verification: an unknown sender gets 401, however many come', async () => {
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await postJson('signed', {})).status);
    for (const id of ['evt_2', 'evt_3']) statuses.push((await postStripe('signed', id)).status);
    statuses.push((await postJson('signed', {})).status);
    expect(statuses).toEqual([401, 401, 401, 202, 429, 401]);
  });

  it('leaves nothing behind of what it refuses, and replays of a person are not held to it', async () => {
    const { event: id } = await receiptOf(postJson('tight', { n: 1 }));
    await postJson('tight', { n: 2 });
    expect((await postJson('tight', { n: 3 })).status).toBe(429);
    expect(await listOf('/events?source=tight')).toHaveLength(2);
    expect((await admin('POST', `/events/${id}/replay`)).status).toBeLessThan(300);
  });
});

const queuedBy = (source: string): Promise<number> =>
  runInDurableObject(
    outbox(),
    (_, { storage: { sql } }) =>
      sql.exec<{ n: number }>('SELECT count(*) AS n FROM messages WHERE source = ?', source).one().n,
  );

/** Three webhooks of a hundred elements, one after the other. */
async function postLists(path: string): Promise<readonly Response[]> {
  const items = Array.from({ length: 100 }, (_, n) => n);
  return [0, 1, 2].reduce<Promise<readonly Response[]>>(
    async (before, n) => [...(await before), await postJson(path, { n, items })],
    Promise.resolve([]),
  );
}

describe('lists from anybody', () => {
  it('make as many messages as a minute may have, and the event says what was left out', async () => {
    for (const path of ['list', 'page?key=hook-secret']) {
      const [source = ''] = path.split('?');
      const [first, ...further] = await postLists(path);
      const { event: id, messages } = await receiptOf(first ?? Response.error());
      expect(messages).toHaveLength(12);
      expect((await event(id)).reason).toBe(
        'route `one` left out elements 13 to 100: its source may make 12 messages a minute (`limit.messages_per_minute`)',
      );
      for (const answer of further) await isRefused(answer);
      expect(await queuedBy(source)).toBe(12);
      await isListedOnce(source, '12 messages a minute');
    }
    const [alerts, more] = await postLists('alerts');
    expect(await alerts?.json()).toMatchObject({ messages: [], waiting: 12 });
    expect(more?.status).toBe(429);
  });
});

const stored = (): Promise<readonly number[]> =>
  runInDurableObject(outbox(), (_, { storage: { sql } }) =>
    sql
      .exec<{
        n: number;
      }>("SELECT json_extract(payload, '$.n') AS n FROM events WHERE source = 'huge' ORDER BY n")
      .toArray()
      .map(({ n }) => n),
  );

const send = async (n: number): Promise<number> => {
  const frame = JSON.stringify({ n, text: '' }).length;
  const response = await postJson('huge', { n, text: 'x'.repeat(SMALL_BODY_BYTES - frame) });
  if (response.status === 202) expect(await response.json()).toMatchObject({ duplicate: false });
  else expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  return response.status;
};

it('many webhooks of the largest size at once are each stored once, or 503 with `Retry-After`; none is lost or doubled', async () => {
  // More than may be under way.
  const numbers = Array.from({ length: 12 }, (_, n) => n);
  const statuses = await Promise.all(numbers.map(send));
  expect(statuses.filter((status) => status !== 202 && status !== 503)).toEqual([]);
  const taken = numbers.filter((n) => statuses[n] === 202);
  expect(taken.length).toBeGreaterThan(0);
  expect(await stored()).toEqual(taken);
  // Those that are sent again find the memory free.
  for (const n of numbers) if (statuses[n] === 503) expect(await send(n)).toBe(202);
  expect(await stored()).toEqual(numbers);
});
