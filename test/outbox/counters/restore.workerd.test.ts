import { env } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../../src/gateway/outcome.ts';
import { insertMessage } from '../../../src/outbox/accept/rows.ts';
import type { Acceptance } from '../../../src/outbox/state/acceptance.ts';
import { Outbox } from '../../../src/outbox/outbox.ts';
import { eventually } from '../../eventually.ts';
import { connectedOutbox, publishConnected } from '../connected.ts';
import { Bench } from '../bench.ts';
import { accepted, ANSWERS, countRows, draft, empty, HOUR, MINUTE, rowOf, SECOND, START } from '../support.ts';
import { ringInAnHour, inStorage, newOutbox } from '../bare-outbox.ts';

const keyed = (key: string, messages = 1, over: Parameters<typeof accepted>[0] = {}): Acceptance => ({
  event: accepted({ dedupe: { key, windowMs: HOUR }, ...over }),
  messages: Array.from({ length: messages }, () => draft()),
});

type Stub = ReturnType<typeof newOutbox>;

const totalsOf = async (stub: Stub) => (await stub.metrics()).totals;

/** The totals, which must be the same after the object was thrown out of memory. */
async function totalsAfterEviction(stub: Stub) {
  const before = await totalsOf(stub);
  await evictDurableObject(stub);
  expect(await totalsOf(stub)).toEqual(before);
  return before;
}

describe('an outbox that was evicted', () => {
  it('still knows the events and messages that were not sent yet', async () => {
    const stub = newOutbox();
    await stub.accept(keyed('a', 2));
    await stub.accept(keyed('b', 1, { source: 'form', state: 'failed', receivedAt: START + 7 }));
    expect(await totalsAfterEviction(stub)).toEqual({
      'event shop routed': 1,
      'event form failed': 1,
      'message shop queued': 2,
      'message form queued': 1,
      'last shop': START,
      'last form': START + 7,
    });
  });

  it('counts an event once, whatever is sent for it later', async () => {
    const stub = newOutbox();
    await stub.accept(keyed('a'));
    await stub.accept(keyed('b'));
    await runInDurableObject(stub, (_, { storage: { sql } }) =>
      insertMessage({ sql, now: START }, { ...rowOf(sql, 1), seq: 3 }),
    );
    await evictDurableObject(stub);
    expect(await totalsOf(stub)).toMatchObject({ 'event shop routed': 2, 'message shop queued': 3 });
  });

  it('still knows what no message has: duplicates, events without messages, what a person did', async () => {
    const stub = newOutbox();
    const { messages } = await stub.accept(keyed('a'));
    await stub.accept(keyed('a'));
    await stub.accept(keyed('b', 0, { state: 'unmatched' }));
    await stub.cancel(messages[0] ?? '', 'token');
    const { 'last shop': _, ...totals } = await totalsAfterEviction(stub);
    expect(totals).toEqual({
      'event shop routed': 1,
      'event shop unmatched': 1,
      'duplicate shop': 1,
      'message shop queued': 1,
      'message shop cancelled': 1,
    });
  });

  it('counts an event once that was handed in twice', async () => {
    const stub = newOutbox();
    const once = keyed('a');
    await stub.accept(once);
    await stub.accept(once);
    expect(await totalsAfterEviction(stub)).toEqual({
      'event shop routed': 1,
      'message shop queued': 1,
      'last shop': START,
    });
  });

  it('takes no replay for a sign of life', async () => {
    const stub = newOutbox();
    await stub.accept(keyed('a', 1, { replay: { of: 'evt_1', by: 'token' } }));
    expect(await totalsAfterEviction(stub)).not.toHaveProperty('last shop');
  });

  it('knows what came of the last attempt, though nothing was written after it', async () => {
    await publishConnected({ rate: false });
    const stub = connectedOutbox();
    const { messages } = await stub.accept(keyed('a', 1, { receivedAt: Date.now() - 400 }));
    await eventually(async () => expect((await stub.readMessage(messages[0] ?? ''))?.state).toBe('sent'));
    const totals = await totalsAfterEviction(stub);
    expect(totals).toMatchObject({ 'message shop queued': 1, 'message shop sent': 1, 'attempt sent': 1 });
    expect(totals['latency ms']).toBeGreaterThanOrEqual(400);
  });

  it('counts an event once, though its notification came later, and digests that were sent', async () => {
    const route = {
      name: 'all',
      to: '4915112345601',
      incident: { key: '{{ item.id }}' },
      send: { kind: 'text', message: 'x' },
    };
    const stub = connectedOutbox();
    // Incidents of a source that another account has now would be resolved.
    const sources = { shop: { account: stub.name, verify: { scheme: 'none' }, routes: [route] } };
    await publishConnected({ rate: false }, { sources });
    const item = {
      route: 'all',
      index: 1,
      phones: ['4915112345601'],
      key: 'disk',
      isResolved: false,
      group: null,
      flapping: null,
      inhibitedBy: [],
      value: '1',
    };
    await stub.accept({ ...keyed('a', 0), items: [item] });
    await stub.send(draft({ about: { form: 'digest', new: 2, resolved: 0, firing: 2, incidents: [] } }), 1);
    await eventually(async () => expect(await totalsOf(stub)).toMatchObject({ 'attempt sent': 2 }));
    expect(await totalsAfterEviction(stub)).toMatchObject({
      'event shop routed': 1,
      'message shop sent': 1,
      digest: 1,
    });
  });

  it('loses nothing to the retention, which deletes the rows that it would count again', async () => {
    const stub = newOutbox();
    await stub.accept(keyed('a'));
    await runInDurableObject(stub, async (outbox, { storage: { sql } }) => {
      sql.exec("UPDATE messages SET state = 'dead', created_at = 0");
      await ringInAnHour(outbox);
      expect(sql.exec('SELECT 1 FROM messages').toArray()).toEqual([]);
    });
    expect(await totalsAfterEviction(stub)).toMatchObject({ 'message shop queued': 1 });
  });
});

describe('counting', () => {
  it('costs no row of an event with messages, and one a thousand messages that nobody sends', () =>
    runInDurableObject(newOutbox(), async (_, state) => {
      const outbox = new Outbox(state, env);
      const rows = countRows(state.storage.sql);
      await outbox.accept(keyed('a', 1));
      const ofOne = rows.written();
      await outbox.accept(keyed('b', 997));
      expect(rows.written()).toBe(2 * ofOne + 996);
      await outbox.accept(keyed('c', 2));
      expect(rows.written()).toBe(3 * ofOne + 996 + 1 + 1);
    }));

  it('begins anew where counters cannot be read: that must not stop the delivery', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(draft());
      bench.claims.counters.keepNow();
      await bench.answer(1, 'sent');
      expect(sql.exec("UPDATE checkpoint SET counted = 'what?'").rowsWritten).toBe(1);
      const again = new Bench(storage);
      await again.accept(draft());
      await again.answer(2, 'sent');
    }));
});

type Step =
  | { readonly do: 'accept'; readonly phones: readonly string[]; readonly expiresMs: number | null }
  | { readonly do: 'answer'; readonly which: number; readonly outcome: keyof typeof ANSWERS }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'restart' | 'next' | 'resume' };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('accept' as const),
      phones: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
      expiresMs: fc.constantFrom(null, null, SECOND),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      which: fc.nat(2),
      outcome: fc.constantFrom('sent' as const, 'busy' as const, ...OUTCOMES),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 50, 50, 2 * SECOND, 6 * SECOND, MINUTE, 2 * HOUR),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'next' as const, 'resume' as const) }),
  },
);

async function take(bench: Bench, step: Step): Promise<void> {
  if (step.do === 'accept')
    await bench.accept(...step.phones.map((phone) => draft({ phone, expiresMs: step.expiresMs })));
  else if (step.do === 'answer') await bench.open[step.which]?.answer(ANSWERS[step.outcome]);
  else if (step.do === 'pass') await bench.pass(step.ms);
  else if (step.do === 'next') await bench.passToNextRun();
  // The bench itself expects that the new object counts what the old one has counted.
  else if (step.do === 'restart') bench.restart();
  else bench.meta.pause = null;
}

describe('wherever the object stops', () => {
  it('the next one has the same counters, and they add up to what its rows say', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      await fc.assert(
        fc.asyncProperty(fc.array(steps, { maxLength: 60 }), async (list) => {
          empty(sql);
          const bench = new Bench(storage, {
            retryMs: [20, SECOND, HOUR],
            rate: { perMinute: 600, burst: 4 },
          });
          for (const step of list) await take(bench, step);
          bench.restart();
          const { totals } = bench.claims.counters;
          const sum = (prefix: string): number =>
            Object.entries(totals).reduce((all, [key, n]) => (key.startsWith(prefix) ? all + n : all), 0);
          const count = (query: string): number => sql.exec<{ n: number }>(query).one().n;
          expect(sum('message shop queued')).toBe(count('SELECT count(*) AS n FROM messages'));
          expect(sum('message shop sent')).toBe(
            count("SELECT count(*) AS n FROM messages WHERE state = 'sent'"),
          );
          expect(sum('message shop expired')).toBe(
            count("SELECT count(*) AS n FROM messages WHERE state = 'expired'"),
          );
          expect(sum('attempt ')).toBe(
            count('SELECT coalesce(sum(json_array_length(attempts)), 0) AS n FROM messages'),
          );
        }),
        { numRuns: 200 },
      );
    }));
});
