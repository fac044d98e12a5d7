import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NotAccepted } from '../../src/ingest/accept.ts';
import { acceptSharded, type Objects } from '../../src/ingest/accept-sharded.ts';
import { err, ok } from '../../src/lib/result.ts';
import type { AcceptedEvent, Receipt } from '../../src/outbox/acceptance.ts';
import { shardName, shardNames, shardOf } from '../../src/outbox/shards.ts';
import { acceptanceTo, freshName, inOutbox, ringInAnHour } from '../outbox/bare-outbox.ts';

const DOWN: NotAccepted = {
  problem: { status: 503, type: 'not-accepted', title: 'Not accepted', detail: 'test' },
  refusal: null,
};
const phone = (n: number): string => String(4_915_112_000_000 + n);

/** Hands parts to real objects. */
const objects: Objects = {
  accept: async (name, part) => {
    const receipt = await env.OUTBOX.getByName(name).accept(part);
    const { refused } = receipt;
    return refused === undefined ? ok(receipt) : err({ ...DOWN, refusal: refused });
  },
  admit: async (name, source, quota) => {
    const refusal = await env.OUTBOX.getByName(name).admit(source, quota);
    return refusal === null ? ok(null) : err({ ...DOWN, refusal });
  },
};
type Accept = Objects['accept'];

/** What the account's objects hold, by object. */
const contents = (account: string, shards: number) =>
  Promise.all(
    shardNames(account, shards).map(async (name) => {
      const outbox = env.OUTBOX.getByName(name);
      const [events, messages] = await Promise.all([
        outbox.listEvents({ limit: 200 }),
        outbox.listMessages({ limit: 200 }),
      ]);
      return { name, events: events.items, messages: messages.items };
    }),
  );

const receiptOf = (result: Awaited<ReturnType<typeof acceptSharded>>): Receipt => {
  if (!result.ok) throw new Error(result.error.problem.detail);
  return result.value;
};

const dedupe = { key: 'k', windowMs: 60_000 };

describe('what was signed once', () => {
  it('is one event of the account, however many keys are put beside it', async () => {
    const account = freshName();
    const signed = { keys: ['signed:1'], windowMs: 60_000 };
    const first = acceptanceTo([phone(1), phone(2)], { dedupe, signed });
    const { event } = receiptOf(await acceptSharded(objects, account, 4, first));
    for (let n = 0; n < 12; n += 1) {
      const forged = acceptanceTo([phone(n)], { dedupe: { ...dedupe, key: `forged-${n}` }, signed });
      expect(receiptOf(await acceptSharded(objects, account, 4, forged))).toMatchObject({
        event,
        duplicate: true,
      });
    }
    const anew = acceptanceTo([phone(1)], { dedupe, signed: { ...signed, keys: ['signed:2'] } });
    expect(receiptOf(await acceptSharded(objects, account, 4, anew))).toMatchObject({
      event,
      duplicate: true,
    });
    const kept = await contents(account, 4);
    expect(kept.flatMap(({ messages }) => messages)).toHaveLength(2);
  });
});

describe('an event of an account of several objects', () => {
  it('is one event, with each receiver’s messages in the receiver’s own object and all ids in the receipt', async () => {
    const account = freshName();
    const phones = Array.from({ length: 20 }, (_, n) => phone(n % 10));
    const receipt = receiptOf(await acceptSharded(objects, account, 4, acceptanceTo(phones)));
    const stored = await contents(account, 4);
    expect(stored.flatMap(({ events }) => events).map(({ id }) => id)).toEqual([receipt.event]);
    for (const { name, messages } of stored) {
      for (const message of messages) {
        expect(shardName(account, shardOf(message.phone ?? '', 4))).toBe(name);
        expect(message.event).toBe(receipt.event);
      }
    }
    const ids = stored.flatMap(({ messages }) => messages.map(({ id }) => id));
    expect(ids).toHaveLength(20);
    expect(receipt.messages.toSorted()).toEqual(ids.toSorted());
    expect(receipt).not.toHaveProperty('shards');
  });

  it('keeps the order of one receiver’s messages', async () => {
    const account = freshName();
    const acceptance = acceptanceTo([phone(1), phone(2), phone(1), phone(1)]);
    const texts = acceptance.messages.map((message, n) => ({ ...message, params: { message: String(n) } }));
    await acceptSharded(objects, account, 3, { ...acceptance, messages: texts });
    const stored = await contents(account, 3);
    const mine = stored.flatMap(({ messages }) => messages).filter((message) => message.phone === phone(1));
    expect(mine.map(({ params }) => params['message'])).toEqual(['3', '2', '0']);
  });

  it('is accepted without messages, and a status stays with it', async () => {
    const account = freshName();
    const none = receiptOf(await acceptSharded(objects, account, 4, acceptanceTo([])));
    expect(none.messages).toEqual([]);
    const status = receiptOf(await acceptSharded(objects, account, 4, acceptanceTo([null])));
    const stored = await contents(account, 4);
    const home = stored.find(({ events }) => events.some(({ id }) => id === status.event));
    expect(home?.messages.map(({ id }) => id)).toEqual(status.messages);
  });

  it('is told to the sender as not accepted when any object does not take its part', async () => {
    const account = freshName();
    const accept: Accept = async (name, part) => (part.event.isHome ? objects.accept(name, part) : err(DOWN));
    const phones = Array.from({ length: 8 }, (_, n) => phone(n));
    const result = await acceptSharded({ ...objects, accept }, account, 4, acceptanceTo(phones, { dedupe }));
    expect(result).toEqual(err(DOWN));
  });

  it('adds nothing as a duplicate, and answers like the first time', async () => {
    const account = freshName();
    const phones = Array.from({ length: 8 }, (_, n) => phone(n));
    const first = receiptOf(await acceptSharded(objects, account, 4, acceptanceTo(phones, { dedupe })));
    const again = receiptOf(await acceptSharded(objects, account, 4, acceptanceTo(phones, { dedupe })));
    expect(again).toEqual({ ...first, duplicate: true });
    const stored = await contents(account, 4);
    expect(stored.flatMap(({ messages }) => messages)).toHaveLength(8);
    expect(stored.flatMap(({ events }) => events).map(({ duplicates }) => duplicates)).toEqual([1]);
  });

  it('adds nothing as a duplicate that comes when the retention is over and the claim is not', async () => {
    const account = freshName();
    const longAgo = Date.now() - 40 * 24 * 60 * 60_000;
    const phones = Array.from({ length: 8 }, (_, n) => phone(n));
    const claim = { key: 'k', windowMs: 90 * 24 * 60 * 60_000 };
    const acceptance = acceptanceTo(phones, { dedupe: claim, receivedAt: longAgo });
    // Ids carry the time of receipt, which is what the retention goes by.
    const old = { ...acceptance, event: { ...acceptance.event, id: `evt_${'0'.repeat(26)}` } };
    await acceptSharded(objects, account, 4, old);
    const before = (await contents(account, 4)).flatMap(({ messages }) => messages);
    for (const message of before) {
      for (const name of shardNames(account, 4)) await env.OUTBOX.getByName(name).cancel(message.id, 'token');
    }
    for (const name of shardNames(account, 4)) await inOutbox(ringInAnHour, name);

    const again = receiptOf(
      await acceptSharded(objects, account, 4, acceptanceTo(phones, { dedupe: claim })),
    );
    expect(again).toMatchObject({ event: old.event.id, duplicate: true });
    const queued = (await contents(account, 4)).flatMap(({ messages }) =>
      messages.filter(({ state }) => state === 'queued'),
    );
    expect(queued).toEqual([]);
  });
});

describe('a limited source of an account of several objects', () => {
  const limit = { perMinute: 10, burst: 10, bytesPerHour: null };
  const limited = (extra: Partial<AcceptedEvent> = {}) => ({
    ...acceptanceTo([phone(1)], extra),
    quota: { limit, bytes: 100 },
  });

  it.each([
    ['with ids of its own', (n: number) => ({ dedupe: { ...dedupe, key: `k${n}` } })],
    ['without ids', () => ({})],
  ])('%s sends as much as its limit says, neither more nor less', async (_, extra) => {
    const account = freshName();
    const results = [];
    for (let n = 0; n < 25; n += 1) results.push(await acceptSharded(objects, account, 4, limited(extra(n))));
    expect(results.map(({ ok: isTaken }) => isTaken)).toEqual(Array.from({ length: 25 }, (_, n) => n < 10));
    expect((await contents(account, 4)).flatMap(({ events }) => events)).toHaveLength(10);
  });

  it('without ids costs no further call, since the object that counts keeps its events', async () => {
    const account = freshName();
    let asked = 0;
    const admit: Objects['admit'] = async (...question) => {
      asked += 1;
      return objects.admit(...question);
    };
    for (let n = 0; n < 10; n += 1) await acceptSharded({ ...objects, admit }, account, 4, limited());
    expect(asked).toBe(0);
  });
});

describe('a first call that died on its way', () => {
  it('is completed by the sender’s next one: nothing missing, nothing twice, one event', async () => {
    /** What becomes of a call: it gets there, or it is lost before it, or its answer is. */
    const fate = fc.constantFrom('arrives', 'arrives', 'lost', 'answer lost');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 12 }),
        fc.array(fate, { maxLength: 15 }),
        async (shards, receivers, fates) => {
          const account = freshName();
          const left = [...fates];
          const accept: Accept = async (name, part) => {
            const become = left.shift() ?? 'arrives';
            if (become === 'lost') return err(DOWN);
            const answer = await objects.accept(name, part);
            return become === 'answer lost' ? err(DOWN) : answer;
          };
          const phones = receivers.map(phone);
          const post = () =>
            acceptSharded({ ...objects, accept }, account, shards, acceptanceTo(phones, { dedupe }));

          let result = await post();
          for (let tries = 0; !result.ok && tries <= fates.length; tries += 1) result = await post();

          const stored = await contents(account, shards);
          const messages = stored.flatMap((object) => object.messages);
          expect(messages.map((message) => message.phone ?? '').toSorted()).toEqual(phones.toSorted());
          expect(stored.flatMap(({ events }) => events)).toHaveLength(1);
          expect(receiptOf(result).messages.toSorted()).toEqual(messages.map(({ id }) => id).toSorted());
        },
      ),
      { numRuns: 40 },
    );
  });
});
