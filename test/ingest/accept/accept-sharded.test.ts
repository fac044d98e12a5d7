import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NotAccepted } from '../../../src/ingest/accept/not-accepted.ts';
import { acceptSharded, type Objects } from '../../../src/ingest/accept/accept-sharded.ts';
import { err, ok } from '../../../src/lib/result.ts';
import type { Acceptance, AcceptedEvent, Receipt } from '../../../src/outbox/state/acceptance.ts';
import { objectNames, shardName, shardOf } from '../../../src/outbox/state/shards.ts';
import { acceptanceTo, freshName, inOutbox, ringInAnHour } from '../../outbox/bare-outbox.ts';

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

/** An account that never changed. */
const by = (spread: number) => ({ spread, former: [] });

/** What the account's objects hold, by object. */
const contents = (account: string, shards: number) =>
  Promise.all(
    objectNames(account, { shards }).map(async (name) => {
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
    const { event } = receiptOf(await acceptSharded(objects, account, by(4), first));
    for (let n = 0; n < 12; n += 1) {
      const forged = acceptanceTo([phone(n)], { dedupe: { ...dedupe, key: `forged-${n}` }, signed });
      expect(receiptOf(await acceptSharded(objects, account, by(4), forged))).toMatchObject({
        event,
        duplicate: true,
        reason: 'everything that its sender signed came before',
      });
    }
    const anew = acceptanceTo([phone(1)], { dedupe, signed: { ...signed, keys: ['signed:2'] } });
    expect(receiptOf(await acceptSharded(objects, account, by(4), anew))).toMatchObject({
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
    const receipt = receiptOf(await acceptSharded(objects, account, by(4), acceptanceTo(phones)));
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

  it('gives each object the items of its receivers, with only those, and sums up what waits', async () => {
    const account = freshName();
    const phones = Array.from({ length: 20 }, (_, n) => phone(n));
    const item = {
      route: 'r',
      key: 'k',
      isResolved: false,
      flapping: null,
      group: null,
      inhibitedBy: [],
      value: '{}',
    };
    const items = [
      { ...item, index: 1, phones },
      { ...item, index: 2, phones: [phone(3), null] },
    ];
    const parts: { name: string; part: Acceptance }[] = [];
    const accept: Accept = async (name, part) => {
      parts.push({ name, part });
      const waiting = (part.items ?? []).reduce((sum, one) => sum + one.phones.length, 0);
      const { id: event, shards } = part.event;
      return ok({ event, duplicate: false, messages: [], waiting, shards });
    };
    const receipt = receiptOf(
      await acceptSharded({ ...objects, accept }, account, by(4), { ...acceptanceTo([phone(1)]), items }),
    );
    expect(receipt).toMatchObject({ messages: [], waiting: 22 });
    const given = parts.flatMap(({ name, part }) =>
      (part.items ?? []).flatMap((one) => one.phones.map((to) => [one.index, to, name])),
    );
    for (const [, to, name] of given)
      if (typeof to === 'string') expect(shardName(account, shardOf(to, 4))).toBe(name);
    expect(given.map(([index, to]) => `${index} ${to}`).toSorted()).toEqual(
      items.flatMap((one) => one.phones.map((to) => `${one.index} ${to}`)).toSorted(),
    );
    expect(given.find(([, to]) => to === null)?.[2]).toBe(parts[0]?.name);
    expect(parts.filter(({ part }) => part.event.isHome)).toHaveLength(1);
  });

  it('keeps the order of one receiver’s messages', async () => {
    const account = freshName();
    const acceptance = acceptanceTo([phone(1), phone(2), phone(1), phone(1)]);
    const texts = acceptance.messages.map((message, n) => ({ ...message, params: { message: String(n) } }));
    await acceptSharded(objects, account, by(3), { ...acceptance, messages: texts });
    const stored = await contents(account, 3);
    const mine = stored.flatMap(({ messages }) => messages).filter((message) => message.phone === phone(1));
    expect(mine.map(({ params }) => params['message'])).toEqual(['3', '2', '0']);
  });

  it('is accepted without messages, and a status stays with it', async () => {
    const account = freshName();
    const none = receiptOf(await acceptSharded(objects, account, by(4), acceptanceTo([])));
    expect(none.messages).toEqual([]);
    const status = receiptOf(await acceptSharded(objects, account, by(4), acceptanceTo([null])));
    const stored = await contents(account, 4);
    const home = stored.find(({ events }) => events.some(({ id }) => id === status.event));
    expect(home?.messages.map(({ id }) => id)).toEqual(status.messages);
  });

  it('is told to the sender as not accepted when any object does not take its part', async () => {
    const account = freshName();
    const accept: Accept = async (name, part) => (part.event.isHome ? objects.accept(name, part) : err(DOWN));
    const phones = Array.from({ length: 8 }, (_, n) => phone(n));
    const result = await acceptSharded(
      { ...objects, accept },
      account,
      by(4),
      acceptanceTo(phones, { dedupe }),
    );
    expect(result).toEqual(err(DOWN));
  });

  it('adds nothing as a duplicate, and answers like the first time', async () => {
    const account = freshName();
    const phones = Array.from({ length: 8 }, (_, n) => phone(n));
    const first = receiptOf(await acceptSharded(objects, account, by(4), acceptanceTo(phones, { dedupe })));
    const again = receiptOf(await acceptSharded(objects, account, by(4), acceptanceTo(phones, { dedupe })));
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
    await acceptSharded(objects, account, by(4), old);
    const before = (await contents(account, 4)).flatMap(({ messages }) => messages);
    for (const message of before) {
      for (const name of objectNames(account, { shards: 4 }))
        await env.OUTBOX.getByName(name).cancel(message.id, 'token');
    }
    for (const name of objectNames(account, { shards: 4 })) await inOutbox(ringInAnHour, name);

    const again = receiptOf(
      await acceptSharded(objects, account, by(4), acceptanceTo(phones, { dedupe: claim })),
    );
    expect(again).toMatchObject({ event: old.event.id, duplicate: true });
    const queued = (await contents(account, 4)).flatMap(({ messages }) =>
      messages.filter(({ state }) => state === 'queued'),
    );
    expect(queued).toEqual([]);
  });
});

describe('a limited source of an account of several objects', () => {
  const limit = { perMinute: 10, burst: 10, bytesPerHour: null, messagesPerMinute: null };
  const limited = (extra: Partial<AcceptedEvent> = {}) => ({
    ...acceptanceTo([phone(1)], extra),
    quota: { limit, bytes: 100, messages: 1 },
  });

  it.each([
    ['with ids of its own', (n: number) => ({ dedupe: { ...dedupe, key: `k${n}` } })],
    ['without ids', () => ({})],
  ])('%s sends as much as its limit says, neither more nor less', async (_, extra) => {
    const account = freshName();
    const results = [];
    for (let n = 0; n < 25; n += 1)
      results.push(await acceptSharded(objects, account, by(4), limited(extra(n))));
    expect(results.map(({ ok: isTaken }) => isTaken)).toEqual(Array.from({ length: 25 }, (_, n) => n < 10));
    expect((await contents(account, 4)).flatMap(({ events }) => events)).toHaveLength(10);
  });

  it('makes as many messages as its limit says, whichever objects have them', async () => {
    const account = freshName();
    const most = { ...limit, messagesPerMinute: 20 };
    const phones = Array.from({ length: 8 }, (_, n) => phone(n));
    const whole = () => ({ ...acceptanceTo(phones), quota: { limit: most, bytes: 100, messages: 8 } });
    for (const isTaken of [true, true, false, false])
      expect((await acceptSharded(objects, account, by(4), whole())).ok).toBe(isTaken);
    expect((await contents(account, 4)).flatMap(({ messages }) => messages)).toHaveLength(16);
  });

  it('without ids costs no further call, since the object that counts keeps its events', async () => {
    const account = freshName();
    let asked = 0;
    const admit: Objects['admit'] = async (...question) => {
      asked += 1;
      return objects.admit(...question);
    };
    for (let n = 0; n < 10; n += 1) await acceptSharded({ ...objects, admit }, account, by(4), limited());
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
            acceptSharded({ ...objects, accept }, account, by(shards), acceptanceTo(phones, { dedupe }));

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

/** What becomes of a call: it gets there, or it is lost before it, or its answer is. */
type Fate = 'arrives' | 'lost' | 'answer lost';

/** One try of a sender: with which event, and whether it comes to who does not know of the last change yet. */
interface Try {
  readonly key: number;
  readonly isStale: boolean;
  readonly fates: readonly Fate[];
}

const tries = fc.array(
  fc.record({
    key: fc.integer({ min: 0, max: 5 }),
    isStale: fc.boolean(),
    fates: fc.array(fc.constantFrom<Fate>('arrives', 'arrives', 'lost', 'answer lost'), { maxLength: 6 }),
  }),
  { maxLength: 10 },
);

const spreads = fc.integer({ min: 1, max: 6 });
/** An account that never changed since there are buckets is spread by the remainder. */
const firstSpreads = fc.oneof(spreads, fc.integer({ min: -6, max: -2 }));

/** Who knows of the first so many of these spreads. */
const known = (all: readonly number[], count: number) => ({
  spread: all[count - 1] ?? 1,
  former: all.slice(0, count - 1),
});

/** Each event has a few receivers of its own, and one of two kinds of claims. */
const eventOfKey = (key: number) => {
  const phones = Array.from({ length: key }, (_, n) => phone(10 * key + n));
  const own = { key: `k${key}`, windowMs: 60_000 };
  const signed = key % 3 === 2 ? { keys: [`signed:${key}`], windowMs: 60_000 } : null;
  return { phones, acceptance: () => acceptanceTo(phones, { dedupe: own, signed }) };
};

const withFates = (fates: readonly Fate[]): Objects => {
  const left = [...fates];
  return {
    ...objects,
    accept: async (name, part) => {
      const become = left.shift() ?? 'arrives';
      if (become === 'lost') return err(DOWN);
      const answer = await objects.accept(name, part);
      return become === 'answer lost' ? err(DOWN) : answer;
    },
  };
};

describe('a change of `shards` in the middle of traffic', () => {
  it('finds what was accepted before it: a repeat is a duplicate and is answered like the first', async () => {
    const account = freshName();
    for (let n = 0; n < 20; n += 1) {
      const post = (all: readonly number[]) =>
        acceptSharded(
          objects,
          account,
          known(all, all.length),
          acceptanceTo([phone(n), phone(n + 1)], { dedupe: { key: `k${n}`, windowMs: 60_000 } }),
        );
      const first = receiptOf(await post([1]));
      expect(receiptOf(await post([1, 2]))).toEqual({ ...first, duplicate: true });
      expect(receiptOf(await post([1, 2, 5]))).toEqual({ ...first, duplicate: true });
    }
  });

  it('loses nothing and sends nothing twice, whoever knows of it, and whatever breaks off', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(firstSpreads, tries),
        fc.array(fc.tuple(spreads, tries), { minLength: 1, maxLength: 3 }),
        async (beginning, changes) => {
          const phases = [beginning, ...changes];
          const account = freshName();
          const all = phases.map(([spread]) => spread);
          const answered = new Map<number, Set<string>>();
          const note = (key: number, result: Awaited<ReturnType<typeof acceptSharded>>): void => {
            if (result.ok) answered.set(key, (answered.get(key) ?? new Set()).add(result.value.event));
          };
          const post = async ({ key, isStale, fates }: Try, phase: number): Promise<void> => {
            const knows = known(all, isStale ? Math.max(1, phase) : phase + 1);
            note(key, await acceptSharded(withFates(fates), account, knows, eventOfKey(key).acceptance()));
          };
          for (const [phase, [, now]] of phases.entries()) {
            // Two at a time, so that they meet.
            for (let n = 0; n < now.length; n += 2)
              await Promise.all(now.slice(n, n + 2).map((one) => post(one, phase)));
          }
          const keys = new Set(phases.flatMap(([, now]) => now.map(({ key }) => key)));
          // The senders try again until they hear that it is accepted.
          for (const key of keys) await post({ key, isStale: false, fates: [] }, phases.length - 1);

          const stored = await contents(account, Math.max(...all.map(Math.abs)));
          const messages = stored.flatMap((object) => object.messages);
          expect([...answered.values()].map(({ size }) => size)).toEqual([...keys].map(() => 1));
          expect(stored.flatMap(({ events }) => events)).toHaveLength(keys.size);
          expect(messages.map((message) => message.phone ?? '').toSorted()).toEqual(
            [...keys].flatMap((key) => eventOfKey(key).phones).toSorted(),
          );
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  it('costs no further call where the object of a key stays the same, or nothing changed', async () => {
    const account = freshName();
    let calls = 0;
    const counted: Objects = {
      ...objects,
      accept: (name, part) => {
        calls += 1;
        return objects.accept(name, part);
      },
    };
    for (let n = 0; n < 10; n += 1) {
      const one = acceptanceTo([], { dedupe: { key: `k${n}`, windowMs: 60_000 } });
      await acceptSharded(counted, account, { spread: 4, former: [] }, one);
    }
    expect(calls).toBe(10);
    for (let n = 0; n < 10; n += 1) {
      const one = acceptanceTo([], { dedupe: { key: `stays${n}`, windowMs: 60_000 } });
      const isSame = shardOf(`shop\nstays${n}`, 4) === shardOf(`shop\nstays${n}`, 5);
      calls = 0;
      await acceptSharded(counted, account, { spread: 5, former: [4] }, one);
      expect(calls).toBe(isSame ? 1 : 2);
    }
  });
});

const told = (phones: readonly (string | null)[], key: string): Acceptance => {
  const { event, messages } = acceptanceTo(phones, { dedupe: { ...dedupe, key } });
  return { event, messages: messages.map((message) => ({ ...message, route: 'paid', once: '1042' })) };
};

describe('a fact that its route tells once', () => {
  const receivers = Array.from({ length: 8 }, (_, n) => phone(n));

  it('is told to each receiver once, whichever objects keep the events, and each object says why', async () => {
    const account = freshName();
    const first = receiptOf(await acceptSharded(objects, account, by(4), told(receivers, 'k0')));
    expect(first.messages).toHaveLength(receivers.length);
    for (let n = 1; n < 8; n += 1) {
      const again = receiptOf(await acceptSharded(objects, account, by(4), told(receivers, `k${n}`)));
      expect(again).toMatchObject({ duplicate: false, messages: [] });
    }
    const held = await contents(account, 4);
    expect(held.flatMap(({ messages }) => messages)).toHaveLength(receivers.length);
    const reasons = held.flatMap(({ events }) => events.flatMap(({ reason }) => reason ?? []));
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).toContain(`\`once\` was the same before, in ${first.event}`);
  });

  it('is posted once as a status, which has no receiver', async () => {
    const account = freshName();
    for (let n = 0; n < 8; n += 1)
      receiptOf(await acceptSharded(objects, account, by(4), told([null], `k${n}`)));
    const held = await contents(account, 4);
    expect(held.flatMap(({ messages }) => messages)).toHaveLength(1);
    // They are kept by several objects.
    expect(held.filter(({ events }) => events.length > 0).length).toBeGreaterThan(1);
  });

  it('reaches everybody where a try broke off and the sender repeats it', async () => {
    const account = freshName();
    const broken = receivers.find((one) => shardOf(one, 4) !== shardOf('shop\nk', 4)) ?? '';
    const down = shardName(account, shardOf(broken, 4));
    const failing: Objects = {
      ...objects,
      accept: (name, part) => (name === down ? Promise.resolve(err(DOWN)) : objects.accept(name, part)),
    };
    expect((await acceptSharded(failing, account, by(4), told(receivers, 'k'))).ok).toBe(false);
    const again = receiptOf(await acceptSharded(objects, account, by(4), told(receivers, 'k')));
    expect(again.messages).toHaveLength(receivers.length);
    // Without an id of the event, too.
    const other = freshName();
    const bare = (): Acceptance => {
      const { event, messages } = told(receivers, '');
      return { event: { ...event, dedupe: null }, messages };
    };
    const downThere = shardName(other, shardOf(broken, 4));
    await acceptSharded(
      {
        ...objects,
        accept: (name, part) =>
          name === downThere ? Promise.resolve(err(DOWN)) : objects.accept(name, part),
      },
      other,
      by(4),
      bare(),
    );
    await acceptSharded(objects, other, by(4), bare());
    const held = await contents(other, 4);
    const phones = held.flatMap(({ messages }) => messages.flatMap((one) => one.phone ?? []));
    expect(phones.toSorted()).toEqual(receivers.toSorted());
  });
});
