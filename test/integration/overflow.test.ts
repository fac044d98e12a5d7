import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { admin, callsTo, event, postJson, publish, UNPACED, type MessageJson } from './relay.ts';

interface Digest extends MessageJson {
  readonly about?: { readonly form: string; readonly summarized: number };
}

beforeAll(async () => {
  await publish({
    accounts: { default: { ...UNPACED, digest_above: 3 } },
    sources: {
      shop: {
        verify: { scheme: 'none' },
        limit: false,
        routes: [
          {
            name: 'all',
            to: '{{ payload.phone }}',
            send: { kind: 'text', message: 'Order {{ payload.id }}' },
          },
        ],
      },
    },
  });
});

const order = async (phone: string, id: number): Promise<string> =>
  (await (await postJson('shop', { phone: `+${phone}`, id })).json<{ event: string }>()).event;

const listed = async (phone: string): Promise<readonly Digest[]> =>
  (await admin<{ items: Digest[] }>('GET', `/messages?phone=${phone}&limit=200`)).body.items;

const waiting = async (phone: string): Promise<readonly Digest[]> =>
  (await listed(phone)).filter(({ state }) => state === 'queued');

describe('a flood to one receiver while its account is paused', () => {
  it('becomes one digest, which each of its messages names, and which is sent', async () => {
    const phone = '4915112390001';
    await admin('POST', '/accounts/default/pause');
    const events: string[] = [];
    for (let id = 1; id <= 10; id += 1) events.push(await order(phone, id));
    await eventually(async () => expect((await waiting(phone)).length).toBeLessThanOrEqual(4));
    const digest = (await waiting(phone)).find(({ about }) => about !== undefined);
    expect(digest).toMatchObject({ event: null, source: 'shop', kind: 'text', about: { form: 'digest' } });
    const [first] = (await event(events[0] ?? '')).messages;
    expect(first).toMatchObject({ state: 'cancelled', reason: `summarized in ${digest?.id}` });
    await admin('POST', '/accounts/default/resume');
    await eventually(async () => expect(await waiting(phone)).toEqual([]));
    await eventually(async () =>
      expect((await listed(phone)).map(({ state }) => state)).not.toContain('sending'),
    );
    const all = await listed(phone);
    const counted = all.filter(({ state }) => state === 'cancelled').length;
    const reported = all.find(({ about }) => about !== undefined);
    expect(reported?.about?.summarized).toBe(counted);
    const orders = (await callsTo(phone)).filter(({ params }) => params['message']?.startsWith('Order '));
    expect(orders.length + counted).toBe(10);
    expect((await callsTo(phone)).length).toBe(orders.length + 1);
  });
});
