import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { shardName, shardOf } from '../../src/outbox/state/shards.ts';
import { eventually, gatewayAnswers, status, watchOutside } from './outside.ts';
import { admin, callsTo, event, isSent, message, postJson, publish, UNPACED } from './relay.ts';

const SHARDS = 4;
const phone = (n: number): string => String(4_915_112_354_000 + n);
const phones = Array.from({ length: 12 }, (_, n) => phone(n));

interface Receipt {
  readonly event: string;
  readonly duplicate: boolean;
  readonly messages: readonly string[];
}

interface Status {
  readonly queued: number;
  readonly dead: number;
  readonly paused: { by: string } | null;
}

const postTo = async (receivers: readonly string[], id: string): Promise<Receipt> =>
  (await postJson('form', { id, people: receivers.map((one) => ({ phone: `+${one}` })) })).json();

const accountStatus = async (): Promise<Status> =>
  (await admin<Status>('GET', '/accounts/default/status')).body;

const source = {
  verify: { scheme: 'none' },
  dedupe: { key: '{{ payload.id }}' },
  routes: [
    {
      name: 'all',
      each: 'payload.people',
      to: '{{ item.phone }}',
      send: { kind: 'text', message: '{{ payload.id }}' },
    },
  ],
};

const publishWith = (account: object, sales: object = { ...UNPACED, shards: SHARDS }) =>
  publish({
    accounts: { default: { shards: SHARDS, ...account }, sales },
    sources: { form: source, sales: { ...source, account: 'sales' } },
  });

beforeAll(async () => {
  watchOutside();
  await publishWith(UNPACED);
});

describe('an account of several objects', () => {
  it('sends an event to receivers of all of them; it is one event with all messages', async () => {
    const receipt = await postTo(phones, 'one');
    expect(receipt.messages).toHaveLength(phones.length);
    for (const id of receipt.messages) await message(id, isSent);
    for (const one of phones) expect(await callsTo(one)).toHaveLength(1);

    const { body } = await admin<{ items: { id: string }[] }>('GET', '/events');
    expect(body.items.map(({ id }) => id)).toEqual([receipt.event]);
    const stored = await event(receipt.event);
    expect(stored.messages.map(({ id }) => id).toSorted()).toEqual(receipt.messages.toSorted());
    const listed = await admin<{ items: { id: string }[] }>('GET', `/messages?event=${receipt.event}`);
    expect(listed.body.items).toHaveLength(phones.length);
  });

  it('answers a duplicate like the first, and sends nothing', async () => {
    const first = await postTo(phones, 'two');
    for (const id of first.messages) await message(id, isSent);
    expect(await postTo(phones, 'two')).toEqual({ ...first, duplicate: true });
    for (const one of phones)
      expect((await callsTo(one)).filter(({ params }) => params['message'] === 'two')).toHaveLength(1);
    expect((await event(first.event)).duplicates).toBe(1);
  });

  it('has a receiver’s messages in one object, in the order accepted', async () => {
    const receiver = phone(3);
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) await postTo([receiver, phone(4)], id);
    const home = env.OUTBOX.getByName(shardName('default', shardOf(receiver, SHARDS)));
    const { items } = await home.listMessages({ phone: receiver, limit: 200 });
    for (const { id } of items) await message(id, isSent);
    const sent = (await callsTo(receiver)).map(({ params }) => params['message'] ?? '');
    expect(sent.filter((text) => ids.includes(text))).toEqual(ids);
  });

  it('is paused and resumed as a whole, and its status is that of all', async () => {
    await admin('POST', '/accounts/default/pause');
    const { messages } = await postTo(phones, 'paused');
    expect(await accountStatus()).toMatchObject({ queued: phones.length, paused: { by: 'token' } });
    await admin('POST', '/accounts/default/resume');
    for (const id of messages) await message(id, isSent);
    expect(await accountStatus()).toMatchObject({ queued: 0, paused: null });
  });

  it('finds a message for retry and cancel wherever it is, and retries in bulk over all', async () => {
    for (const one of phones) gatewayAnswers(one, status(400));
    const { messages } = await postTo(phones, 'bulk');
    for (const id of messages) await message(id, ({ state }) => state === 'dead');
    expect((await accountStatus()).dead).toBe(phones.length);
    const [one = '', other = ''] = messages;
    expect((await admin('POST', `/messages/${one}/retry`)).status).toBe(200);
    expect((await admin('POST', `/messages/${other}/cancel`)).status).toBe(200);
    const { body } = await admin<{ retried: number }>('POST', '/messages/retry', { state: 'dead' });
    expect(body.retried).toBe(phones.length - 2);
    for (const id of messages.filter((id) => id !== other)) await message(id, isSent);
  });

  it('replays an event as one event, whichever object keeps it', async () => {
    const first = await postTo(phones, 'replayed');
    const { body } = await admin<Receipt>('POST', `/events/${first.event}/replay`);
    expect(body.messages).toHaveLength(phones.length);
    for (const id of body.messages) await message(id, isSent);
    expect((await event(body.event)).messages).toHaveLength(phones.length);
  });

  it('shares its pace out, so that all objects together keep to the account’s', async () => {
    // Ten a minute and six at once, by four objects: two a minute each, and one at once.
    await publishWith(UNPACED, { rate: { per_minute: 10, burst: 6 }, per_recipient: false, shards: SHARDS });
    const response = await postJson('sales', {
      id: 'paced',
      people: phones.map((one) => ({ phone: `+${one}` })),
    });
    const { event: id } = await response.json<Receipt>();
    const used = new Set(phones.map((one) => shardOf(one, SHARDS)));
    await eventually(async () => expect((await event(id)).messages.filter(isSent)).toHaveLength(used.size));
    const more = [...used].filter(
      (shard) => phones.filter((one) => shardOf(one, SHARDS) === shard).length > 1,
    );
    for (const shard of more) {
      const stub = env.OUTBOX.getByName(shardName('sales', shard));
      await eventually(() =>
        runInDurableObject(stub, async (_outbox, { storage }) =>
          expect(await storage.getAlarm()).toBeGreaterThan(Date.now() + 10_000),
        ),
      );
    }
    expect((await event(id)).messages.filter(isSent)).toHaveLength(used.size);
    const { body } = await admin<Status>('GET', '/accounts/sales/status');
    expect(body).toMatchObject({ rate: { per_minute: 8, burst: 4 }, queued: phones.length - used.size });
  });
});
