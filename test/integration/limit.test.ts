import { beforeAll, describe, expect, it } from 'vitest';
import { signedHeaders } from '../conformance/senders/senders.ts';
import { eventually } from './outside.ts';
import { admin, postJson, post, publish } from './relay.ts';

const STRIPE = 'whsec_test_secret';
const MIB = 1_048_576;

const toOne = [{ name: 'one', to: '4915112345999', send: { kind: 'text', message: 'hello' } }];
const open = { verify: { scheme: 'none' }, routes: [] };
const sources = {
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
    expect(listed).toMatchObject([{ status: 429, reason: 'limited', detail: /60 a minute/ }]);
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
  it('comes after the verification: who is not known is told so, however many come', async () => {
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
